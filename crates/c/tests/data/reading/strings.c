char s[] = "ab";
char t[2] = "ab";
char u[] = { "x" };
const char *v = "a" "b\n\0c\"";
const unsigned char w[] = "\377";
const int *x = L"\x1f600";
const unsigned short *y = u"é";
const char *z(void) { return __func__; }
unsigned long n = sizeof "abc";
int c = 'a' + '\377';
