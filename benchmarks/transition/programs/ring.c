/* A ring buffer of four: an element is read as it was written unless overwritten since.
 * predicate: buf[s] == v
 * predicate: w == s
 * predicate: full == 1
 * predicate: w < 3
 * predicate: w < 0
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int buf[4], w = 0, s = __VERIFIER_nondet_int(), v = __VERIFIER_nondet_int(), full = 0;
    if (s < 0 || s >= 4)
        return 0;
    while (__VERIFIER_nondet_int()) {
        if (w == s) {
            buf[w] = v;
            full = 1;
        } else {
            buf[w] = __VERIFIER_nondet_int();
        }
        if (w < 3)
            w = w + 1;
        else
            w = 0;
    }
    if (full == 1 && buf[s] != v)
        reach_error();
    return 0;
}
