/* 3 locks are taken and released as chosen in each round. One choice is made again in between.
 * predicate: held[0] == 1
 * predicate: c0 == 0
 * predicate: held[1] == 1
 * predicate: c1 == 0
 * predicate: held[2] == 1
 * predicate: c2 == 0
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int held[3];

int main(void)
{
    int c0, c1, c2;
    while (__VERIFIER_nondet_int()) {
        c0 = __VERIFIER_nondet_int();
        c1 = __VERIFIER_nondet_int();
        c2 = __VERIFIER_nondet_int();
        if (c0 != 0)
            held[0] = 1;
        if (c1 != 0)
            held[1] = 1;
        if (c2 != 0)
            held[2] = 1;
        c2 = __VERIFIER_nondet_int();
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
    }
    return 0;
}
