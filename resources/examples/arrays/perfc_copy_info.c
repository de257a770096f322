/* A switch over kinds (after `perfc_copy_info` of Xen): only some elements are copied.
 *
 * Engine: acsar */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1)
        return 0;
    int type[n], b[n], c[n];
    int ncpu = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        switch (type[i]) {
        case 1:
        case 2:
            b[i] = 1;
            break;
        case 3:
        case 4:
            b[i] = ncpu;
            break;
        case 5:
        case 6:
            b[i] = c[i];
            break;
        }
    }
    int k = __VERIFIER_nondet_int();
    if (0 <= k && k < n && (type[k] == 5 || type[k] == 6) && b[k] != c[k])
        reach_error();
    return 0;
}
