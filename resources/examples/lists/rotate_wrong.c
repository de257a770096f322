/* The first node of a list goes to its end, unless the list has two nodes.
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
    struct node *h = marked(), *i = h, *first = h;
    if (h->n && h->n->n) {
        while (i->n)
            i = i->n;
        h = h->n;
        first->n = 0;
        i->n = first;
    }
    for (i = h; i->n; i = i->n)
        if (i->c != 1)
            reach_error();
    if (i != first)
        reach_error();
    return 0;
}
