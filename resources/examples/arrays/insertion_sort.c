/* One insertion: while the new element moves down, all above it are larger.
 *
 * Engine: acsar */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1)
        return 0;
    int a[n];
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i >= n)
        return 0;
    int j = i;
    while (j > 0 && a[j - 1] > a[j]) {
        int t = a[j - 1];
        a[j - 1] = a[j];
        a[j] = t;
        j--;
    }
    int k = __VERIFIER_nondet_int();
    if (j <= k && k <= i && a[j] > a[k])
        reach_error();
    return 0;
}
