pred a(x) := emp;
check (a(x)|a(y))*(a(x)|a(y))*(a(x)|a(y))*(a(x)|a(y))*(a(x)|a(y))*(a(x)|a(y))*(a(x)|a(y))*(a(x)|a(y))*(a(x)|a(y))*(a(x)|a(y))*(a(x)|a(y))*(a(x)|a(y))*(a(x)|a(y))*(a(x)|a(y))*(a(x)|a(y))*(a(x)|a(y))*(a(x)|a(y))*(a(x)|a(y))*(a(x)|a(y))*(a(x)|a(y));
