// Nothing is said about owners and numbers.
pred tasks(x) := emp & x = null | exists next. x -> Task(next, _, _) * tasks(next);
pre Task#last() := exists next. this -> Task(next, _, _) * tasks(next);
