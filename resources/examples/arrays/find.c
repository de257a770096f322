/* The first match: a flag for each element, and no flag before the place that is returned.
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
    char b[n];
    int spot = n;
    for (int i = 0; i < n; i++) {
        b[i] = a[i] != 0;
        if (spot == n && a[i] != 0)
            spot = i;
    }
    int k = __VERIFIER_nondet_int();
    if (0 <= k && k < spot && b[k] != 0)
        reach_error();
    return 0;
}
