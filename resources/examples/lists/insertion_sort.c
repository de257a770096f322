/* Nodes move one by one to where they belong in a second list: it is sorted and gets all nodes.
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

/* A list of any numbers. */
static struct node *numbers(void)
{
    struct node *h = 0;
    while (__VERIFIER_nondet_int())
        h = new_node(__VERIFIER_nondet_int(), h);
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
    struct node *h = numbers(), *kept = any(h), *r = 0, *e, *i, *j;
    while (h) {
        e = h;
        h = h->n;
        j = 0;
        for (i = r; i && i->c < e->c; i = i->n)
            j = i;
        e->n = i;
        if (j)
            j->n = e;
        else
            r = e;
    }
    for (i = r; i && i->n; i = i->n)
        if (i->c > i->n->c)
            reach_error();
    for (i = r; i != kept; i = i->n)
        if (!i)
            reach_error();
    return 0;
}
