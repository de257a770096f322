/* Union-find: the union of two classes leaves both members below one root.
 *
 * Engine: pdr */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void reach_error(void);

struct node {
    struct node *parent, *next;
};

static struct node *one_of(struct node *i)
{
    while (i && __VERIFIER_nondet_int())
        i = i->next;
    return i;
}

static struct node *find(struct node *x)
{
    struct node *root = x, *i = x;
    while (root->parent)
        root = root->parent;
    while (i != root) {
        struct node *above = i->parent;
        i->parent = root;
        i = above;
    }
    return root;
}

int main(void)
{
    struct node *all = 0, *x, *y, *low, *high, *i;
    while (__VERIFIER_nondet_int()) {
        struct node *p = malloc(sizeof(struct node));
        p->parent = one_of(all);
        p->next = all;
        all = p;
    }
    x = one_of(all);
    y = one_of(all);
    if (!x || !y)
        return 0;
    low = find(x);
    high = find(y);
    if (low != high)
        low->parent = high;
    for (i = x; i->parent; i = i->parent)
        ;
    if (i != high)
        reach_error();
    for (i = y; i->parent; i = i->parent)
        ;
    if (i != high)
        reach_error();
    return 0;
}
