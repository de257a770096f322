/* Nodes of a ring are released, some at any place, then all others: every access is valid.
 *
 * Property: valid-deref,valid-free
 * Engine: pdr */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void free(void *);

struct node {
    struct node *n;
};

int main(void)
{
    struct node *h = malloc(sizeof(struct node)), *i, *next;
    h->n = h;
    while (__VERIFIER_nondet_int()) {
        struct node *e = malloc(sizeof(struct node));
        e->n = h->n;
        h->n = e;
    }
    i = h;
    while (i->n != h) {
        next = i->n;
        if (__VERIFIER_nondet_int()) {
            i->n = next->n;
            free(next);
        } else {
            i = next;
        }
    }
    i = h->n;
    while (i != h) {
        next = i->n;
        free(i);
        i = next;
    }
    free(h);
    return 0;
}
