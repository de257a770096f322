/* The first two nodes of a list change places.
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
    struct node *h = marked(), *second = h->n, *p;
    if (!second)
        return 0;
    h->n = second->n;
    second->n = h;
    h = second;
    if (h->n->c != 2)
        reach_error();
    for (p = h; p; p = p->n)
        if (p->c == 2 && p != h->n)
            reach_error();
    return 0;
}
