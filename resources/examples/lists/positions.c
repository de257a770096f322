/* Each node holds its position in the list, which grows at its end.
 *
 * Engine: pdr */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void reach_error(void);

struct node {
    int c;
    struct node *n;
};

int main(void)
{
    struct node *h = malloc(sizeof(struct node)), *last = h, *i;
    int k = 1;
    h->c = 0;
    h->n = 0;
    while (k < 1000000 && __VERIFIER_nondet_int()) {
        struct node *e = malloc(sizeof(struct node));
        e->c = k;
        e->n = 0;
        last->n = e;
        last = e;
        k++;
    }
    k = 0;
    for (i = h; i; i = i->n) {
        if (i->c != k)
            reach_error();
        k++;
    }
    return 0;
}
