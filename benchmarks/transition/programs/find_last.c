/* The search goes on after a hit, so an earlier element may have the key, too.
 * predicate: a[k] == key
 * predicate: at == k
 * predicate: i == k
 * predicate: at < 0
 * predicate: i <= k
 * predicate: i < n
 * predicate: k < n
 * predicate: 0 <= k
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int a[100], key = __VERIFIER_nondet_int(), at = -1;
    int i, n = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
    if (n < 1 || n > 100 || k < 0 || k >= n)
        return 0;
    for (i = 0; i < n; i++)
        if (a[i] == key)
            at = i;
    if (at >= 0 && k < at && a[k] == key)
        reach_error();
    return 0;
}
