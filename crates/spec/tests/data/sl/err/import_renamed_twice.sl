data Node { int key; Node next; }
data Other { int key; Other next; }

import shapes.list with Cell = Node;
import shapes.list with Cell = Node(next: next);
import shapes.list with Cell = Other;
import shapes.list;
import "renamed/nested.sl" as inner;
