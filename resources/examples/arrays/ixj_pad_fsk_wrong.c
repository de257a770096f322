/* The first element that was not padded is claimed to be.
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
    if (start <= k && k <= count && fsk[k] != 0)
        reach_error();
    return 0;
}
