import shapes.list;
pred two(x) := exists n. x -> Cell(_, n) * n -> Cell(_, null);
