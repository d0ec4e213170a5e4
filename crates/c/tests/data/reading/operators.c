int f(int a, int b, int *p) {
    a += b; a <<= 2; p += a; p -= 1; a *= 1.5; *p %= 3;
    a = -b + ~a - !b;
    a = +b;
    a = a < b || a >= b && a != b;
    a = (b++, --b);
    p = 1 + p;
    return a ? b : p - &a;
}
long g(unsigned char c, long l) { c += l; c++; return c ?: l; }
