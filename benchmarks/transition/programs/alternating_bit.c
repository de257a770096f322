/* A sender, a receiver, and channels that lose: each message is taken once, and none is skipped.
 * predicate: send == 1
 * predicate: want == 1
 * predicate: full == 1
 * predicate: bit == 1
 * predicate: back == 1
 * predicate: ack == 1
 * predicate: data == 1
 * predicate: sent == 1
 */
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

_Bool send, want, full, bit, back, ack, data, sent;

int main(void)
{
    while (1) {
        if (__VERIFIER_nondet_bool()) {
            if (back && ack == send) {
                send = !send;
                data = !data;
            }
            back = 0;
            full = 1;
            bit = send;
            sent = data;
        } else if (full) {
            full = 0;
            if (__VERIFIER_nondet_bool()) {
                if (bit == want) {
                    if (sent != want)
                        reach_error();
                    want = !want;
                }
                back = 1;
                ack = bit;
            }
        }
    }
}
