/* Two locks, one inside the other: each refinement finds a fact about one of them, and three of them suffice.
 *
 * No condition says that a lock is held exactly while `served == seen`, or `done == noted`.
 *
 * Engine: transition */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int outer = 0, inner = 0;
    int served = 0, seen;
    do {
        if (outer)
            reach_error(); /* taken twice */
        outer = 1;
        seen = served;
        if (__VERIFIER_nondet_int()) { /* a request is waiting */
            outer = 0;
            served++;
            int done = 0, noted;
            do {
                if (inner)
                    reach_error(); /* taken twice */
                inner = 1;
                noted = done;
                if (__VERIFIER_nondet_int()) {
                    inner = 0;
                    done++;
                }
            } while (done != noted);
            inner = 0;
        }
    } while (served != seen);
    if (!outer || inner)
        reach_error(); /* released twice, or never */
    return 0;
}
