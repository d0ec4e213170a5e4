/* Functions of the C library, in C: what they do by the standard, on memory that is looked at byte
   by byte. Calls of the real ones lead here. They are read together with the file under test. */

typedef __SIZE_TYPE__ hw_lib_size;

void hw_lib_unknown_conversion(void);

#ifdef __HEAPWRIGHT_MALLOC_FAILS__
/* The allocation that fails, counted from 1; none if it is less. Tests set it. */
static int hw_lib_failing_allocation;
static int hw_lib_allocations;

static int hw_lib_allocation_fails(void) {
    return ++hw_lib_allocations == hw_lib_failing_allocation;
}
#endif

static hw_lib_size hw_lib_strlen(const char *s) {
    hw_lib_size n = 0;
    while (s[n] != 0) n++;
    return n;
}

/* A string that is printed; null is shown as such. */
static hw_lib_size hw_lib_shown(const char *s) { return s ? hw_lib_strlen(s) : 0; }

static hw_lib_size hw_lib_strnlen(const char *s, hw_lib_size most) {
    hw_lib_size n = 0;
    while (n < most && s[n] != 0) n++;
    return n;
}

static int hw_lib_strcmp(const char *a, const char *b) {
    hw_lib_size i = 0;
    while (a[i] != 0 && a[i] == b[i]) i++;
    unsigned char x = (unsigned char)a[i], y = (unsigned char)b[i];
    return x < y ? -1 : x > y;
}

static int hw_lib_strncmp(const char *a, const char *b, hw_lib_size n) {
    for (hw_lib_size i = 0; i < n; i++) {
        unsigned char x = (unsigned char)a[i], y = (unsigned char)b[i];
        if (x != y) return x < y ? -1 : 1;
        if (x == 0) return 0;
    }
    return 0;
}

static int hw_lib_memcmp(const void *p, const void *q, hw_lib_size n) {
    const unsigned char *a = p, *b = q;
    for (hw_lib_size i = 0; i < n; i++)
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    return 0;
}

static void *hw_lib_memchr(const void *p, int c, hw_lib_size n) {
    const unsigned char *s = p;
    for (hw_lib_size i = 0; i < n; i++)
        if (s[i] == (unsigned char)c) return (void *)(s + i);
    return 0;
}

static char *hw_lib_strcpy(char *to, const char *from) {
    hw_lib_size i = 0;
    while ((to[i] = from[i]) != 0) i++;
    return to;
}

static char *hw_lib_stpcpy(char *to, const char *from) {
    hw_lib_size i = 0;
    while ((to[i] = from[i]) != 0) i++;
    return to + i;
}

static char *hw_lib_strncpy(char *to, const char *from, hw_lib_size n) {
    hw_lib_size i = 0;
    for (; i < n && from[i] != 0; i++) to[i] = from[i];
    for (; i < n; i++) to[i] = 0;
    return to;
}

static char *hw_lib_strcat(char *to, const char *from) {
    hw_lib_size n = hw_lib_strlen(to), i = 0;
    while ((to[n + i] = from[i]) != 0) i++;
    return to;
}

static char *hw_lib_strncat(char *to, const char *from, hw_lib_size most) {
    hw_lib_size n = hw_lib_strlen(to), i = 0;
    for (; i < most && from[i] != 0; i++) to[n + i] = from[i];
    to[n + i] = 0;
    return to;
}

static char *hw_lib_strchr(const char *s, int c) {
    for (;; s++) {
        if (*s == (char)c) return (char *)s;
        if (*s == 0) return 0;
    }
}

static char *hw_lib_strrchr(const char *s, int c) {
    const char *found = 0;
    for (;; s++) {
        if (*s == (char)c) found = s;
        if (*s == 0) return (char *)found;
    }
}

static char *hw_lib_strstr(const char *s, const char *part) {
    hw_lib_size n = hw_lib_strlen(part);
    for (;; s++) {
        if (hw_lib_strncmp(s, part, n) == 0) return (char *)s;
        if (*s == 0) return 0;
    }
}

static hw_lib_size hw_lib_strspn(const char *s, const char *set) {
    hw_lib_size n = 0;
    while (s[n] != 0 && hw_lib_strchr(set, s[n])) n++;
    return n;
}

