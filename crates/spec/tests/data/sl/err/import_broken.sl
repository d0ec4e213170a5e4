import "syntax.sl";
check unknown(x);
