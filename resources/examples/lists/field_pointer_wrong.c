/* Nodes are taken out of a list through a pointer to a pointer, but not the next behind one that was taken out.
 *
 * Engine: pdr */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void reach_error(void);

struct node {
    int c;
    struct node *n;
};

static struct node *h;

static void take_out(struct node **pp, int c)
{
    while (*pp) {
        if ((*pp)->c == c)
            *pp = (*pp)->n;
        if (!*pp)
            break;
        pp = &(*pp)->n;
    }
}

int main(void)
{
    struct node *i;
    while (__VERIFIER_nondet_int()) {
        struct node *e = malloc(sizeof(struct node));
        e->c = __VERIFIER_nondet_int();
        e->n = h;
        h = e;
    }
    take_out(&h, 3);
    for (i = h; i; i = i->n)
        if (i->c == 3)
            reach_error();
    return 0;
}
