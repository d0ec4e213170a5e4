#include <stdarg.h>
int sum(int n, ...) {
    va_list ap, copy;
    va_start(ap, n);
    va_copy(copy, ap);
    int total = va_arg(ap, int);
    va_end(ap);
    return total;
}
long next(va_list ap) { return va_arg(ap, long); }
