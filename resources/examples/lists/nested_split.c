/* The nodes that hold 0 move out of a list into sublists, each behind the node that it followed.
 *
 * Engine: pdr */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void reach_error(void);

struct node {
    int c;
    struct node *n, *sub;
};

static struct node *new_node(int c, struct node *n)
{
    struct node *p = malloc(sizeof(struct node));
    p->c = c;
    p->n = n;
    p->sub = 0;
    return p;
}

int main(void)
{
    struct node *h = 0, *i, *j;
    while (__VERIFIER_nondet_int())
        h = new_node(__VERIFIER_nondet_int() ? 1 : 0, h);
    h = new_node(1, h);
    for (i = h; i->n;) {
        struct node *next = i->n;
        if (next->c) {
            i = next;
        } else {
            i->n = next->n;
            next->n = 0;
            next->sub = i->sub;
            i->sub = next;
        }
    }
    for (i = h; i; i = i->n) {
        if (!i->c)
            reach_error();
        for (j = i->sub; j; j = j->sub)
            if (j->c)
                reach_error();
    }
    return 0;
}
