/* Nodes hold 0 and 1 in turns: the number that a node gets is computed from the last one.
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
    struct node *h = 0, *i;
    int b = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *e = malloc(sizeof(struct node));
        e->c = b;
        e->n = h;
        h = e;
        b = 1 - b;
    }
    for (i = h; i && i->n; i = i->n)
        if (i->c == i->n->c)
            reach_error();
    return 0;
}
