/* The edits of a text, newest first, for undo. */
#include <stdlib.h>
#include <string.h>

struct edit {
    int position;
    int length;
    struct edit *older;
};

struct history {
    struct edit *newest;
    size_t count;
    size_t limit;
};

/* Starts an empty history. */
void history_init(struct history *history, size_t limit) {
    history->newest = NULL;
    history->count = 0;
    history->limit = limit;
}

/* Remembers an edit; forgets the oldest one if there are too many. */
int history_push(struct history *history, int position, int length) {
    struct edit *edit;
    if (length == 0)
        return 0;
    edit = malloc(sizeof *edit);
    if (edit == NULL)
        return -1;
    edit->position = position;
    edit->length = length;
    edit->older = history->newest;
    history->newest = edit;
    history->count++;
    if (history->count > history->limit) {
        struct edit **link = &history->newest;
        while ((*link)->older != NULL)
            link = &(*link)->older;
        free(*link);
        *link = NULL;
        history->count--;
    }
    return 1;
}

/* Takes the newest edit back and says where it was; -1 if there is none. */
int history_undo(struct history *history) {
    struct edit *edit = history->newest;
    int position;
    if (edit == NULL)
        return -1;
    position = edit->position;
    history->newest = edit->older;
    history->count--;
    free(edit);
    return position;
}

/* Joins the newest edit with the one before, if they touch. */
int history_join(struct history *history) {
    struct edit *newest = history->newest;
    struct edit *older;
    if (newest == NULL || newest->older == NULL)
        return 0;
    older = newest->older;
    if (older->position + older->length != newest->position)
        return 0;
    older->length += newest->length;
    history->newest = older;
    history->count--;
    free(newest);
    return 1;
}

/* Forgets everything. */
void history_clear(struct history *history) {
    while (history->newest != NULL) {
        struct edit *edit = history->newest;
        history->newest = edit->older;
        free(edit);
    }
    history->count = 0;
}
