/* The nodes that hold 0 move to a second list, then both lists are released: every access is valid, nothing is left.
 *
 * Property: valid-deref,valid-free,valid-memcleanup
 * Engine: pdr */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void free(void *);

struct node {
    int c;
    struct node *n;
};

/* A list of any length, whose nodes hold 0 or 1. */
static struct node *bits(void)
{
    struct node *h = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *p = malloc(sizeof(struct node));
        p->c = __VERIFIER_nondet_int() ? 1 : 0;
        p->n = h;
        h = p;
    }
    return h;
}

static void delete_all(struct node *h)
{
    while (h) {
        struct node *next = h->n;
        free(h);
        h = next;
    }
}

int main(void)
{
    struct node *h = bits(), *g = 0, *i = h, *j = 0;
    while (i) {
        struct node *next = i->n;
        if (i->c == 0) {
            if (j)
                j->n = next;
            else
                h = next;
            i->n = g;
            g = i;
        } else {
            j = i;
        }
        i = next;
    }
    delete_all(h);
    delete_all(g);
    return 0;
}
