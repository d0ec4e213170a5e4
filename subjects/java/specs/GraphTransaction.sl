// The older states of a task.
pred backups(x) :=
    emp & x = null
  | exists next. x -> NodeState(_, _, _, next) * backups(next);

// A task with its state and any number of older ones, and a task with its state only.
pred changed(task) :=
    exists state, next. task -> TaskNode(state) * state -> NodeState(_, _, _, next) * backups(next);
pred unchanged(task) := exists state. task -> TaskNode(state) * state -> NodeState(_, _, _, null);

// A list of different tasks that have been changed.
pred touched(x) :=
    emp & x = null
  | exists task, next. x -> GraphTransaction$Touched(task, next) * changed(task) * touched(next);

// The same, with one task or two different ones in it.
pred touched_with(x, one) :=
    exists next. x -> GraphTransaction$Touched(one, next) * changed(one) * touched(next)
  | exists task, next. x -> GraphTransaction$Touched(task, next) * changed(task)
        * touched_with(next, one);
pred touched_with_both(x, one, other) :=
    exists next. x -> GraphTransaction$Touched(one, next) * changed(one)
        * touched_with(next, other)
  | exists next. x -> GraphTransaction$Touched(other, next) * changed(other)
        * touched_with(next, one)
  | exists task, next. x -> GraphTransaction$Touched(task, next) * changed(task)
        * touched_with_both(next, one, other);

// A transaction that runs or does not.
pred transaction(x) :=
    x -> GraphTransaction(false, null)
  | exists first. x -> GraphTransaction(true, first) * touched(first);

// A transaction and a task of the graph, which has been changed by it or not.
pred transaction_and_task(x, task) :=
    transaction(x) * unchanged(task)
  | exists first. x -> GraphTransaction(true, first) * touched_with(first, task);

// A transaction and two different tasks of the graph.
pred transaction_and_tasks(x, one, other) :=
    transaction(x) * unchanged(one) * unchanged(other)
  | exists first. x -> GraphTransaction(true, first) * touched_with(first, one)
        * unchanged(other)
  | exists first. x -> GraphTransaction(true, first) * touched_with(first, other)
        * unchanged(one)
  | exists first. x -> GraphTransaction(true, first) * touched_with_both(first, one, other);

pre  GraphTransaction#start() := transaction(this);
post GraphTransaction#start() := this -> GraphTransaction(true, null);
post GraphTransaction#start() throws java.lang.IllegalStateException :=
    exists first. this -> GraphTransaction(true, first) * touched(first);

pre  GraphTransaction#commit() := transaction(this);
post GraphTransaction#commit() := this -> GraphTransaction(false, null);
post GraphTransaction#commit() throws java.lang.IllegalStateException :=
    this -> GraphTransaction(false, null);

pre  GraphTransaction#rollback() := transaction(this);
post GraphTransaction#rollback() := this -> GraphTransaction(false, null);
post GraphTransaction#rollback() throws java.lang.IllegalStateException :=
    this -> GraphTransaction(false, null);

pre  GraphTransaction#touch(node) := transaction_and_task(this, node);
post GraphTransaction#touch(node) := transaction_and_task(this, node);

pre  GraphTransaction#undo(node) := transaction_and_task(this, node);
post GraphTransaction#undo(node) := transaction_and_task(this, node);

pre  GraphTransaction#isTouched(node) := transaction_and_task(this, node);
post GraphTransaction#isTouched(node) :=
    transaction(this) * unchanged(node) & !result
  | exists first. this -> GraphTransaction(true, first) * touched_with(first, node) & result;

pre  GraphTransaction#addDependency(before, after) :=
    transaction_and_tasks(this, before, after)
  | transaction_and_task(this, before) & after = before
  | transaction_and_task(this, before) & after = null
  | transaction(this) & before = null;
post GraphTransaction#addDependency(before, after) := transaction_and_tasks(this, before, after);
