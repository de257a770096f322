/* A node is put into a sorted list, behind all smaller numbers: it stays sorted, and keeps its nodes.
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

/* A sorted list of any numbers: each goes in front if it is at most the first. */
static struct node *ascending(void)
{
    struct node *h = 0;
    while (__VERIFIER_nondet_int()) {
        int c = __VERIFIER_nondet_int();
        if (!h || c <= h->c)
            h = new_node(c, h);
    }
    return h;
}

/* Any node of a list, or null. */
static struct node *any(struct node *p)
{
    while (p && __VERIFIER_nondet_int())
        p = p->n;
    return p;
}

int main(void)
{
    struct node *h = ascending(), *kept = any(h), *i = h, *j = 0, *e = new_node(__VERIFIER_nondet_int(), 0);
    while (i && i->c < e->c) {
        j = i;
        i = i->n;
    }
    e->n = i;
    if (j)
        j->n = e;
    else
        h = e;
    kept = __VERIFIER_nondet_int() ? e : kept;
    for (i = h; i && i->n; i = i->n)
        if (i->c > i->n->c)
            reach_error();
    for (i = h; i != kept; i = i->n)
        if (!i)
            reach_error();
    return 0;
}
