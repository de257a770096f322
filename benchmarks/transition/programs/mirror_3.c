/* 3 flags have mirrors that are set along with them.
 * predicate: f[0] == 0
 * predicate: g[0] == 0
 * predicate: f[1] == 0
 * predicate: g[1] == 0
 * predicate: f[2] == 0
 * predicate: g[2] == 0
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int f[3], g[3];

int main(void)
{
    if (__VERIFIER_nondet_int()) {
        f[0] = 0;
        g[0] = 0;
    } else {
        f[0] = 1;
        g[0] = 1;
    }
    if (__VERIFIER_nondet_int()) {
        f[1] = 0;
        g[1] = 0;
    } else {
        f[1] = 1;
        g[1] = 1;
    }
    if (__VERIFIER_nondet_int()) {
        f[2] = 0;
        g[2] = 0;
    } else {
        f[2] = 1;
        g[2] = 1;
    }
    if (f[0] == 0 && g[0] != 0)
        reach_error();
    if (f[1] == 0 && g[1] != 0)
        reach_error();
    if (f[2] == 0 && g[2] != 0)
        reach_error();
    return 0;
}
