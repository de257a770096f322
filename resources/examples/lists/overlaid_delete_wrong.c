/* The same nodes are in two lists, in different orders; one is taken out of the first, but not of the second.
 *
 * Engine: pdr */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void reach_error(void);

struct node {
    struct node *n, *m;
};

int main(void)
{
    struct node *h = 0, *g = 0, *x = 0, *i;
    while (__VERIFIER_nondet_int()) {
        struct node *p = malloc(sizeof(struct node));
        p->n = h;
        h = p;
        for (i = g; i && i->m && __VERIFIER_nondet_int(); i = i->m)
            ;
        if (i) {
            p->m = i->m;
            i->m = p;
        } else {
            p->m = 0;
            g = p;
        }
        if (__VERIFIER_nondet_int())
            x = p;
    }
    if (!x)
        return 0;
    if (h == x) {
        h = x->n;
    } else {
        for (i = h; i->n != x; i = i->n)
            ;
        i->n = x->n;
    }
    if (g == x) {
        g = x->m;
    } else {
        for (i = g; i->m != x; i = i->m)
            ;
        i->m = x;
    }
    for (i = h; i; i = i->n)
        if (i == x)
            reach_error();
    for (i = g; i; i = i->m)
        if (i == x)
            reach_error();
    return 0;
}
