/* All nodes of a list are released: no access and no release is invalid, and nothing is left.
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
    struct node *h = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *p = malloc(sizeof(struct node));
        p->c = 0;
        p->n = h;
        h = p;
    }
    delete_all(h);
    return 0;
}
