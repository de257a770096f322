/* A character device counts its users per minor number; it is read only while open.
 * predicate: open[m] == 0
 * predicate: open[m] == 1
 * predicate: m == k
 * predicate: open[k] == 0
 * predicate: open[k] == 1
 * predicate: busy == 1
 * predicate: m <= k
 * predicate: m < 4
 * predicate: k < 4
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int open[4];

int main(void)
{
    int k = __VERIFIER_nondet_int(), m, busy = 0;
    if (k < 0 || k > 3)
        return 0;
    for (m = 0; m < 4; m++)
        open[m] = 0;
    while (__VERIFIER_nondet_int()) {
        m = __VERIFIER_nondet_int();
        if (m < 0 || m > 3)
            return 0;
        if (open[m] == 0) {
            open[m] = 1;
            if (m == k)
                busy = 1;
        } else {
            if (m == k && busy != 1)
                reach_error();
            open[m] = 0;
            if (m == k)
                busy = 0;
        }
    }
    return 0;
}
