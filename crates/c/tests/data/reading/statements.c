int f(int n) {
    for (int i = 0; i < n; i++) { if (i == 3) continue; else break; }
    for (;;) break;
    while (n > 0) n--;
    do n++; while (n < 5);
    if (n) return 1;
    ;
    return n;
}
void g(void) { return; }
