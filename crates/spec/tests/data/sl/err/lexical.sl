pred a(x) := emp & x = 'ab';
pred b(x) := emp & x = ';
pred c(x) := emp @ x;
pred d(x) := emp & x = 12ab;
pred e(x) := emp & x = 999999999999999999999999999999999999999999;
pred f(x) := emp & x = '\q';
import "abc
pred g(x) := emp & x = 0xg & x = 1e999;
pred h(x) := emp & x = ☃;
pred i(x) := emp & x = '';
/* open /* twice */
