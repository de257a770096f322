/* A true property that ends in `unknown`: no short formula says which pairs of `a` and `b` the loop reaches.
 *
 * The pairs come back after 192 rounds, and (0, 77) is none of them. Refinement learns facts for each number of rounds
 * and never one for all of them.
 *
 * Engine: transition */
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void)
{
    unsigned int n = __VERIFIER_nondet_uint();
    unsigned int i = 0;
    unsigned char a = 1, b = 1;
    while (i < n) {
        a = 5 * a + b;
        b = b ^ a;
        i++;
    }
    if (a == 0 && b == 77)
        reach_error();
    return 0;
}
