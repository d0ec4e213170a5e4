struct point { int x, y; };
struct shape { struct point at; struct point *corners; int tags[2]; };
struct point make(void);
int look(struct shape *s, struct shape t) {
    s->at.x = s->corners[2].y;
    (&t)->at.y = (*s).tags[1];
    return make().x + &s->at == s->corners;
}
