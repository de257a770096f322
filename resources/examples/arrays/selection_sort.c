/* Sortedness compares two elements, so the invariant has two indices.
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
    for (int i = 0; i < n - 1; i++) {
        int least = i;
        for (int j = i + 1; j < n; j++)
            if (a[j] < a[least])
                least = j;
        int t = a[i];
        a[i] = a[least];
        a[least] = t;
    }
    int k = __VERIFIER_nondet_int(), l = __VERIFIER_nondet_int();
    if (0 <= k && k < l && l < n && a[k] > a[l])
        reach_error();
    return 0;
}
