// The letters at one place of the words, in their order, each greater than lo, with what may follow
// each of them. A letter at which no word ends is followed by another one.
pred letters(x, lo) :=
    emp & x = null
  | exists c, below, beside. x -> Trie$Node(c, true, below, beside)
        * letters(below, -1) * letters(beside, c) & lo < c
  | exists c, below, beside. x -> Trie$Node(c, false, below, beside)
        * letters(below, -1) * letters(beside, c) & lo < c & below != null;

pre Trie#contains(word) := letters(this.first, -1) & word != null;
pre Trie#size() := letters(this.first, -1);
pre Trie#add(letter) := letters(this.first, -1);
post Trie#add(letter) := letters(this.first, -1);
