/* A list is built by pushing: every node holds 0 or 1.
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
    for (struct node *p = bits(); p; p = p->n)
        if (p->c != 0 && p->c != 1)
            reach_error();
    return 0;
}
