struct later;
extern int shared[];
int later(struct later *l);
int shared[3];
struct later { int x; struct later *next; };
int later(struct later *l) { return l->next->x + shared[1]; }
static int forward(void);
int calls(void) { extern int shared[3]; int forward(void); return forward() + shared[0]; }
static int forward(void) { return 1; }
