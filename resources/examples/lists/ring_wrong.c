/* A list is closed to a ring, but one node too late: a walk from the first node meets the null pointer.
 *
 * Property: valid-deref
 * Engine: pdr */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);

struct node {
    int c;
    struct node *n;
};

int main(void)
{
    struct node *h = malloc(sizeof(struct node)), *last = h, *i;
    h->c = 1;
    h->n = h;
    while (__VERIFIER_nondet_int()) {
        struct node *e = malloc(sizeof(struct node));
        e->c = 1;
        e->n = __VERIFIER_nondet_int() ? h : 0;
        last->n = e;
        last = e;
    }
    i = h->n;
    while (i != h)
        i = i->n;
    return 0;
}
