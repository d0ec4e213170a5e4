data Keyed { int key; }
