import "import_cycle_other.sl";
pred p(x) := emp;
