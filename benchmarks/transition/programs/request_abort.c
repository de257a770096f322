/* An aborted request is emptied but stays queued.
 * predicate: state[s] == 0
 * predicate: state[s] == 1
 * predicate: state[s] == 2
 * predicate: s == k
 * predicate: state[k] == 0
 * predicate: state[k] == 1
 * predicate: state[k] == 2
 * predicate: filled == 1
 * predicate: s <= k
 * predicate: s < 8
 * predicate: k < 8
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int state[8]; /* 0 free, 1 queued, 2 active */

int main(void)
{
    int k = __VERIFIER_nondet_int(), s, filled = 0;
    if (k < 0 || k > 7)
        return 0;
    for (s = 0; s < 8; s++)
        state[s] = 0;
    while (1) {
        s = __VERIFIER_nondet_int();
        if (s < 0 || s > 7)
            return 0;
        if (state[s] == 0) {
            state[s] = 1;
            if (s == k)
                filled = 1;
        } else if (state[s] == 1) {
            state[s] = 2;
            if (s == k && filled != 1)
                reach_error();
        } else if (state[s] == 2) {
            state[s] = 0;
            if (s == k)
                filled = 0;
        } else {
            if (s == k)
                reach_error();
        }
        if (__VERIFIER_nondet_int() && state[s] == 1 && s == k)
            filled = 0;
    }
}
