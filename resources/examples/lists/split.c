/* The nodes that hold 0 move to a second list: the first then holds ones, the second zeros.
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
    struct node *h = bits(), *i = h, *j = 0, *g = 0, *k = 0;
    while (i) {
        struct node *next = i->n;
        if (i->c) {
            j = i;
        } else {
            if (j)
                j->n = next;
            else
                h = next;
            i->n = 0;
            if (k)
                k->n = i;
            else
                g = i;
            k = i;
        }
        i = next;
    }
    for (i = h; i; i = i->n)
        if (!i->c)
            reach_error();
    for (i = g; i; i = i->n)
        if (i->c)
            reach_error();
    return 0;
}
