/* One element more than was written is claimed.
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
    int j = 0;
    for (int i = 0; i < n; i++) {
        if (a[i] == b[i]) {
            c[j] = i;
            j++;
        }
    }
    int k = __VERIFIER_nondet_int();
    if (0 <= k && k <= j && k < n && (c[k] < 0 || c[k] >= n))
        reach_error();
    return 0;
}
