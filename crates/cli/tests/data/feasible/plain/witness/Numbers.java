package plain.witness;

class Numbers {
    static boolean isLarge() {
        return plain.Numbers.isLarge(1001);
    }
}
