/* A walk ends in the last node: it belongs to the list, and nothing follows it.
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

/* A list of any length: its first node holds 2, all others 1. */
static struct node *marked(void)
{
    struct node *h = 0;
    while (__VERIFIER_nondet_int())
        h = new_node(1, h);
    return new_node(2, h);
}

int main(void)
{
    struct node *h = marked(), *last = h, *p;
    while (last->n)
        last = last->n;
    for (p = h; p != last; p = p->n)
        if (!p->n)
            reach_error();
    if (p->n)
        reach_error();
    return 0;
}
