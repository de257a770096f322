/* A list of twos is hung behind a list of ones: no one follows a two.
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

static struct node *all(int c)
{
    struct node *h = 0;
    while (__VERIFIER_nondet_int())
        h = new_node(c, h);
    return h;
}

int main(void)
{
    struct node *h = all(1), *g = all(2), *i = h;
    if (h) {
        while (i->n)
            i = i->n;
        i->n = g;
    } else {
        h = g;
    }
    for (i = h; i; i = i->n)
        if (i->c == 2 && i->n && i->n->c == 1)
            reach_error();
    return 0;
}
