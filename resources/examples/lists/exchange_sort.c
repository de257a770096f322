/* Numbers in the wrong order change places, nodes stay: from `end` on no number is below one before it.
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

int main(void)
{
    struct node *h = numbers(), *end = 0, *i;
    while (h != end) {
        for (i = h; i->n != end; i = i->n)
            if (i->c > i->n->c) {
                int c = i->c;
                i->c = i->n->c;
                i->n->c = c;
            }
        end = i;
    }
    for (i = h; i && i->n; i = i->n)
        if (i->c > i->n->c)
            reach_error();
    return 0;
}
