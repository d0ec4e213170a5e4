pred between(root, low, high) :=
    emp & root = null
  | exists left, right, key. root -> Tree(left, right, key)
        * between(left, low, key) * between(right, key, high) & low < key & key < high;

pre Tree#depth(root, key) := exists low, high. between(root, low, high);
