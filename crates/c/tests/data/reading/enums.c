enum color { RED, GREEN = 5, BLUE };
enum sign { MINUS = -1, PLUS = +1 };
typedef enum { BIG = 0x100000000 } big;
enum __attribute__((packed)) small { SMALL = 200 };
enum color c = BLUE;
enum sign s = MINUS;
big b = BIG;
enum small t = SMALL;
int f(enum color x) { enum { HERE = GREEN * 2 + sizeof(int) }; return x == BLUE ? HERE : PLUS; }
