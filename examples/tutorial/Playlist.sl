data Playlist { Playlist$Node first; Playlist$Node last; int size; }
data Playlist$Node { int song; Playlist$Node prev; Playlist$Node next; }

// The n nodes from `first` to `last`. Before the first one comes `before`.
pred nodes(first, before, last, n) :=
    emp & first = null & last = before & n = 0
  | exists next. first -> Playlist$Node(_, before, next) * nodes(next, first, last, n - 1)
        & n > 0;

pre  Playlist#add(song) := nodes(this.first, null, this.last, this.size);
post Playlist#add(song) :=
    nodes(this.first, null, this.last, this.size) & this.size = old(this.size) + 1;

pre  Playlist#remove(song) := nodes(this.first, null, this.last, this.size);
post Playlist#remove(song) :=
    nodes(this.first, null, this.last, this.size)
        & this.size = (result ? old(this.size) - 1 : old(this.size));

pre  Playlist#firstSong() := nodes(this.first, null, this.last, this.size);
post Playlist#firstSong() throws java.util.NoSuchElementException :=
    nodes(this.first, null, this.last, this.size) & this.size = 0;

pre  Playlist#lastSong() := nodes(this.first, null, this.last, this.size);
post Playlist#lastSong() throws java.util.NoSuchElementException :=
    nodes(this.first, null, this.last, this.size) & this.size = 0;
