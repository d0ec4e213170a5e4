data Node { int value; Node next; }
pre Tree#m() := this -> Tree() & this.root = null;
