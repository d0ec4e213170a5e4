data A extends B { int x; }
data B extends C { int y; }
data C extends A { int z; }
data D extends D { }