static hw_lib_size hw_lib_strcspn(const char *s, const char *set) {
    hw_lib_size n = 0;
    while (s[n] != 0 && !hw_lib_strchr(set, s[n])) n++;
    return n;
}

static char *hw_lib_strdup(const char *s) {
    hw_lib_size n = hw_lib_strlen(s) + 1;
    char *copy = __builtin_malloc(n);
    if (!copy) return 0;
    __builtin_memcpy(copy, s, n);
    return copy;
}

static char *hw_lib_strndup(const char *s, hw_lib_size most) {
    hw_lib_size n = hw_lib_strnlen(s, most);
    char *copy = __builtin_malloc(n + 1);
    if (!copy) return 0;
    __builtin_memcpy(copy, s, n);
    copy[n] = 0;
    return copy;
}

static int hw_lib_abs(int x) { return x < 0 ? -x : x; }
static long hw_lib_labs(long x) { return x < 0 ? -x : x; }
static long long hw_lib_llabs(long long x) { return x < 0 ? -x : x; }

static int hw_lib_isdigit(int c) { return c >= '0' && c <= '9'; }
static int hw_lib_isupper(int c) { return c >= 'A' && c <= 'Z'; }
static int hw_lib_islower(int c) { return c >= 'a' && c <= 'z'; }
static int hw_lib_isalpha(int c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }
static int hw_lib_isalnum(int c) { return hw_lib_isalpha(c) || hw_lib_isdigit(c); }
static int hw_lib_isspace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static int hw_lib_isblank(int c) { return c == ' ' || c == '\t'; }
static int hw_lib_iscntrl(int c) { return (c >= 0 && c < 32) || c == 127; }
static int hw_lib_isprint(int c) { return c >= 32 && c < 127; }
static int hw_lib_isgraph(int c) { return c > 32 && c < 127; }
static int hw_lib_ispunct(int c) { return hw_lib_isgraph(c) && !hw_lib_isalnum(c); }
static int hw_lib_isxdigit(int c) {
    return hw_lib_isdigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
static int hw_lib_toupper(int c) { return hw_lib_islower(c) ? c - 'a' + 'A' : c; }
static int hw_lib_tolower(int c) { return hw_lib_isupper(c) ? c - 'A' + 'a' : c; }

static int hw_lib_atoi(const char *s) {
    int sign = 1, number = 0;
    while (hw_lib_isspace(*s)) s++;
    if (*s == '-' || *s == '+') sign = *s++ == '-' ? -1 : 1;
    while (hw_lib_isdigit(*s)) number = number * 10 + (*s++ - '0');
    return sign * number;
}

static int hw_lib_digit(int c) {
    if (hw_lib_isdigit(c)) return c - '0';
    if (hw_lib_isalpha(c)) return hw_lib_tolower(c) - 'a' + 10;
    return 99;
}

/* What stands in front of a number: spaces, a sign, the mark of a base. */
static const char *hw_lib_before(const char *s, int *negative, int *base) {
    while (hw_lib_isspace(*s)) s++;
    *negative = *s == '-';
    if (*s == '-' || *s == '+') s++;
    if ((*base == 0 || *base == 16) && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') &&
        hw_lib_isxdigit(s[2])) {
        s += 2;
        *base = 16;
    }
    if (*base == 0) *base = *s == '0' ? 8 : 10;
    return s;
}

static long hw_lib_strtol(const char *s, char **end, int base) {
    int negative;
    const char *first = hw_lib_before(s, &negative, &base), *at = first;
    unsigned long most = negative ? 1ul << 63 : (1ul << 63) - 1, number = 0;
    for (; hw_lib_digit(*at) < base; at++) {
        unsigned long digit = hw_lib_digit(*at);
        number = number > (most - digit) / base ? most : number * base + digit;
    }
    if (end) *end = (char *)(at == first ? s : at);
    return (long)(negative ? -number : number);
}

static unsigned long hw_lib_strtoul(const char *s, char **end, int base) {
    int negative;
    const char *first = hw_lib_before(s, &negative, &base), *at = first;
    unsigned long most = ~0ul, number = 0;
    int too_large = 0;
    for (; hw_lib_digit(*at) < base; at++) {
        unsigned long digit = hw_lib_digit(*at);
        too_large |= number > (most - digit) / base;
        number = number * base + digit;
    }
    if (end) *end = (char *)(at == first ? s : at);
    return too_large ? most : negative ? -number : number;
}

static long long hw_lib_strtoll(const char *s, char **end, int base) {
    return hw_lib_strtol(s, end, base);
}
static unsigned long long hw_lib_strtoull(const char *s, char **end, int base) {
    return hw_lib_strtoul(s, end, base);
}
static long hw_lib_atol(const char *s) { return hw_lib_strtol(s, 0, 10); }
static long long hw_lib_atoll(const char *s) { return hw_lib_strtol(s, 0, 10); }

static int hw_lib_strcasecmp(const char *a, const char *b) {
    hw_lib_size i = 0;
    while (a[i] != 0 && hw_lib_tolower(a[i]) == hw_lib_tolower(b[i])) i++;
    return hw_lib_tolower((unsigned char)a[i]) - hw_lib_tolower((unsigned char)b[i]);
}

static char *hw_lib_strpbrk(const char *s, const char *set) {
    s += hw_lib_strcspn(s, set);
    return *s == 0 ? 0 : (char *)s;
}

/* Text that is written as far as there is room, and counted to its end. */
struct hw_lib_text {
    char *to;
    hw_lib_size room, length;
};

static void hw_lib_put(struct hw_lib_text *text, char c) {
    if (text->length + 1 < text->room) text->to[text->length] = c;
    text->length++;
}

static void hw_lib_put_number(struct hw_lib_text *text, unsigned long number, int negative,
                              unsigned base, int width, char pad) {
    char digits[24];
    int count = 0;
    do {
        digits[count++] = "0123456789abcdef"[number % base];
        number /= base;
    } while (number != 0);
    if (negative && pad == '0') hw_lib_put(text, '-');
    for (int i = count + negative; i < width; i++) hw_lib_put(text, pad);
    if (negative && pad != '0') hw_lib_put(text, '-');
    while (count > 0) hw_lib_put(text, digits[--count]);
}

/* The commonest conversions; others are outside of what is known here. */
static int hw_lib_vsnprintf(char *to, hw_lib_size room, const char *format, __builtin_va_list list) {
    struct hw_lib_text text = {to, room, 0};
    for (; *format != 0; format++) {
        if (*format != '%') {
            hw_lib_put(&text, *format);
            continue;
        }
        format++;
        char pad = ' ';
        int width = 0, is_long = 0, is_left = 0, most = -1;
        for (; *format == '0' || *format == '-'; format++) {
            if (*format == '0') pad = '0';
            else is_left = 1;
        }
        while (hw_lib_isdigit(*format)) width = width * 10 + (*format++ - '0');
        if (*format == '.') {
            format++;
            most = 0;
            if (*format == '*') {
                most = __builtin_va_arg(list, int);
                format++;
            }
            while (hw_lib_isdigit(*format)) most = most * 10 + (*format++ - '0');
            if (*format != 's') hw_lib_unknown_conversion();
        }
        hw_lib_size start = text.length;
        int behind = is_left ? width : 0;
        if (is_left) {
            width = 0;
            pad = ' ';
        }
        while (*format == 'l' || *format == 'z' || *format == 'j' || *format == 't') {
            is_long = 1;
            format++;
        }
        if (*format == 'd' || *format == 'i') {
            long number = is_long ? __builtin_va_arg(list, long) : __builtin_va_arg(list, int);
            unsigned long size = number < 0 ? -(unsigned long)number : (unsigned long)number;
            hw_lib_put_number(&text, size, number < 0, 10, width, pad);
        } else if (*format == 'u' || *format == 'x') {
            unsigned long number = is_long ? __builtin_va_arg(list, unsigned long)
                                           : __builtin_va_arg(list, unsigned);
            hw_lib_put_number(&text, number, 0, *format == 'x' ? 16 : 10, width, pad);
        } else if (*format == 'c') {
            for (int i = 1; i < width; i++) hw_lib_put(&text, ' ');
            hw_lib_put(&text, (char)__builtin_va_arg(list, int));
        } else if (*format == 's') {
            const char *s = __builtin_va_arg(list, const char *);
            if (!s) s = "(null)";
            hw_lib_size length = most < 0 ? hw_lib_strlen(s) : hw_lib_strnlen(s, most);
            for (int i = (int)length; i < width; i++) hw_lib_put(&text, ' ');
            for (hw_lib_size i = 0; i < length; i++) hw_lib_put(&text, s[i]);
        } else if (*format == '%') {
            hw_lib_put(&text, '%');
        } else {
            hw_lib_unknown_conversion();
        }
        while (behind > 0 && text.length - start < (hw_lib_size)behind) hw_lib_put(&text, ' ');
    }
    if (room > 0) to[text.length < room ? text.length : room - 1] = 0;
    return (int)text.length;
}

static int hw_lib_snprintf(char *to, hw_lib_size room, const char *format, ...) {
    __builtin_va_list list;
    __builtin_va_start(list, format);
    int length = hw_lib_vsnprintf(to, room, format, list);
    __builtin_va_end(list);
    return length;
}

/* What is shown is not seen by anybody, but it is counted. */
static int hw_lib_vprintf(const char *format, __builtin_va_list list) {
    return hw_lib_vsnprintf(0, 0, format, list);
}

static int hw_lib_printf(const char *format, ...) {
    __builtin_va_list list;
    __builtin_va_start(list, format);
    int length = hw_lib_vsnprintf(0, 0, format, list);
    __builtin_va_end(list);
    return length;
}

static int hw_lib_fprintf(void *stream, const char *format, ...) {
    __builtin_va_list list;
    __builtin_va_start(list, format);
    int length = hw_lib_vsnprintf(0, 0, format, list);
    __builtin_va_end(list);
    return length;
}

static int hw_lib_putchar(int c) { return (unsigned char)c; }
static int hw_lib_fputc(int c, void *stream) { return (unsigned char)c; }
static int hw_lib_putc(int c, void *stream) { return (unsigned char)c; }
static int hw_lib_fflush(void *stream) { return 0; }

static int hw_lib_sprintf(char *to, const char *format, ...) {
    __builtin_va_list list;
    __builtin_va_start(list, format);
    int length = hw_lib_vsnprintf(to, (hw_lib_size)1 << 30, format, list);
    __builtin_va_end(list);
    return length;
}

static void hw_lib_swap(char *a, char *b, hw_lib_size size) {
    for (hw_lib_size i = 0; i < size; i++) {
        char c = a[i];
        a[i] = b[i];
        b[i] = c;
    }
}

static void hw_lib_qsort(void *base, hw_lib_size count, hw_lib_size size,
                         int (*compare)(const void *, const void *)) {
    char *a = base;
    for (hw_lib_size i = 1; i < count; i++)
        for (hw_lib_size j = i; j > 0 && compare(a + (j - 1) * size, a + j * size) > 0; j--)
            hw_lib_swap(a + (j - 1) * size, a + j * size, size);
}

static void *hw_lib_bsearch(const void *key, const void *base, hw_lib_size count, hw_lib_size size,
                            int (*compare)(const void *, const void *)) {
    hw_lib_size low = 0, high = count;
    while (low < high) {
        hw_lib_size middle = low + (high - low) / 2;
        const char *at = (const char *)base + middle * size;
        int order = compare(key, at);
        if (order == 0) return (void *)at;
        if (order < 0) high = middle;
        else low = middle + 1;
    }
    return 0;
}

/* What a pointer to a function that compares may lead to in a test. */
static int hw_lib_compare_numbers(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static int hw_lib_clz(unsigned x) {
    int n = 0;
    for (unsigned bit = 1u << 31; bit != 0 && (x & bit) == 0; bit >>= 1) n++;
    return n;
}

static int hw_lib_ctz(unsigned x) {
    int n = 0;
    while (n < 32 && (x & (1u << n)) == 0) n++;
    return n;
}

static int hw_lib_popcount(unsigned x) {
    int n = 0;
    for (; x != 0; x &= x - 1) n++;
    return n;
}
