/* A search tree whose nodes keep their colour in the low bit of the pointer to their parent. */
#include <stdbool.h>
#include <stddef.h>

#ifdef __HEAPWRIGHT__
void hw_assume(int condition);
#else
#define hw_assume(condition) ((void)0)
#endif

struct tagged {
    unsigned long parent_colour;
    struct tagged *left, *right;
    int key;
};

struct tagged_tree {
    struct tagged *root;
};

#define BLACK 1ul
#define parent_of(node) ((struct tagged *)((node)->parent_colour & ~3ul))
#define is_black(node) (((node)->parent_colour & BLACK) != 0)

static void set_parent(struct tagged *node, struct tagged *parent) {
    node->parent_colour = (node->parent_colour & 3) | (unsigned long)parent;
}

static void rotate_left(struct tagged_tree *tree, struct tagged *node) {
    struct tagged *right = node->right, *parent = parent_of(node);
    node->right = right->left;
    if (right->left) set_parent(right->left, node);
    right->left = node;
    set_parent(right, parent);
    if (!parent) tree->root = right;
    else if (node == parent->left) parent->left = right;
    else parent->right = right;
    set_parent(node, right);
}

/* The node with the next larger key. */
struct tagged *next_of(struct tagged *node) {
    hw_assume(node != NULL);
    if (node->right) {
        node = node->right;
        while (node->left) node = node->left;
        return node;
    }
    struct tagged *parent = parent_of(node);
    while (parent && node == parent->right) {
        node = parent;
        parent = parent_of(node);
    }
    return parent;
}

/* Whether a red node has a red parent, which has to be repaired. */
bool is_red_below_red(struct tagged *node) {
    hw_assume(node != NULL);
    struct tagged *parent = parent_of(node);
    return !is_black(node) && parent && !is_black(parent);
}

void lift_right(struct tagged_tree *tree, struct tagged *node) {
    hw_assume(tree != NULL && node != NULL && node->right != NULL);
    hw_assume(node->right != node && node->right->left != node && node->right->left != node->right);
    hw_assume(parent_of(node) != node);
    rotate_left(tree, node);
}
