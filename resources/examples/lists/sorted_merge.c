/* Two sorted lists are merged, always the smaller first node next: the result is sorted and has all nodes of both.
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
    struct node *h = ascending(), *g = ascending(), *r = 0, *last = 0, *i, *kept;
    kept = any(__VERIFIER_nondet_int() ? h : g);
    while (h || g) {
        if (!g || (h && h->c <= g->c)) {
            i = h;
            h = h->n;
        } else {
            i = g;
            g = g->n;
        }
        if (last)
            last->n = i;
        else
            r = i;
        last = i;
    }
    for (i = r; i && i->n; i = i->n)
        if (i->c > i->n->c)
            reach_error();
    for (i = r; i != kept; i = i->n)
        if (!i)
            reach_error();
    return 0;
}
