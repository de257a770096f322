/* Sums of bytes are computed as int and stored as bytes: here that loses nothing, and the proof says why. */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

unsigned char average(unsigned char a, unsigned char b)
{
    return (a + b) / 2;
}

int main(void)
{
    unsigned char low = __VERIFIER_nondet_uchar();
    unsigned char high = __VERIFIER_nondet_uchar();
    if (low <= high) {
        unsigned char middle = average(low, high);
        if (middle < low || middle > high)
            reach_error();
    }
    return 0;
}
