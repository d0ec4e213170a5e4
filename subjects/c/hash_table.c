/* A hash table with chains. */
#include <stdlib.h>

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
    return (key ^ key >> 16) % BUCKETS;
}

/* The entry of a key. */
struct entry *find(struct table *table, unsigned key) {
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
