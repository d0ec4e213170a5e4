int grid[3][4];
int (*row)[4] = &grid[1];
int *cells[2];
int first(int a[], int n) { return a[0] + 2[a] + grid[n][1] + (*row)[n] + *cells[1]; }
