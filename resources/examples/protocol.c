/* A state machine with a counter of retries: refinement learns that the two belong together, state by state.
 *
 * A first look at the states alone finds a false alarm: `failed` seems reachable without three retries. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum state { idle, sending, waiting, failed };

int main(void)
{
    enum state state = idle;
    int retries = 0;
    while (state != failed) {
        switch (state) {
        case idle:
            retries = 0;
            state = sending;
            break;
        case sending:
            state = waiting;
            break;
        case waiting:
            if (__VERIFIER_nondet_int()) {
                state = idle; /* acknowledged */
            } else if (retries < 3) {
                retries++;
                state = sending;
            } else {
                state = failed;
            }
            break;
        case failed:
            break;
        }
    }
    if (retries != 3)
        reach_error();
    return 0;
}
