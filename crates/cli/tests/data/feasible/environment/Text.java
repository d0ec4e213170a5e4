package environment;

import java.nio.charset.Charset;
import java.util.Locale;
import java.util.TimeZone;

public class Text {
    public static boolean takesTwoBytes() {
        if ("\u00e9".getBytes().length == 2) {
            return true;
        }
        return false;
    }

    public static boolean isUnicode() {
        if (Charset.defaultCharset().name().equals("UTF-8")) {
            return true;
        }
        return false;
    }

    public static boolean isForeign() {
        if (!Locale.getDefault().getLanguage().equals("en")) {
            return true;
        }
        return false;
    }

    public static boolean hasDot() {
        if (!"i".toUpperCase().equals("I")) {
            return true;
        }
        return false;
    }

    public static boolean isElsewhere() {
        if (TimeZone.getDefault().getRawOffset() != 0) {
            return true;
        }
        return false;
    }
}
