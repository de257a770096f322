/* Two elements a round (after `ixj_daa_cid_read` of Linux): the proof needs that i is even.
 *
 * Engine: acsar */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 2 || n > 1000000 || n % 2 != 0)
        return 0;
    int v = __VERIFIER_nondet_int(), w = __VERIFIER_nondet_int();
    int a[n];
    for (int i = 0; i < n; i += 2) {
        a[i] = v;
        a[i + 1] = w;
    }
    int q = __VERIFIER_nondet_int();
    if (0 <= q && q < n / 2 && (a[2 * q] != v || a[2 * q + 1] != w))
        reach_error();
    return 0;
}
