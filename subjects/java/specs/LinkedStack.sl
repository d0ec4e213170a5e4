// A list of n nodes that ends with null.
pred stack(x, n) :=
    emp & x = null & n = 0
  | exists next. x -> LinkedStack$Node(_, next) * stack(next, n - 1) & n > 0;

pre  LinkedStack#isEmpty() := stack(this.topOfStack, n);
post LinkedStack#isEmpty() := stack(this.topOfStack, n) & result = (n = 0);

pre  LinkedStack#isFull() := stack(this.topOfStack, n);
post LinkedStack#isFull() := stack(this.topOfStack, n) & !result;

pre  LinkedStack#makeEmpty() := stack(this.topOfStack, n);
post LinkedStack#makeEmpty() := this.topOfStack = null;

pre  LinkedStack#push(element) := stack(this.topOfStack, n);
post LinkedStack#push(element) := exists top. this -> LinkedStack(top)
    * top -> LinkedStack$Node(element, old(this.topOfStack)) * stack(old(this.topOfStack), n);

pre  LinkedStack#pop() := stack(this.topOfStack, n);
post LinkedStack#pop() :=
    stack(this.topOfStack, n) & this.topOfStack = old(this.topOfStack.next);
post LinkedStack#pop() throws subjects.stack.LinkedStack$Underflow :=
    stack(this.topOfStack, n) & n = 0;

pre  LinkedStack#top() := stack(this.topOfStack, n);
post LinkedStack#top() :=
    this.topOfStack = null & result = null
  | exists top, next. this -> LinkedStack(top) * top -> LinkedStack$Node(result, next)
        * stack(next, n);

pre  LinkedStack#topAndPop() := stack(this.topOfStack, n);
post LinkedStack#topAndPop() := stack(this.topOfStack, n);

pre  LinkedStack#depth() := stack(this.topOfStack, n);
post LinkedStack#depth() := stack(this.topOfStack, result);

pre  LinkedStack#search(element) := stack(this.topOfStack, n);
post LinkedStack#search(element) :=
    stack(this.topOfStack, n) & (result = -1 | 1 <= result & result <= n);
