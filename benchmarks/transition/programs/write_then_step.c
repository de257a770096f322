/* Figure 2 of the paper: a value is written, then the variable that held it is stepped.
 * predicate: x == z
 * predicate: a[z] == y
 * predicate: a[z] == y - 1
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int a[100], x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), z = __VERIFIER_nondet_int();
    if (x < 0 || x >= 100 || z < 0 || z >= 100 || y < 0 || y > 1000)
        return 0;
    a[x] = y;
    y = y + 1;
    if (z == x)
        if (a[z] != y - 1)
            reach_error();
    return 0;
}
