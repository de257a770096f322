/* A new node is put before the first one that holds 0, but a list that begins with it keeps its head.
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

/* A list of any length, whose nodes hold 0 or 1. */
static struct node *bits(void)
{
    struct node *h = 0;
    while (__VERIFIER_nondet_int())
        h = new_node(__VERIFIER_nondet_int() ? 1 : 0, h);
    return h;
}

int main(void)
{
    struct node *h = bits(), *i = h, *j = 0, *e;
    while (i && i->c) {
        j = i;
        i = i->n;
    }
    e = new_node(7, i);
    if (j)
        j->n = e;
    for (i = h; i != e; i = i->n)
        if (!i || i->c != 1)
            reach_error();
    return 0;
}
