/* The search begins one element too late.
 *
 * Engine: acsar */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1)
        return 0;
    int tid[n];
    int d = __VERIFIER_nondet_int();
    int i, found = 0;
    for (i = 1; i < n; i++) {
        if (tid[i] == d) {
            found = 1;
            break;
        }
    }
    int k = __VERIFIER_nondet_int();
    if (0 <= k && k < i && tid[k] == d)
        reach_error();
    if (!found && 0 <= k && k < n && tid[k] == d)
        reach_error();
    return 0;
}
