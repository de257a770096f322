/* The copy is shifted by one.
 * predicate: b[k] == a[k]
 * predicate: b[k] == a[k + 1]
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
    int a[101], b[100];
    int i, n = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
    if (n < 1 || n > 100 || k < 0 || k >= n)
        return 0;
    for (i = 0; i < n; i++)
        b[i] = a[i + 1];
    if (b[k] != a[k])
        reach_error();
    return 0;
}
