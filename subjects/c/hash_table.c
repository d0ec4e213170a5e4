/* A hash table with chains. */
#include <stdlib.h>

#ifdef __HEAPWRIGHT__
void hw_assume(int condition);
#else
#define hw_assume(condition) ((void)0)
#endif

#define BUCKETS 4

struct entry {
    unsigned key;
    int value;
    struct entry *next;
};

struct table {
    unsigned size;
    struct entry *buckets[BUCKETS];
};

static unsigned bucket_of(unsigned key) {
    return key % BUCKETS;
}

/* Whether all entries are where their keys belong, and are as many as the table says. */
static int valid(const struct table *table) {
    unsigned count = 0;
    for (unsigned i = 0; i < BUCKETS; i++) {
        for (const struct entry *entry = table->buckets[i]; entry; entry = entry->next) {
            if (bucket_of(entry->key) != i || ++count > table->size) {
                return 0;
            }
        }
    }
    return count == table->size;
}

/* The entry of a key. */
struct entry *find(struct table *table, unsigned key) {
    hw_assume(table != NULL && valid(table));
    struct entry *entry = table->buckets[bucket_of(key)];
    while (entry && entry->key != key) {
        entry = entry->next;
    }
    return entry;
}

/* Sets the value of a key: 1 if the key is new, -1 if there is no memory. */
int put(struct table *table, unsigned key, int value) {
    struct entry *entry = find(table, key);
    if (entry) {
        entry->value = value;
        return 0;
    }
    entry = malloc(sizeof *entry);
    if (!entry) {
        return -1;
    }
    struct entry **bucket = &table->buckets[bucket_of(key)];
    *entry = (struct entry){.key = key, .value = value, .next = *bucket};
    *bucket = entry;
    table->size++;
    return 1;
}

/* Removes a key. */
int removed(struct table *table, unsigned key) {
    hw_assume(table != NULL && valid(table));
    for (struct entry **p = &table->buckets[bucket_of(key)]; *p; p = &(*p)->next) {
        if ((*p)->key == key) {
            struct entry *entry = *p;
            *p = entry->next;
            free(entry);
            table->size--;
            return 1;
        }
    }
    return 0;
}

/* The length of the longest chain. */
int longest(const struct table *table) {
    hw_assume(table != NULL && valid(table));
    int best = 0;
    for (int i = 0; i < BUCKETS; i++) {
        int length = 0;
        for (const struct entry *entry = table->buckets[i]; entry; entry = entry->next) {
            length++;
        }
        if (length > best) {
            best = length;
        }
    }
    return best;
}
