/* Commands guarded by a state (after `do_xenoprof_op` of Xen): one of twelve copies an array.
 *
 * Engine: acsar */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1)
        return 0;
    int a[n], b[n];
    int op = __VERIFIER_nondet_int(), s = __VERIFIER_nondet_int();
    int op0 = op, s0 = s;
    switch (op) {
    case 0: s = 1; break;
    case 1: if (s != 0) return 0; s = 1; break;
    case 2: if (s != 1) return 0; break;
    case 3: if (s != 1) return 0; s = 2; break;
    case 4:
        if (s == 2)
            for (int i = 0; i < n; i++)
                a[i] = b[i];
        break;
    case 5: if (s != 2) return 0; s = 3; break;
    case 6: if (s != 3) return 0; s = 4; break;
    case 7: if (s != 4) return 0; s = 2; break;
    case 8: s = 0; break;
    case 9: if (s == 5) s = 0; break;
    case 10: if (s < 0) return 0; s = 6; break;
    case 11: s = s == 6 ? 0 : 7; break;
    default: return 0;
    }
    int k = __VERIFIER_nondet_int();
    if (op0 == 4 && s0 == 2 && 0 <= k && k < n && a[k] != b[k])
        reach_error();
    return 0;
}
