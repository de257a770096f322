/* A lock is never taken twice: the proof needs predicates that the program never tests where it matters.
 *
 * The first abstraction knows the lock only. It believes in a second round with the lock still held; refinement
 * finds that this would need `served == seen` and `refused == missed`, facts that no condition states where the lock
 * is taken or released.
 *
 * Engine: transition */
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
    int served = 0, refused = 0, seen, missed;
    do {
        lock();
        seen = served;
        missed = refused;
        if (__VERIFIER_nondet_int()) { /* a request is waiting */
            unlock();
            served++;
        } else if (__VERIFIER_nondet_int()) { /* one that nobody can serve */
            unlock();
            refused++;
        }
    } while (served != seen || refused != missed);
    unlock();
    return 0;
}
