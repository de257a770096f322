/* Linear search: what is found has the key, and nothing before it has.
 * predicate: a[i] == key
 * predicate: a[k] == key
 * predicate: i <= k
 * predicate: i == k
 * predicate: i < n
 * predicate: k < n
 * predicate: 0 <= k
 * predicate: i < 0
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int a[100], key = __VERIFIER_nondet_int();
    int i, n = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
    if (n < 1 || n > 100 || k < 0 || k >= n)
        return 0;
    for (i = 0; i < n; i++)
        if (a[i] == key)
            break;
    if (i < n && a[i] != key)
        reach_error();
    if (k < i && a[k] == key)
        reach_error();
    return 0;
}
