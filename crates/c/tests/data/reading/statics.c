static int hidden = 1;
int next(void) { static int count; static const char *name = "x"; return count++ + hidden + *name; }
int other(void) { static int count = 5; return count; }
