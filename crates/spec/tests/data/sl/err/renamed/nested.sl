import shapes.list as a;
