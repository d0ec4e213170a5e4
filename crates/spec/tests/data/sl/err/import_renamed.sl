data Node { int key; Node next; char letter; bool flag; }

import shapes.list with Cel = Node;
import shapes.list with Cell = Nod;
import shapes.list with Cell = Node(valeu: key);
import shapes.list with Cell = Node(value: kay);
import shapes.list with Cell = Node(value: next, next: key);
import shapes.list with Cell = Node(next: next, next: next);
import "renamed/coloured.sl" with Coloured = Node(left: next, right: next, red: flag);
import shapes.list with Cell = Node(value: key(true: 1, false: 0));
import shapes.list with Cell = Node(value: key.next);
import shapes.list with Cell = Node, Cell = Node;
import "renamed/coloured.sl" with Coloured = Node(red: key);
import "renamed/coloured.sl" as few with Coloured = Node(left: next);

check few.coloured(x, true);
check few.unknown(x);
check Node.key(x);
