/* A state machine with counters: three refinements learn, one after the other, how they belong to the states.
 *
 * A first look at the states alone finds false alarms: `failed` seems reachable without three retries, and with more
 * messages sent than lost.
 *
 * Engine: transition */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum state { idle, sending, waiting, failed };

int main(void)
{
    enum state state = idle;
    int retries = 0, sent = 0, lost = 0;
    while (state != failed) {
        switch (state) {
        case idle:
            retries = 0;
            state = sending;
            break;
        case sending:
            sent++;
            state = waiting;
            break;
        case waiting:
            if (__VERIFIER_nondet_int()) {
                sent = 0;
                lost = 0;
                state = idle; /* acknowledged */
            } else if (retries < 3) {
                retries++;
                lost++;
                state = sending;
            } else {
                lost++;
                state = failed;
            }
            break;
        case failed:
            break;
        }
        if (state == failed && sent != lost)
            reach_error();
    }
    if (retries != 3)
        reach_error();
    return 0;
}
