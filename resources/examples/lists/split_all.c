/* A list is split by a flag of its nodes: each part has nodes of its kind alone, none is new or lost, and order is kept.
 *
 * `first` is some node that stays, `second` one behind it, `any` one of all.
 *
 * Engine: pdr */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void reach_error(void);

struct node {
    int stays;
    struct node *next;
};

static struct node *push(int stays, struct node *rest)
{
    struct node *p = malloc(sizeof(struct node));
    p->stays = stays;
    p->next = rest;
    return p;
}

int main(void)
{
    struct node *kept = 0, *moved = 0, *last_kept = 0, *last_moved = 0;
    struct node *other = push(1, 0), *first = 0, *second = 0, *any = 0, *i;
    while (__VERIFIER_nondet_int()) {
        kept = push(__VERIFIER_nondet_int() ? 1 : 0, kept);
        if (!second && kept->stays && __VERIFIER_nondet_int())
            second = kept;
        else if (second && !first && kept->stays && __VERIFIER_nondet_int())
            first = kept;
        if (!any && __VERIFIER_nondet_int())
            any = kept;
    }
    if (!first || !any)
        return 0;
    i = kept;
    while (i) {
        struct node *rest = i->next;
        if (i->stays) {
            last_kept = i;
        } else {
            if (last_kept)
                last_kept->next = rest;
            else
                kept = rest;
            i->next = 0;
            if (last_moved)
                last_moved->next = i;
            else
                moved = i;
            last_moved = i;
        }
        i = rest;
    }
    for (i = kept; i; i = i->next)
        if (!i->stays || i == other)
            reach_error();
    for (i = moved; i; i = i->next)
        if (i->stays || i == other)
            reach_error();
    for (i = kept; i != first; i = i->next)
        if (!i)
            reach_error();
    for (; i != second; i = i->next)
        if (!i)
            reach_error();
    for (i = any->stays ? kept : moved; i != any; i = i->next)
        if (!i)
            reach_error();
    return 0;
}
