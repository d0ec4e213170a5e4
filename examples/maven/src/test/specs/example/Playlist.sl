// Which playlists are valid. `heapwright init example.Playlist` proposed it.

// The n tracks from `first` to `last`, both included. `before` is what the first one's `previous`
// holds, `after` what the last one's `next` holds. Without tracks, first = after and last = before.
pred tracks(first, before, last, after, n) :=
    emp & first = after & last = before & n = 0
  | exists next. first -> Playlist$Track(next: next, previous: before)
        * tracks(next, first, last, after, n - 1) & first != after & n > 0;

// A playlist with all that belongs to it.
pred valid(x) :=
    exists first, last, n. x -> Playlist(first: first, last: last, size: n)
        * tracks(first, null, last, null, n);

pre  Playlist#append(seconds) := valid(this);
post Playlist#append(seconds) := valid(this);

pre  Playlist#remove(seconds) := valid(this);
post Playlist#remove(seconds) := valid(this);

pre  Playlist#replayLast() := valid(this);
post Playlist#replayLast() := valid(this);
