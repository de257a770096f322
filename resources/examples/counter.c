/* Two counters that move together: the loop invariant `up + down == n` is found by refinement, not by unrolling.
 *
 * It has to: the loop runs as often as an unknown number says.
 *
 * Engine: transition */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0)
        return 0;
    int up = 0, down = n;
    while (down > 0) {
        up++;
        down--;
    }
    if (up != n)
        reach_error();
    return 0;
}
