/* Two arrays are filled with different values in one loop.
 * predicate: a[k] == 1
 * predicate: b[k] == 2
 * predicate: i <= k
 * predicate: i == k
 * predicate: i < n
 * predicate: k < n
 * predicate: 0 <= k
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int a[100], b[100];
    int i, n = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
    if (n < 1 || n > 100 || k < 0 || k >= n)
        return 0;
    for (i = 0; i < n; i++) {
        a[i] = 1;
        b[i] = 2;
    }
    if (a[k] == b[k])
        reach_error();
    return 0;
}
