/* A lock is never taken twice: the proof needs a predicate that the program never tests where it matters.
 *
 * The first abstraction knows the lock only. It believes in a second round with the lock still held; refinement
 * finds that this would need `served == seen`, a fact about two variables that no condition in the loop states. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int locked = 0;

void lock(void)
{
    if (locked)
        reach_error(); /* taken twice */
    locked = 1;
}

void unlock(void)
{
    if (!locked)
        reach_error(); /* released twice */
    locked = 0;
}

int main(void)
{
    int served = 0, seen;
    do {
        lock();
        seen = served;
        if (__VERIFIER_nondet_int()) { /* a request is waiting */
            unlock();
            served++;
        }
    } while (served != seen);
    unlock();
    return 0;
}
