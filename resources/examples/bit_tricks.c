/* Tricks with bits: no sum or remainder expresses them, so solvers read this program as bit-vectors. */
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint();
    unsigned rest = x, bits = 0;
    while (rest) {
        rest &= rest - 1; /* the lowest bit is cleared */
        bits++;
    }
    if ((x & (x - 1)) == 0 && bits > 1)
        reach_error();
    return 0;
}
