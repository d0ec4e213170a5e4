/* A red-black tree whose sentinel is inside of the tree. */
#include <assert.h>
#include <stddef.h>

enum colour { RED, BLACK };

struct rb_node {
    struct rb_node *left, *right, *parent;
    enum colour colour;
    int key;
};

struct rb_tree {
    struct rb_node *root;
    struct rb_node nil;
};

void rb_init(struct rb_tree *tree) {
    struct rb_node *nil = &tree->nil;
    nil->left = nil->right = nil->parent = nil;
    nil->colour = BLACK;
    tree->root = nil;
}

/* The node with a key. */
struct rb_node *rb_find(struct rb_tree *tree, int key) {
    struct rb_node *node = tree->root;
    while (node != &tree->nil && node->key != key) {
        node = key < node->key ? node->left : node->right;
    }
    return node == &tree->nil ? NULL : node;
}

static void rotate(struct rb_tree *tree, struct rb_node *x, int left) {
    struct rb_node *y = left ? x->right : x->left;
    struct rb_node *inner = left ? y->left : y->right;
    *(left ? &x->right : &x->left) = inner;
    if (inner != &tree->nil) {
        inner->parent = x;
    }
    y->parent = x->parent;
    if (x->parent == &tree->nil) {
        tree->root = y;
    } else if (x == x->parent->left) {
        x->parent->left = y;
    } else {
        x->parent->right = y;
    }
    *(left ? &y->left : &y->right) = x;
    x->parent = y;
}

/* Adds a node whose key is set. */
int rb_insert(struct rb_tree *tree, struct rb_node *z) {
    struct rb_node *parent = &tree->nil, **place = &tree->root;
    while (*place != &tree->nil) {
        parent = *place;
        if (parent->key == z->key) {
            return 0;
        }
        place = z->key < parent->key ? &parent->left : &parent->right;
    }
    *place = z;
    z->left = z->right = &tree->nil;
    z->parent = parent;
    z->colour = RED;
    while (z->parent->colour == RED) {
        struct rb_node *grand = z->parent->parent;
        int left = z->parent == grand->left;
        struct rb_node *uncle = left ? grand->right : grand->left;
        if (uncle->colour == RED) {
            z->parent->colour = uncle->colour = BLACK;
            grand->colour = RED;
            z = grand;
            continue;
        }
        if (z == (left ? z->parent->right : z->parent->left)) {
            z = z->parent;
            rotate(tree, z, left);
        }
        z->parent->colour = BLACK;
        grand->colour = RED;
        rotate(tree, grand, !left);
    }
    tree->root->colour = BLACK;
    return 1;
}

/* The number of black nodes on each way down, or -1 if that is no red-black tree. */
static int black_height(const struct rb_tree *tree, const struct rb_node *node) {
    if (node == &tree->nil) {
        return 0;
    }
    if (node->colour == RED && (node->left->colour == RED || node->right->colour == RED)) {
        return -1;
    }
    int left = black_height(tree, node->left), right = black_height(tree, node->right);
    return left < 0 || left != right ? -1 : left + (node->colour == BLACK);
}

static int rb_valid(const struct rb_tree *tree) {
    return tree->root->colour == BLACK && black_height(tree, tree->root) >= 0;
}

/* Adds a node, and looks whether the tree is still one. */
int rb_add(struct rb_tree *tree, struct rb_node *z) {
    int added = rb_insert(tree, z);
    assert(rb_valid(tree));
    return added;
}
