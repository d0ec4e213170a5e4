data Playlist { Nod first; Nod last; int size; }
data Node { int song; Node prev; Node next; }
pred list(first, before, last, n) :=
    emp & first = null & last = before & n = 0
  | exists next. first -> Nod(_, before, next)
        * lst(next, first, last, n - 1) & n > 0;
pre  Playlist#add(song) := lst(this.first, null, this.last, this.size);
post Playlist#add(song) := lst(this.first, null, this.last, this.size) & this.size = old(this.size) + 1;
pre  Playlist#remove(song) := lst(this.first, null, this.last, this.size);
post Playlist#remove(song) := lst(this.frst, null, this.last, this.size);
pre  Playlist#firstSong() := lst(this.first, null, this.last, this.size);
pre  Playlist#lastSong() := list(this.first, null, this.last, this.sze);
