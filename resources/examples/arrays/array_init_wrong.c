/* An array is initialised from its second element on: the first is left out.
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
    int i = 1;
    while (i < n) {
        a[i] = 0;
        i++;
    }
    int k = __VERIFIER_nondet_int();
    if (0 <= k && k < n && a[k] != 0)
        reach_error();
    return 0;
}
