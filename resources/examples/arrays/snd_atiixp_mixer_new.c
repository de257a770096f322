/* Elements are skipped or reset (after `snd_atiixp_mixer_new` of Linux): the property has a condition of its own.
 *
 * Engine: acsar */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1)
        return 0;
    int skip[n], p[n], ac97[n];
    int count = 0;
    for (int i = 0; i < n; i++) {
        if (skip[i])
            continue;
        if (p[i] < 0) {
            ac97[i] = 0;
            continue;
        }
        count++;
    }
    int k = __VERIFIER_nondet_int();
    if (0 <= k && k < n && !skip[k] && p[k] < 0 && ac97[k] != 0)
        reach_error();
    return 0;
}
