/* A node is put into a doubly linked list: the way back still leads to where one came from.
 *
 * Engine: pdr */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void reach_error(void);

struct node {
    struct node *n, *p;
};

static struct node *new_node(struct node *n, struct node *p)
{
    struct node *e = malloc(sizeof(struct node));
    e->n = n;
    e->p = p;
    if (n)
        n->p = e;
    if (p)
        p->n = e;
    return e;
}

int main(void)
{
    struct node *h = 0, *i;
    while (__VERIFIER_nondet_int())
        h = new_node(h, 0);
    i = h;
    while (i && i->n && __VERIFIER_nondet_int())
        i = i->n;
    if (i)
        new_node(i->n, i);
    for (i = h; i; i = i->n)
        if (i->n && i->n->p != i)
            reach_error();
    return 0;
}
