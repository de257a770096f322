/* A list gets a second one beside it, node for node, and rungs that lead across: each rung ends in the second list.
 *
 * Engine: pdr */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void reach_error(void);

struct node {
    struct node *n, *rung;
};

static struct node *new_node(struct node *n)
{
    struct node *p = malloc(sizeof(struct node));
    p->n = n;
    p->rung = 0;
    return p;
}

int main(void)
{
    struct node *h = 0, *g = 0, *last = 0, *i, *j;
    while (__VERIFIER_nondet_int())
        h = new_node(h);
    for (i = h; i; i = i->n) {
        struct node *copy = new_node(0);
        i->rung = copy;
        if (last)
            last->n = copy;
        else
            g = copy;
        last = copy;
    }
    i = h;
    while (i && __VERIFIER_nondet_int())
        i = i->n;
    if (!i || !i->rung)
        return 0;
    for (j = g; j != i->rung; j = j->n)
        if (!j)
            reach_error();
    return 0;
}
