/* The absolute value of an int can be negative: there is one input for it, and the trace shows which. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int absolute(int x)
{
    return x < 0 ? -x : x;
}

int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (absolute(x) < 0)
        reach_error();
    return 0;
}
