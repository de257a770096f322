/* Each node of a list gets a tooth, a node of its own: that none lacks its tooth is shown by no universal invariant.
 *
 * Engine: pdr */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void reach_error(void);

struct node {
    struct node *n, *tooth;
};

static struct node *new_node(struct node *n)
{
    struct node *p = malloc(sizeof(struct node));
    p->n = n;
    p->tooth = 0;
    return p;
}

int main(void)
{
    struct node *h = 0, *i;
    while (__VERIFIER_nondet_int())
        h = new_node(h);
    for (i = h; i; i = i->n)
        i->tooth = new_node(0);
    for (i = h; i; i = i->n)
        if (!i->tooth)
            reach_error();
    return 0;
}
