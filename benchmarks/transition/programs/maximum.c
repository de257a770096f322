/* The largest element is at least as large as any.
 * predicate: a[k] <= m
 * predicate: a[i] <= m
 * predicate: i <= k
 * predicate: i == k
 * predicate: i < n
 * predicate: k < n
 * predicate: 0 <= k
 * predicate: k < 1
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int a[100], m;
    int i, n = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
    if (n < 1 || n > 100 || k < 0 || k >= n)
        return 0;
    m = a[0];
    for (i = 1; i < n; i++)
        if (a[i] > m)
            m = a[i];
    if (a[k] > m)
        reach_error();
    return 0;
}
