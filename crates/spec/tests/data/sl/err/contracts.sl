data Node { int value; Node next; }
pre f(x) := emp & result = 1;
pre g(x) := emp & old(x) = 1;
post h(x) throws E := emp & result = 1;
post i(x) := emp & old(result) = x;
post j(x) := emp & old(y.next) = x;
pre k(x) := this.next = x;
pred p(x) := emp & old(x) = 1;
pre Node#m(this) := emp;
