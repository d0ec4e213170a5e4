// Lists that end with null.
pred ints(x) := emp & x = null | exists next. x -> MathTraversals$IntNode(_, next) * ints(next);

pred doubles(x) :=
    emp & x = null
  | exists next. x -> MathTraversals$DoubleNode(_, next) * doubles(next);

pre MathTraversals#withAbs(root) := ints(root);
pre MathTraversals#withAcos(root) := ints(root);
pre MathTraversals#withAsin(root) := ints(root);
pre MathTraversals#withAtan(root) := ints(root);
pre MathTraversals#withCbrt(root) := ints(root);
pre MathTraversals#withCos(root) := ints(root);
pre MathTraversals#withCosh(root) := ints(root);
pre MathTraversals#withExp(root) := ints(root);
pre MathTraversals#withExpm1(root) := ints(root);
pre MathTraversals#withFloorDiv(root) := ints(root);
pre MathTraversals#withFloorMod(root) := ints(root);
pre MathTraversals#withHypot(root) := ints(root);
pre MathTraversals#withLog(root) := ints(root);
pre MathTraversals#withLog10(root) := ints(root);
pre MathTraversals#withLog1p(root) := ints(root);
pre MathTraversals#withMax(root) := ints(root);
pre MathTraversals#withMin(root) := ints(root);
pre MathTraversals#withPow(root) := ints(root);
pre MathTraversals#withSignum(root) := ints(root);
pre MathTraversals#withSin(root) := ints(root);
pre MathTraversals#withSqrt(root) := ints(root);
pre MathTraversals#withTan(root) := ints(root);
pre MathTraversals#withAtan2(root) := doubles(root);
pre MathTraversals#withCeil(root) := doubles(root);
pre MathTraversals#withFloor(root) := doubles(root);
pre MathTraversals#withRint(root) := doubles(root);
pre MathTraversals#withRound(root) := doubles(root);
pre MathTraversals#withSinh(root) := doubles(root);
pre MathTraversals#withTanh(root) := doubles(root);
pre MathTraversals#withToDegrees(root) := doubles(root);
pre MathTraversals#withToRadians(root) := doubles(root);
pre MathTraversals#withUlp(root) := doubles(root);
