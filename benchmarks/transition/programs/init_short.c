/* The loop that fills the array stops one element early.
 * predicate: a[k] == 7
 * predicate: i <= k
 * predicate: i == k
 * predicate: i < n - 1
 * predicate: k < n
 * predicate: 0 <= k
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int a[100];
    int i, n = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
    if (n < 1 || n > 100 || k < 0 || k >= n)
        return 0;
    for (i = 0; i < n - 1; i++)
        a[i] = 7;
    if (a[k] != 7)
        reach_error();
    return 0;
}
