int f(int n) {
again:
    if (n > 3) goto out;
    n++;
    goto again;
out:
    return n;
}
int g(void) { goto out; out: return 1; }
