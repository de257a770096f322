/* Figure 2 of the paper, 2 times side by side.
 * predicate: x == z
 * predicate: a0[z] == y0
 * predicate: a0[z] == y0 - 1
 * predicate: a1[z] == y1
 * predicate: a1[z] == y1 - 1
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int a0[100], y0 = __VERIFIER_nondet_int(), a1[100], y1 = __VERIFIER_nondet_int();
    int x = __VERIFIER_nondet_int(), z = __VERIFIER_nondet_int();
    if (x < 0 || x >= 100 || z < 0 || z >= 100)
        return 0;
    if (y0 < 0 || y0 > 1000 || y1 < 0 || y1 > 1000)
        return 0;
    a0[x] = y0;
    y0 = y0 + 1;
    a1[x] = y1;
    y1 = y1 + 1;
    if (z == x) {
        if (a0[z] != y0 - 1)
            reach_error();
        if (a1[z] != y1 - 1)
            reach_error();
    }
    return 0;
}
