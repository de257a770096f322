/* An element's value as a linear function of its index.
 *
 * Engine: acsar */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1)
        return 0;
    if (n > 1000000)
        return 0;
    int a[n];
    for (int i = 0; i < n; i++)
        a[i] = 2 * i + 3;
    int k = __VERIFIER_nondet_int();
    if (0 <= k && k < n && a[k] != 2 * k + 3)
        reach_error();
    return 0;
}
