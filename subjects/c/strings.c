/* Small functions on strings. */
#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Reads a decimal number: -1 if there is none. */
int parse_digits(const char *s) {
    int value = 0;
    if (!isdigit((unsigned char)*s)) {
        return -1;
    }
    while (*s >= '0' && *s <= '9' && value < 1000) {
        value = 10 * value + (*s++ - '0');
    }
    return value;
}

/* Whether a word is a keyword, and which. */
int keyword(const char *word) {
    static const char *const keywords[] = {"if", "do", "for"};
    for (int i = 0; i < 3; i++) {
        if (strcmp(word, keywords[i]) == 0) {
            return i;
        }
    }
    return -1;
}

/* The part behind an equals sign. */
const char *value_of(const char *line) {
    const char *equals = strchr(line, '=');
    if (equals == NULL || equals == line) {
        return NULL;
    }
    return equals + 1;
}

/* Takes blanks off the end. */
size_t trim(char *s) {
    size_t length = strlen(s);
    while (length > 0 && s[length - 1] == ' ') {
        s[--length] = '\0';
    }
    return length;
}

/* A copy in new memory. */
char *copy(const char *s) {
    if (s == NULL) {
        return NULL;
    }
    size_t size = strlen(s) + 1;
    char *result = malloc(size);
    if (result != NULL) {
        memcpy(result, s, size);
    }
    return result;
}
