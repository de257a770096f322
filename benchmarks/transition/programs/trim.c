/* Trimming a device frees all its blocks but the first.
 * predicate: block[d] == 0
 * predicate: i <= d
 * predicate: i == d
 * predicate: i < 16
 * predicate: 0 <= d
 * predicate: q == d
 * predicate: written == 1
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int block[16];

int main(void)
{
    int i, q, d = __VERIFIER_nondet_int(), written = 0;
    if (d < 0 || d > 15)
        return 0;
    q = __VERIFIER_nondet_int();
    if (q < 0 || q > 15)
        return 0;
    block[q] = 1;
    if (q == d)
        written = 1;
    for (i = 1; i < 16; i++)
        block[i] = 0;
    if (written == 1 && block[d] != 0)
        reach_error();
    return 0;
}
