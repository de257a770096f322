/* An interrupt sets a pending flag per line; the handler acknowledges what is pending only.
 * predicate: pending[l] == 1
 * predicate: acked[l] == 1
 * predicate: pending[c] == 1
 * predicate: acked[c] == 1
 * predicate: l == c
 * predicate: raised == 1
 * predicate: l <= c
 * predicate: l < 4
 * predicate: c < 4
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int pending[4], acked[4];

int main(void)
{
    int l, c = __VERIFIER_nondet_int(), raised = 0;
    if (c < 0 || c > 3)
        return 0;
    for (l = 0; l < 4; l++) {
        pending[l] = 0;
        acked[l] = 0;
    }
    while (__VERIFIER_nondet_int()) {
        l = __VERIFIER_nondet_int();
        if (l < 0 || l > 3)
            return 0;
        if (__VERIFIER_nondet_int()) {
            pending[l] = 1;
            acked[l] = 0;
            if (l == c)
                raised = 1;
        } else if (pending[l] == 1) {
            acked[l] = 1;
            pending[l] = 0;
        }
        if (acked[c] == 1 && raised != 1)
            reach_error();
        if (acked[c] == 1 && pending[c] == 1)
            reach_error();
    }
    return 0;
}
