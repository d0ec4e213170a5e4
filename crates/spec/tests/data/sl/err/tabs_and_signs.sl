data Node { int value; Node next; }
pred	p(x) :=		∃ v. x ↦ Nde(v, null) ∧ größe > 3;
