/* The terminator is forgotten: the copy does not end where the string does.
 *
 * Engine: acsar */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1)
        return 0;
    char s[n], t[n];
    s[n - 1] = 0;
    int i = 0;
    while (s[i] != 0) {
        t[i] = s[i];
        i++;
    }
    int k = __VERIFIER_nondet_int();
    if (0 <= k && k <= i && t[k] != s[k])
        reach_error();
    return 0;
}
