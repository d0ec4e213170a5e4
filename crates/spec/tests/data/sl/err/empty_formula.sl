check ;
pred p(x) := ;
