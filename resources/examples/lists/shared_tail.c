/* Two walks through lists with a common tail end in the same node: no universal invariant shows it.
 *
 * Engine: pdr */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void reach_error(void);

struct node {
    int c;
    struct node *n;
};

static struct node *new_node(int c, struct node *n)
{
    struct node *p = malloc(sizeof(struct node));
    p->c = c;
    p->n = n;
    return p;
}

int main(void)
{
    struct node *tail = new_node(0, 0), *h, *g, *p, *q;
    while (__VERIFIER_nondet_int())
        tail = new_node(0, tail);
    h = tail;
    while (__VERIFIER_nondet_int())
        h = new_node(0, h);
    g = tail;
    while (__VERIFIER_nondet_int())
        g = new_node(0, g);
    tail = 0;
    for (p = h; p->n; p = p->n)
        ;
    h = 0;
    for (q = g; q->n; q = q->n)
        ;
    if (p != q)
        reach_error();
    return 0;
}
