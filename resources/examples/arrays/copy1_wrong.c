/* The last element is not copied.
 *
 * Engine: acsar */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1)
        return 0;
    int a[n], b[n];
    for (int i = 0; i < n - 1; i++)
        b[i] = a[i];
    int k = __VERIFIER_nondet_int();
    if (0 <= k && k < n && a[k] != b[k])
        reach_error();
    return 0;
}
