/* A list is turned around: the node that was last is first, the one that was first is last.
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
    struct node *last = new_node(3, 0), *first, *i, *r = 0;
    i = last;
    while (__VERIFIER_nondet_int())
        i = new_node(1, i);
    first = new_node(2, i);
    i = first;
    while (i) {
        struct node *next = i->n;
        i->n = r;
        r = i;
        i = next;
    }
    if (r != last)
        reach_error();
    for (i = r; i->n; i = i->n)
        if (i->c == 2)
            reach_error();
    if (i != first)
        reach_error();
    return 0;
}
