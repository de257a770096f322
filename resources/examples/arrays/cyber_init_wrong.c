/* One of four elements is written twice, another never.
 *
 * Engine: acsar */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000000)
        return 0;
    int v = __VERIFIER_nondet_int(), w = __VERIFIER_nondet_int();
    int a[4 * n];
    for (int i = 0; i < n; i++) {
        a[4 * i] = v;
        a[4 * i + 1] = w;
        a[4 * i + 2] = v;
        a[4 * i + 2] = 0;
    }
    int q = __VERIFIER_nondet_int();
    if (0 <= q && q < n && (a[4 * q] != v || a[4 * q + 1] != w || a[4 * q + 2] != v || a[4 * q + 3] != 0))
        reach_error();
    return 0;
}
