/* A doubly linked list is built, but all ways back lead to its head.
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
    struct node *h = malloc(sizeof(struct node)), *i = h;
    h->n = 0;
    h->p = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *e = malloc(sizeof(struct node));
        e->n = 0;
        e->p = h;
        i->n = e;
        i = e;
    }
    for (i = h; i; i = i->n)
        if (i->n && i->n->p != i)
            reach_error();
    return 0;
}
