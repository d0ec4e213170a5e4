// The predicates of a module for other classes, whose fields have other names.

data Job { int id; Job following; bool done; }
data Task { Task next; }
data Tree { int key; int colour; Tree lower; Tree upper; }

import shapes.list with Cell = Job(value: id, next: following);
// A class without a value: only what says nothing about values is there. A field that is not named is
// the one of the same name.
import shapes.list as tasks with Cell = Task;
// Only the predicates have other names.
import "renamed/coloured.sl" as plain;
import "renamed/coloured.sl" as trees
    with Coloured = Tree(red: colour(true: 0, false: 1), left: lower, right: upper);

pred both(x, y) := list(x) * tasks.list(y);

check plain.coloured(x, true) * trees.coloured(y, false) & y != null;
