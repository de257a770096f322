/* 10 locks are taken and released as chosen in each round.
 * predicate: held[0] == 1
 * predicate: c0 == 0
 * predicate: held[1] == 1
 * predicate: c1 == 0
 * predicate: held[2] == 1
 * predicate: c2 == 0
 * predicate: held[3] == 1
 * predicate: c3 == 0
 * predicate: held[4] == 1
 * predicate: c4 == 0
 * predicate: held[5] == 1
 * predicate: c5 == 0
 * predicate: held[6] == 1
 * predicate: c6 == 0
 * predicate: held[7] == 1
 * predicate: c7 == 0
 * predicate: held[8] == 1
 * predicate: c8 == 0
 * predicate: held[9] == 1
 * predicate: c9 == 0
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int held[10];

int main(void)
{
    int c0, c1, c2, c3, c4, c5, c6, c7, c8, c9;
    while (__VERIFIER_nondet_int()) {
        c0 = __VERIFIER_nondet_int();
        c1 = __VERIFIER_nondet_int();
        c2 = __VERIFIER_nondet_int();
        c3 = __VERIFIER_nondet_int();
        c4 = __VERIFIER_nondet_int();
        c5 = __VERIFIER_nondet_int();
        c6 = __VERIFIER_nondet_int();
        c7 = __VERIFIER_nondet_int();
        c8 = __VERIFIER_nondet_int();
        c9 = __VERIFIER_nondet_int();
        if (c0 != 0)
            held[0] = 1;
        if (c1 != 0)
            held[1] = 1;
        if (c2 != 0)
            held[2] = 1;
        if (c3 != 0)
            held[3] = 1;
        if (c4 != 0)
            held[4] = 1;
        if (c5 != 0)
            held[5] = 1;
        if (c6 != 0)
            held[6] = 1;
        if (c7 != 0)
            held[7] = 1;
        if (c8 != 0)
            held[8] = 1;
        if (c9 != 0)
            held[9] = 1;
        if (c0 != 0) {
            if (held[0] != 1)
                reach_error();
            held[0] = 0;
        }
        if (c1 != 0) {
            if (held[1] != 1)
                reach_error();
            held[1] = 0;
        }
        if (c2 != 0) {
            if (held[2] != 1)
                reach_error();
            held[2] = 0;
        }
        if (c3 != 0) {
            if (held[3] != 1)
                reach_error();
            held[3] = 0;
        }
        if (c4 != 0) {
            if (held[4] != 1)
                reach_error();
            held[4] = 0;
        }
        if (c5 != 0) {
            if (held[5] != 1)
                reach_error();
            held[5] = 0;
        }
        if (c6 != 0) {
            if (held[6] != 1)
                reach_error();
            held[6] = 0;
        }
        if (c7 != 0) {
            if (held[7] != 1)
                reach_error();
            held[7] = 0;
        }
        if (c8 != 0) {
            if (held[8] != 1)
                reach_error();
            held[8] = 0;
        }
        if (c9 != 0) {
            if (held[9] != 1)
                reach_error();
            held[9] = 0;
        }
    }
    return 0;
}
