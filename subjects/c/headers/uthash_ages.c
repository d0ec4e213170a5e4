/* A table of uthash.h: ages by number. */
#include <stdlib.h>

/* Numbers are their own hashes. */
#define HASH_FUNCTION(key, length, hash) ((hash) = *(const unsigned *)(key))
#include <uthash.h>

struct person {
    int number;
    int age;
    UT_hash_handle hh;
};

static struct person *find(struct person *people, int number) {
    struct person *found;
    HASH_FIND_INT(people, &number, found);
    return found;
}

static struct person *added(struct person *people, int number, int age) {
    struct person *person = malloc(sizeof *person);
    if (person == NULL) {
        return people;
    }
    person->number = number;
    person->age = age;
    HASH_ADD_INT(people, number, person);
    return people;
}

static void clear(struct person *people) {
    struct person *person, *next;
    HASH_ITER(hh, people, person, next) {
        HASH_DEL(people, person);
        free(person);
    }
}

/* How many of three numbers differ, by a table. */
int distinct(int a, int b, int c) {
    int numbers[] = {a, b, c}, count = 0;
    struct person *people = NULL;
    for (int i = 0; i < 3; i++) {
        struct person *known = find(people, numbers[i]);
        if (known != NULL) {
            known->age++;
        } else {
            people = added(people, numbers[i], 0);
            count++;
        }
    }
    clear(people);
    return count;
}

/* The age of one of three people, or -1. */
int age_of(int number) {
    struct person *people = NULL;
    for (int i = 1; i <= 3; i++) {
        people = added(people, 32 * i, 10 * i);
    }
    struct person *person = find(people, number);
    int age = person != NULL ? person->age : -1;
    clear(people);
    return age;
}
