/* A ring of any length is built behind its last node; a walk from any node comes back to it and meets ones alone.
 *
 * Engine: pdr */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void reach_error(void);

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
        e->n = h;
        last->n = e;
        last = e;
    }
    while (__VERIFIER_nondet_int())
        h = h->n;
    i = h;
    do {
        if (i->c != 1)
            reach_error();
        i = i->n;
    } while (i != h);
    return 0;
}
