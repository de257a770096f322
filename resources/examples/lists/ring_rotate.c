/* A queue in a ring, known by its last node: what is put in and taken out, and rotated, is never 0.
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
    struct node *last = 0;
    while (__VERIFIER_nondet_int()) {
        int what = __VERIFIER_nondet_int();
        if (what == 0) {
            struct node *e = malloc(sizeof(struct node));
            e->c = 1;
            if (last) {
                e->n = last->n;
                last->n = e;
            } else {
                e->n = e;
            }
            last = e;
        } else if (last && what == 1) {
            last = last->n;
        } else if (last) {
            struct node *first = last->n;
            if (first->c == 0)
                reach_error();
            if (first == last)
                last = 0;
            else
                last->n = first->n;
        }
    }
    return 0;
}
