pred chain(x) := emp & x = null | exists n. x -> Deep$Link(_, n) * chain(n);
pre Deep#depth(link, n) := chain(link);
pre Deep#push(link, n) := chain(link);
post Deep#push(link, n) := chain(result);
