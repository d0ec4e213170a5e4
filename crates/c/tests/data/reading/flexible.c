#include <stdlib.h>
struct buffer { int length; char data[]; };
struct old { int n; int data[0]; };
struct buffer *make(int n) { struct buffer *b = malloc(sizeof *b + n); b->data[n - 1] = 0; return b; }
