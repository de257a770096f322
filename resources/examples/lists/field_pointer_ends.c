/* Two lists grow at their ends, which pointers to the pointers there know, and become one.
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
    struct node *a = 0, *b = 0, *i, **end_a = &a, **end_b = &b;
    while (__VERIFIER_nondet_int()) {
        struct node *e = malloc(sizeof(struct node));
        e->n = 0;
        if (__VERIFIER_nondet_int()) {
            e->c = 1;
            *end_a = e;
            end_a = &e->n;
        } else {
            e->c = 2;
            *end_b = e;
            end_b = &e->n;
        }
    }
    for (i = a; i; i = i->n)
        if (i->c != 1)
            reach_error();
    *end_a = b;
    for (i = a; i; i = i->n)
        if (i->c != 1 && i->c != 2)
            reach_error();
    return 0;
}
