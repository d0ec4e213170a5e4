// What code can tell Heapwright; see docs/C.md. To compilers it is nothing.
#ifndef HEAPWRIGHT_H
#define HEAPWRIGHT_H

#ifdef __HEAPWRIGHT__
// Keeps out all inputs for which the condition does not hold.
void hw_assume(int condition);
// The number of bytes from a pointer to the end of the memory that it leads into.
unsigned long hw_size(const void *pointer);
#else
#define hw_assume(condition) ((void)0)
#define hw_size(pointer) ((unsigned long)-1)
#endif

#endif
