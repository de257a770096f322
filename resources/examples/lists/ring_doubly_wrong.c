/* A node is put into a doubly linked ring, but its neighbour behind is asked for when the node before has forgotten it.
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
    struct node *h = malloc(sizeof(struct node)), *i;
    h->n = h;
    h->p = h;
    while (__VERIFIER_nondet_int()) {
        struct node *e = malloc(sizeof(struct node));
        e->p = h;
        e->n = h->n;
        h->n = e;
        h->n->p = e;
    }
    for (i = h->n; i != h; i = i->n)
        if (i->n->p != i)
            reach_error();
    return 0;
}
