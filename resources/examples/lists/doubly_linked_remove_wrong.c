/* A node is taken out of a doubly linked list, but the way back still leads to it.
 *
 * Engine: pdr */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void reach_error(void);

struct node {
    struct node *n, *p;
};

int main(void)
{
    struct node *h = 0, *i;
    while (__VERIFIER_nondet_int()) {
        struct node *e = malloc(sizeof(struct node));
        e->n = h;
        e->p = 0;
        if (h)
            h->p = e;
        h = e;
    }
    i = h;
    while (i && __VERIFIER_nondet_int())
        i = i->n;
    if (i) {
        if (i->p)
            i->p->n = i->n;
        else
            h = i->n;
    }
    for (i = h; i; i = i->n)
        if (i->n && i->n->p != i)
            reach_error();
    return 0;
}
