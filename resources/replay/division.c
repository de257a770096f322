/* Division of 64 bits, which the compiler calls where a register has 32. */

#if defined(__i386__)
typedef unsigned long long interplay_wide;
static interplay_wide interplay_divide(interplay_wide n, interplay_wide d, interplay_wide *rest)
{
    interplay_wide quotient = 0, remainder = 0;
    int bit;
    if (!d)
        *rest = 1 / (int)d;
    for (bit = 63; bit >= 0; bit--) {
        int carry = remainder >> 63;
        remainder = remainder << 1 | (n >> bit & 1);
        if (carry || remainder >= d) {
            remainder -= d;
            quotient |= 1ULL << bit;
        }
    }
    *rest = remainder;
    return quotient;
}
#define MAGNITUDE(x) ((x) < 0 ? -(interplay_wide)(x) : (interplay_wide)(x))
WEAK interplay_wide __udivdi3(interplay_wide n, interplay_wide d) { interplay_wide r; return interplay_divide(n, d, &r); }
WEAK interplay_wide __umoddi3(interplay_wide n, interplay_wide d) { interplay_wide r; interplay_divide(n, d, &r); return r; }
WEAK interplay_wide __udivmoddi4(interplay_wide n, interplay_wide d, interplay_wide *r)
{
    interplay_wide rest, quotient = interplay_divide(n, d, &rest);
    if (r)
        *r = rest;
    return quotient;
}
WEAK long long __divdi3(long long n, long long d)
{
    interplay_wide r, q = interplay_divide(MAGNITUDE(n), MAGNITUDE(d), &r);
    return (n < 0) != (d < 0) ? -q : q;
}
WEAK long long __moddi3(long long n, long long d)
{
    interplay_wide r;
    interplay_divide(MAGNITUDE(n), MAGNITUDE(d), &r);
    return n < 0 ? -r : r;
}
WEAK long long __divmoddi4(long long n, long long d, long long *r)
{
    *r = __moddi3(n, d);
    return __divdi3(n, d);
}
#endif
