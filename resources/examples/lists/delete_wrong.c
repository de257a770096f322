/* The node after the one that holds 2 is taken out of a list.
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
    struct node *h = 0, *two, *i, *j = 0;
    while (__VERIFIER_nondet_int())
        h = new_node(1, h);
    two = new_node(2, h);
    h = two;
    while (__VERIFIER_nondet_int())
        h = new_node(1, h);
    for (i = h; i != two; i = i->n)
        j = i;
    if (j)
        i->n = i->n ? i->n->n : 0;
    else
        h = i->n;
    for (i = h; i; i = i->n)
        if (i->c == 2)
            reach_error();
    return 0;
}
