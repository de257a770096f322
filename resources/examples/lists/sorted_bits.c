/* A node is put into a list that has its zeros before its ones: it stays like that.
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
    int v = __VERIFIER_nondet_int() ? 1 : 0;
    struct node *h = 0, *i, *j = 0, *e;
    while (__VERIFIER_nondet_int())
        h = new_node(1, h);
    while (__VERIFIER_nondet_int())
        h = new_node(0, h);
    e = new_node(v, 0);
    for (i = h; i && v == 1 && i->c == 0; i = i->n)
        j = i;
    e->n = i;
    if (j)
        j->n = e;
    else
        h = e;
    for (i = h; i; i = i->n)
        if (i->c == 1 && i->n && i->n->c == 0)
            reach_error();
    return 0;
}
