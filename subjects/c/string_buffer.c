/* Text with its length, in one piece of memory. */
#include <stdlib.h>
#include <string.h>

struct text {
    size_t length, room;
    char data[];
};

/* An empty text. */
struct text *text_new(unsigned char room) {
    struct text *text = malloc(sizeof *text + room + 1);
    if (!text) {
        return NULL;
    }
    text->length = 0;
    text->room = room;
    text->data[0] = '\0';
    return text;
}

/* Adds a character, if there is room. */
int text_put(struct text *text, char c) {
    if (text->length >= text->room) {
        return 0;
    }
    text->data[text->length++] = c;
    text->data[text->length] = '\0';
    return 1;
}

/* Two characters in a new text. */
int text_pair(char a, char b) {
    struct text *text = text_new(2);
    if (!text) {
        return -1;
    }
    text_put(text, a);
    text_put(text, b);
    int same = text->data[0] == text->data[1];
    if (strlen(text->data) < text->length) {
        same = 2;
    }
    free(text);
    return same;
}

/* How often a character occurs. */
size_t text_count(const struct text *text, char c) {
    size_t count = 0;
    for (size_t i = 0; i < text->length; i++) {
        if (text->data[i] == c) {
            count++;
        }
    }
    return count;
}
