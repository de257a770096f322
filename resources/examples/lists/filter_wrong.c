/* Nodes that hold 0 are taken out of a list, but not where the last node was taken out too.
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
    struct node *h = bits(), *i = h, *j = 0;
    while (i) {
        if (i->c == 0) {
            if (j)
                j->n = i->n;
            else
                h = i->n;
        }
        j = i;
        i = i->n;
    }
    for (i = h; i; i = i->n)
        if (i->c == 0)
            reach_error();
    return 0;
}
