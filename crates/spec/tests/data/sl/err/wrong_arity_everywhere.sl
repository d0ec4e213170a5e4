data Playlist { Node first; Node last; int size; }
data Node { int song; Node prev; Node next; }
pred list(first, before, last) :=
    emp & first = null & last = before & n = 0
  | exists next. first -> Node(_, before, next)
        * list(next, first, last, n - 1) & n > 0;
pre  Playlist#add(song) := list(this.first, null, this.last, this.size);
post Playlist#add(song) := list(this.first, null, this.last, this.size) & this.size = old(this.size) + 1;
pre  Playlist#remove(song) := list(this.first, null, this.last, this.size);
post Playlist#remove(song) := list(this.first, null, this.last, this.size);
