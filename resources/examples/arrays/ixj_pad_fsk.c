/* Two loops fill a buffer (after `ixj_pad_fsk` of Linux); the second runs 720 times and is not unrolled.
 *
 * Engine: acsar */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int size = __VERIFIER_nondet_int(), pad = __VERIFIER_nondet_int(), start = __VERIFIER_nondet_int();
    if (size < 1 || start < 0 || start >= size)
        return 0;
    int fsk[size];
    int count = start;
    for (int i = 0; i < pad; i++)
        if (count < size - 1)
            fsk[count++] = 0;
    for (int i = 0; i < 720; i++)
        if (count < size - 1)
            fsk[count++] = 0;
    int k = __VERIFIER_nondet_int();
    if (start <= k && k < count && fsk[k] != 0)
        reach_error();
    return 0;
}
