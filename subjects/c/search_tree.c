/* A binary search tree. */
#include <stdlib.h>

typedef struct tree {
    int key;
    struct tree *left, *right;
} tree;

/* Whether a key is in the tree. */
int contains(const tree *t, int key) {
    while (t != NULL) {
        if (key == t->key) {
            return 1;
        }
        t = key < t->key ? t->left : t->right;
    }
    return 0;
}

/* Adds a key. */
int add(tree **root, int key) {
    while (*root != NULL) {
        if (key == (*root)->key) {
            return 0;
        }
        root = key < (*root)->key ? &(*root)->left : &(*root)->right;
    }
    *root = calloc(1, sizeof **root);
    if (*root == NULL) {
        return -1;
    }
    (*root)->key = key;
    return 1;
}

/* Takes the smallest node out of a tree that is not empty. */
static tree *take_least(tree **root) {
    while ((*root)->left != NULL) {
        root = &(*root)->left;
    }
    tree *least = *root;
    *root = least->right;
    return least;
}

/* Removes a key, and returns the new root. */
tree *remove_key(tree *t, int key) {
    if (t == NULL) {
        return NULL;
    }
    if (key < t->key) {
        t->left = remove_key(t->left, key);
        return t;
    }
    if (key > t->key) {
        t->right = remove_key(t->right, key);
        return t;
    }
    tree *result;
    if (t->left == NULL) {
        result = t->right;
    } else if (t->right == NULL) {
        result = t->left;
    } else {
        result = take_least(&t->right);
        result->left = t->left;
        result->right = t->right;
    }
    free(t);
    return result;
}

/* The longest way from the root to a leaf. */
int height(const tree *t) {
    if (t == NULL) {
        return 0;
    }
    int left = height(t->left), right = height(t->right);
    return 1 + (left > right ? left : right);
}
