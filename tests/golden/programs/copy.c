extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1)
        return 0;
    int from[n], to[n];
    for (int i = 0; i < n; i++)
        to[i] = from[i] < 0 ? 0 : from[i];
    for (int i = 0; i < n; i++)
        if (to[i] < 0 || to[i] < from[i])
            reach_error();
    return 0;
}
