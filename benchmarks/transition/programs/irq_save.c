/* Interrupt flags are saved per processor before they are masked, and restored from there.
 * predicate: saved[p] == was
 * predicate: saved[c] == was
 * predicate: flags == was
 * predicate: flags == 0
 * predicate: p == c
 * predicate: inside == 1
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int saved[4];

int main(void)
{
    int p, c = __VERIFIER_nondet_int(), flags, was, inside = 0;
    if (c < 0 || c > 3)
        return 0;
    was = __VERIFIER_nondet_int();
    flags = was;
    while (__VERIFIER_nondet_int()) {
        p = __VERIFIER_nondet_int();
        if (p < 0 || p > 3)
            return 0;
        if (p == c && inside == 0) {
            saved[p] = flags;
            flags = 0;
            inside = 1;
        } else if (p == c && inside == 1) {
            flags = saved[p];
            inside = 0;
        } else if (p != c) {
            saved[p] = __VERIFIER_nondet_int();
        }
        if (inside == 0 && flags != was)
            reach_error();
    }
    return 0;
}
