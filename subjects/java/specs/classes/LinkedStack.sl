data subjects.stack.LinkedStack { subjects.stack.LinkedStack$Node topOfStack; }
data subjects.stack.LinkedStack$Node { Object element; subjects.stack.LinkedStack$Node next; }
