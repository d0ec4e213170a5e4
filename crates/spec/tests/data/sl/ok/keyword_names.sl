data data { int pre; int post; int check; data pred; int import; }
pred pred(pre, post) := exists check. pre -> data(post, 1, check, pre, 2) & check = 3;
pre data#check(data) := this.pre = data & pred = this & check > 0;
