/* A doubly linked ring around a head, as in many kernels: nodes are put in at both ends and taken out anywhere.
 *
 * Engine: pdr */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void reach_error(void);

struct node {
    struct node *n, *p;
};

static void add(struct node *e, struct node *before, struct node *behind)
{
    behind->p = e;
    e->n = behind;
    e->p = before;
    before->n = e;
}

int main(void)
{
    struct node *h = malloc(sizeof(struct node)), *i;
    h->n = h;
    h->p = h;
    while (__VERIFIER_nondet_int()) {
        struct node *e = malloc(sizeof(struct node));
        if (__VERIFIER_nondet_int())
            add(e, h, h->n);
        else
            add(e, h->p, h);
    }
    i = h->n;
    while (i != h && __VERIFIER_nondet_int())
        i = i->n;
    if (i != h) {
        i->n->p = i->p;
        i->p->n = i->n;
    }
    for (i = h->n; i != h; i = i->n)
        if (i->p->n != i)
            reach_error();
    return 0;
}
