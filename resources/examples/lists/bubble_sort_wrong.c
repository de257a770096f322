/* Neighbours in the wrong order change places, but only once through the list: three nodes may need two rounds.
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
    struct node *h = numbers(), *kept = any(h), *i, *j, *k;
    int changed = 1;
    while (changed) {
        changed = 0;
        j = 0;
        i = h;
        while (i && i->n) {
            k = i->n;
            if (i->c > k->c) {
                i->n = k->n;
                k->n = i;
                if (j)
                    j->n = k;
                else
                    h = k;
                j = k;
            } else {
                j = i;
                i = k;
            }
        }
    }
    for (i = h; i && i->n; i = i->n)
        if (i->c > i->n->c)
            reach_error();
    for (i = h; i != kept; i = i->n)
        if (!i)
            reach_error();
    return 0;
}
