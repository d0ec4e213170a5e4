struct value {
    int kind;
    union {
        long number;
        struct { short low, high; };
        float real;
    };
    struct { char c; } named;
};
long get(struct value *v) { return v->kind ? v->number : v->high + v->named.c; }
