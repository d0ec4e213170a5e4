import "import_cycle.sl";
pred q(x) := p(x);
