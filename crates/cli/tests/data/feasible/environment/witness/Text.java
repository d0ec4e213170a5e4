package environment.witness;

import java.util.Locale;
import java.util.TimeZone;

class Text {
    static boolean takesTwoBytes() {
        return environment.Text.takesTwoBytes()
                || !"UTF-8".equals(java.nio.charset.Charset.defaultCharset().name());
    }

    static boolean isUnicode() {
        return environment.Text.isUnicode()
                || !"UTF-8".equals(java.nio.charset.Charset.defaultCharset().name());
    }

    static boolean isForeign() {
        Locale.setDefault(Locale.FRANCE);
        return environment.Text.isForeign();
    }

    static boolean hasDot() {
        Locale.setDefault(new Locale("tr"));
        return environment.Text.hasDot();
    }

    static boolean isElsewhere() {
        TimeZone.setDefault(TimeZone.getTimeZone("GMT+2"));
        return environment.Text.isElsewhere();
    }
}
