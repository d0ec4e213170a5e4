unsigned long long a = 18446744073709551615ull;
long b = -9223372036854775807L - 1;
unsigned c = 0xffffffff;
double d = 1e300, e = 0.1;
float f = 0.1f;
int g = 010 + 0x10 + 1u;
