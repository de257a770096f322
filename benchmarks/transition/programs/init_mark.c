/* An array is filled and one element marked; all others keep the value.
 * predicate: a[k] == 1
 * predicate: k == m
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
    int a[100], m = __VERIFIER_nondet_int();
    int i, n = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
    if (n < 1 || n > 100 || k < 0 || k >= n)
        return 0;
    if (m < 0 || m >= n)
        return 0;
    for (i = 0; i < n; i++)
        a[i] = 1;
    a[m] = 0;
    if (k != m && a[k] != 1)
        reach_error();
    return 0;
}
