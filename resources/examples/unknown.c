/* A true property that ends in `unknown`: its invariant, `2 * sum == i * (i - 1)`, is not linear.
 *
 * Refinement learns one fact for each round of the loop and never one for all of them.
 *
 * Engine: transition */
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void)
{
    unsigned int n = __VERIFIER_nondet_uint();
    unsigned int i = 0;
    unsigned long long sum = 0;
    while (i < n) {
        sum += i;
        i++;
    }
    if (2 * sum != (unsigned long long)n * (n - 1ULL) && n > 0)
        reach_error();
    return 0;
}
