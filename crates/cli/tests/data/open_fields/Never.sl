pre Task$Never#single() := this -> Task$Never(null, _) | exists n. this -> Task$Never(n, _) * n -> Task$Never(null, _);
