pred p(null) := emp;
pred emp(x) := emp;
check exists true. emp;
check exists a.b. emp;
