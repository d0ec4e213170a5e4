package environment.witness;

/** Assertions are off where this runs. */
class Bits {
    static boolean hasPayload() {
        return environment.Bits.hasPayload(Float.intBitsToFloat(0x7fc00001));
    }

    static boolean hasLongPayload() {
        return environment.Bits.hasLongPayload(Double.longBitsToDouble(0x7ff8000000000123L));
    }

    static boolean isOther() {
        return environment.Bits.isOther(Float.intBitsToFloat(0x7fc00002));
    }

    static boolean isUnchecked() {
        return environment.Bits.isUnchecked(-1);
    }

    static boolean isRounded() {
        return environment.Bits.isRounded(3);
    }
}
