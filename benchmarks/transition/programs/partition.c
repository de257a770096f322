/* Elements that are not negative are collected at the front of another array.
 * predicate: b[k] < 0
 * predicate: a[i] < 0
 * predicate: j <= k
 * predicate: j == k
 * predicate: i < n
 * predicate: 0 <= k
 * predicate: 0 <= j
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int a[100], b[100], j = 0;
    int i, n = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
    if (n < 1 || n > 100 || k < 0 || k >= n)
        return 0;
    for (i = 0; i < n; i++)
        if (a[i] >= 0) {
            b[j] = a[i];
            j++;
        }
    if (k < j && b[k] < 0)
        reach_error();
    return 0;
}
