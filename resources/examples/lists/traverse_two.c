/* Two lists share a tail whose first node keeps its name: walks through both come to this node.
 *
 * Engine: pdr */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void reach_error(void);

struct node {
    struct node *n;
};

/* The list `tail` behind any number of new nodes. */
static struct node *longer(struct node *tail)
{
    while (__VERIFIER_nondet_int()) {
        struct node *p = malloc(sizeof(struct node));
        p->n = tail;
        tail = p;
    }
    return tail;
}

int main(void)
{
    struct node *shared = malloc(sizeof(struct node)), *h, *g, *i, *j;
    shared->n = 0;
    shared = longer(shared);
    h = longer(shared);
    g = longer(shared);
    for (i = h; i != shared; i = i->n)
        if (!i)
            reach_error();
    for (j = g; j != i; j = j->n)
        if (!j)
            reach_error();
    return 0;
}
