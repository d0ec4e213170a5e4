pred p(x) := emp;
/* this never ends
