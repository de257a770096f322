/* A search that stops at a match (after `i2o_device_parse_lct` of Linux): what was passed does not match.
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
    for (i = 0; i < n; i++) {
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
