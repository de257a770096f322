/* A loop that runs once too often: refinement excludes three false alarms, then a violation with four inputs is found.
 *
 * Engine: transition */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
extern void reach_error(void);

int main(void)
{
    int capacity = __VERIFIER_nondet_int();
    if (capacity < 2 || capacity > 100)
        abort();
    int used = 0;
    for (int i = 0; i <= capacity; i++) { /* should be i < capacity */
        if (__VERIFIER_nondet_int() > 0)
            used++;
    }
    if (used > capacity)
        reach_error();
    return 0;
}
