/* A driver keeps a mode per channel; it starts in reset, and data flows only after configure and start.
 * predicate: mode[c] == 0
 * predicate: mode[c] == 1
 * predicate: mode[c] == 2
 * predicate: mode[w] == 0
 * predicate: mode[w] == 1
 * predicate: mode[w] == 2
 * predicate: c == w
 * predicate: configured == 1
 * predicate: c <= w
 * predicate: c < 4
 * predicate: w < 4
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int mode[4]; /* 0 reset, 1 configured, 2 started */

int main(void)
{
    int c, w = __VERIFIER_nondet_int(), configured = 0, command;
    if (w < 0 || w > 3)
        return 0;
    for (c = 0; c < 4; c++)
        mode[c] = 0;
    while (__VERIFIER_nondet_int()) {
        c = __VERIFIER_nondet_int();
        command = __VERIFIER_nondet_int();
        if (c < 0 || c > 3)
            return 0;
        if (command == 0) {
            mode[c] = 0;
            if (c == w)
                configured = 0;
        } else if (command == 1 && mode[c] == 0) {
            mode[c] = 1;
            if (c == w)
                configured = 1;
        } else if (command == 2 && mode[c] == 1) {
            mode[c] = 2;
        } else if (command == 3 && mode[c] == 2) {
            if (c == w && configured != 1)
                reach_error();
        }
    }
    return 0;
}
