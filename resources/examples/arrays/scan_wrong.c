/* The element where the search stops is zero itself.
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
    int i = 0;
    while (i < n && a[i] != 0)
        i++;
    int k = __VERIFIER_nondet_int();
    if (0 <= k && k <= i && k < n && a[k] == 0)
        reach_error();
    return 0;
}
