/* After one pass of bubble sort the last element is the largest.
 * predicate: a[k] <= a[i]
 * predicate: a[k] <= a[i + 1]
 * predicate: a[i] <= a[i + 1]
 * predicate: a[k] <= a[n - 1]
 * predicate: i <= k
 * predicate: i == k
 * predicate: i < k
 * predicate: i < n - 1
 * predicate: k < n
 * predicate: 0 <= k
 * predicate: i == n - 1
 * predicate: i + 1 == k
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int a[100], t;
    int i, n = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
    if (n < 1 || n > 100 || k < 0 || k >= n)
        return 0;
    for (i = 0; i < n - 1; i++)
        if (a[i] > a[i + 1]) {
            t = a[i];
            a[i] = a[i + 1];
            a[i + 1] = t;
        }
    if (k < n - 1 && a[k] > a[n - 1])
        reach_error();
    return 0;
}
