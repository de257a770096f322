/* A negative element is taken for a positive one.
 *
 * Engine: acsar */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1)
        return 0;
    int a[n], b[n], c[n];
    int p = 0, m = 0;
    for (int i = 0; i < n; i++) {
        if (c[i] >= -1) {
            a[p] = c[i];
            p++;
        } else {
            b[m] = c[i];
            m++;
        }
    }
    int k = __VERIFIER_nondet_int();
    if (0 <= k && k < p && a[k] < 0)
        reach_error();
    if (0 <= k && k < m && b[k] >= 0)
        reach_error();
    return 0;
}
