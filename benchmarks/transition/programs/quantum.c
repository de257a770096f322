/* A device stores data in blocks that are allocated when first written; only those are read.
 * predicate: block[q] == 0
 * predicate: block[d] == 0
 * predicate: q == d
 * predicate: written == 1
 * predicate: q <= d
 * predicate: q < 16
 * predicate: d < 16
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int block[16]; /* 0: not allocated */

int main(void)
{
    int q, d = __VERIFIER_nondet_int(), written = 0;
    if (d < 0 || d > 15)
        return 0;
    for (q = 0; q < 16; q++)
        block[q] = 0;
    while (__VERIFIER_nondet_int()) {
        q = __VERIFIER_nondet_int();
        if (q < 0 || q > 15)
            return 0;
        if (__VERIFIER_nondet_int()) {
            if (block[q] == 0)
                block[q] = 1;
            if (q == d)
                written = 1;
        } else if (block[q] != 0) {
            if (q == d && written != 1)
                reach_error();
        } else {
            if (q == d && written == 1)
                reach_error();
        }
    }
    return 0;
}
