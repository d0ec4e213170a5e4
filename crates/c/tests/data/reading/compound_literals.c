struct p { int x, y; };
struct p *global = &(struct p){ 1, 2 };
int *numbers = (int[]){ 1, 2 };
int take(struct p p);
int f(int n) { return take((struct p){ .y = n }) + ((int[2]){ n })[1]; }
