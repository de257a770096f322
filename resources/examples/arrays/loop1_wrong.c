/* Each element gets its index as its value, but for the fourth.
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
    for (int i = 0; i < n; i++)
        a[i] = i + (i == 3);
    int k = __VERIFIER_nondet_int();
    if (0 <= k && k < n && a[k] != k)
        reach_error();
    return 0;
}
