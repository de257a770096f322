/* Only positive entries of a table are cleared: negative ones stay.
 *
 * Engine: acsar */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1)
        return 0;
    int a[n], before[n];
    for (int i = 0; i < n; i++)
        before[i] = a[i];
    for (int i = 0; i < n; i++)
        if (a[i] > 0)
            a[i] = 0;
    int k = __VERIFIER_nondet_int();
    if (0 <= k && k < n && before[k] != 0 && a[k] != 0)
        reach_error();
    return 0;
}
