/* Elements are copied in reverse order.
 * predicate: b[k] == a[n - 1 - k]
 * predicate: i <= n - 1 - k
 * predicate: i == n - 1 - k
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
    for (i = 0; i < n; i++)
        b[n - 1 - i] = a[i];
    if (b[k] != a[n - 1 - k])
        reach_error();
    return 0;
}
