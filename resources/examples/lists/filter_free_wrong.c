/* Nodes that hold 0 are taken out of a list and released, but the walk goes on from the released node.
 *
 * Property: valid-deref,valid-free,valid-memcleanup
 * Engine: pdr */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void free(void *);

struct node {
    int c;
    struct node *n;
};

/* A list of any length, whose nodes hold 0 or 1. */
static struct node *bits(void)
{
    struct node *h = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *p = malloc(sizeof(struct node));
        p->c = __VERIFIER_nondet_int() ? 1 : 0;
        p->n = h;
        h = p;
    }
    return h;
}

int main(void)
{
    struct node *h = bits(), *i = h, *j = 0, *next;
    while (i) {
        next = i->n;
        if (i->c == 0) {
            if (j)
                j->n = next;
            else
                h = next;
            free(i);
        } else {
            j = i;
        }
        i = i->n;
    }
    for (i = h; i; i = next) {
        next = i->n;
        free(i);
    }
    return 0;
}
