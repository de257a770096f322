/* A list of lists: each inner list is moved behind the node that holds it, so that no node holds one any more.
 *
 * Engine: pdr */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void reach_error(void);

struct node {
    struct node *next, *inner;
};

static struct node *push(struct node *rest, struct node *inner)
{
    struct node *p = malloc(sizeof(struct node));
    p->next = rest;
    p->inner = inner;
    return p;
}

int main(void)
{
    struct node *list = 0, *i, *rest;
    while (__VERIFIER_nondet_int()) {
        struct node *inner = 0;
        while (__VERIFIER_nondet_int())
            inner = push(inner, 0);
        list = push(list, inner);
    }
    for (i = list; i; i = rest) {
        rest = i->next;
        if (i->inner) {
            struct node *last = i->inner;
            while (last->next)
                last = last->next;
            last->next = rest;
            i->next = i->inner;
            i->inner = 0;
        }
    }
    for (i = list; i; i = i->next)
        if (i->inner)
            reach_error();
    return 0;
}
