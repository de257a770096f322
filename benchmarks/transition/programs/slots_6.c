/* Figure 2 of the paper, 6 times side by side.
 * predicate: x == z
 * predicate: a0[z] == y0
 * predicate: a0[z] == y0 - 1
 * predicate: a1[z] == y1
 * predicate: a1[z] == y1 - 1
 * predicate: a2[z] == y2
 * predicate: a2[z] == y2 - 1
 * predicate: a3[z] == y3
 * predicate: a3[z] == y3 - 1
 * predicate: a4[z] == y4
 * predicate: a4[z] == y4 - 1
 * predicate: a5[z] == y5
 * predicate: a5[z] == y5 - 1
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int a0[100], y0 = __VERIFIER_nondet_int(), a1[100], y1 = __VERIFIER_nondet_int(), a2[100], y2 = __VERIFIER_nondet_int(), a3[100], y3 = __VERIFIER_nondet_int(), a4[100], y4 = __VERIFIER_nondet_int(), a5[100], y5 = __VERIFIER_nondet_int();
    int x = __VERIFIER_nondet_int(), z = __VERIFIER_nondet_int();
    if (x < 0 || x >= 100 || z < 0 || z >= 100)
        return 0;
    if (y0 < 0 || y0 > 1000 || y1 < 0 || y1 > 1000 || y2 < 0 || y2 > 1000 || y3 < 0 || y3 > 1000 || y4 < 0 || y4 > 1000 || y5 < 0 || y5 > 1000)
        return 0;
    a0[x] = y0;
    y0 = y0 + 1;
    a1[x] = y1;
    y1 = y1 + 1;
    a2[x] = y2;
    y2 = y2 + 1;
    a3[x] = y3;
    y3 = y3 + 1;
    a4[x] = y4;
    y4 = y4 + 1;
    a5[x] = y5;
    y5 = y5 + 1;
    if (z == x) {
        if (a0[z] != y0 - 1)
            reach_error();
        if (a1[z] != y1 - 1)
            reach_error();
        if (a2[z] != y2 - 1)
            reach_error();
        if (a3[z] != y3 - 1)
            reach_error();
        if (a4[z] != y4 - 1)
            reach_error();
        if (a5[z] != y5 - 1)
            reach_error();
    }
    return 0;
}
