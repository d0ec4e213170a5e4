/*@ requires list(head) */
int f(int *p) { //@ nothing
    return *p; /* not this */
}
const char *s = "/*@ nor this */";
