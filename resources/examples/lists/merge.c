/* Two lists are merged, one node of each in turn: all nodes are those of the two.
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
    struct node *h = 0, *g = 0, *r = 0, *t;
    while (__VERIFIER_nondet_int())
        h = new_node(1, h);
    while (__VERIFIER_nondet_int())
        g = new_node(2, g);
    while (h || g) {
        if (h) {
            t = h;
            h = h->n;
        } else {
            t = g;
            g = g->n;
        }
        t->n = r;
        r = t;
    }
    for (t = r; t; t = t->n)
        if (t->c != 1 && t->c != 2)
            reach_error();
    return 0;
}
