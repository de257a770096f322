/* Of nodes in a ring, each second one leaves it, and the walk goes on from the one that left.
 *
 * Property: valid-deref,valid-free,unreach-call
 * Engine: pdr */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void free(void *);
extern void reach_error(void);

struct node {
    struct node *n;
};

int main(void)
{
    struct node *p = malloc(sizeof(struct node));
    p->n = p;
    while (__VERIFIER_nondet_int()) {
        struct node *e = malloc(sizeof(struct node));
        e->n = p->n;
        p->n = e;
        p = e;
    }
    while (p->n != p) {
        struct node *out;
        p = p->n;
        out = p->n;
        p->n = out->n;
        free(out);
        p = out->n;
    }
    if (p->n != p)
        reach_error();
    free(p);
    return 0;
}
