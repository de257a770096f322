/* 15 flags have mirrors that are set along with them.
 * predicate: f[0] == 0
 * predicate: g[0] == 0
 * predicate: f[1] == 0
 * predicate: g[1] == 0
 * predicate: f[2] == 0
 * predicate: g[2] == 0
 * predicate: f[3] == 0
 * predicate: g[3] == 0
 * predicate: f[4] == 0
 * predicate: g[4] == 0
 * predicate: f[5] == 0
 * predicate: g[5] == 0
 * predicate: f[6] == 0
 * predicate: g[6] == 0
 * predicate: f[7] == 0
 * predicate: g[7] == 0
 * predicate: f[8] == 0
 * predicate: g[8] == 0
 * predicate: f[9] == 0
 * predicate: g[9] == 0
 * predicate: f[10] == 0
 * predicate: g[10] == 0
 * predicate: f[11] == 0
 * predicate: g[11] == 0
 * predicate: f[12] == 0
 * predicate: g[12] == 0
 * predicate: f[13] == 0
 * predicate: g[13] == 0
 * predicate: f[14] == 0
 * predicate: g[14] == 0
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int f[15], g[15];

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
    if (__VERIFIER_nondet_int()) {
        f[3] = 0;
        g[3] = 0;
    } else {
        f[3] = 1;
        g[3] = 1;
    }
    if (__VERIFIER_nondet_int()) {
        f[4] = 0;
        g[4] = 0;
    } else {
        f[4] = 1;
        g[4] = 1;
    }
    if (__VERIFIER_nondet_int()) {
        f[5] = 0;
        g[5] = 0;
    } else {
        f[5] = 1;
        g[5] = 1;
    }
    if (__VERIFIER_nondet_int()) {
        f[6] = 0;
        g[6] = 0;
    } else {
        f[6] = 1;
        g[6] = 1;
    }
    if (__VERIFIER_nondet_int()) {
        f[7] = 0;
        g[7] = 0;
    } else {
        f[7] = 1;
        g[7] = 1;
    }
    if (__VERIFIER_nondet_int()) {
        f[8] = 0;
        g[8] = 0;
    } else {
        f[8] = 1;
        g[8] = 1;
    }
    if (__VERIFIER_nondet_int()) {
        f[9] = 0;
        g[9] = 0;
    } else {
        f[9] = 1;
        g[9] = 1;
    }
    if (__VERIFIER_nondet_int()) {
        f[10] = 0;
        g[10] = 0;
    } else {
        f[10] = 1;
        g[10] = 1;
    }
    if (__VERIFIER_nondet_int()) {
        f[11] = 0;
        g[11] = 0;
    } else {
        f[11] = 1;
        g[11] = 1;
    }
    if (__VERIFIER_nondet_int()) {
        f[12] = 0;
        g[12] = 0;
    } else {
        f[12] = 1;
        g[12] = 1;
    }
    if (__VERIFIER_nondet_int()) {
        f[13] = 0;
        g[13] = 0;
    } else {
        f[13] = 1;
        g[13] = 1;
    }
    if (__VERIFIER_nondet_int()) {
        f[14] = 0;
        g[14] = 0;
    } else {
        f[14] = 1;
        g[14] = 1;
    }
    if (f[0] == 0 && g[0] != 0)
        reach_error();
    if (f[1] == 0 && g[1] != 0)
        reach_error();
    if (f[2] == 0 && g[2] != 0)
        reach_error();
    if (f[3] == 0 && g[3] != 0)
        reach_error();
    if (f[4] == 0 && g[4] != 0)
        reach_error();
    if (f[5] == 0 && g[5] != 0)
        reach_error();
    if (f[6] == 0 && g[6] != 0)
        reach_error();
    if (f[7] == 0 && g[7] != 0)
        reach_error();
    if (f[8] == 0 && g[8] != 0)
        reach_error();
    if (f[9] == 0 && g[9] != 0)
        reach_error();
    if (f[10] == 0 && g[10] != 0)
        reach_error();
    if (f[11] == 0 && g[11] != 0)
        reach_error();
    if (f[12] == 0 && g[12] != 0)
        reach_error();
    if (f[13] == 0 && g[13] != 0)
        reach_error();
    if (f[14] == 0 && g[14] != 0)
        reach_error();
    return 0;
}
