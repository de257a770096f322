/* Union-find: a find that compresses its path leaves each node below its root.
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

int main(void)
{
    struct node *all = 0, *x, *root, *i;
    while (__VERIFIER_nondet_int()) {
        struct node *p = malloc(sizeof(struct node));
        p->parent = one_of(all);
        p->next = all;
        all = p;
    }
    x = one_of(all);
    if (!x)
        return 0;
    for (root = x; root->parent; root = root->parent)
        ;
    for (i = x; i != root;) {
        struct node *above = i->parent;
        i->parent = root;
        i = above;
    }
    for (i = x; i->parent; i = i->parent)
        ;
    if (i != root)
        reach_error();
    return 0;
}
