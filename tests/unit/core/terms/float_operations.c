/* Reads lines `operation x y z`, numbers as bits of the format in hexadecimal, and writes the bits of the results. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#define RESULT(T, value) do { T r_ = (value); unsigned __int128 b_ = 0; memcpy(&b_, &r_, BYTES(T)); print(b_); } while (0)
#define BYTES(T) (sizeof(T) == 16 ? 10 : sizeof(T))

static void print(unsigned __int128 bits) {
    printf("%llx%016llx\n", (unsigned long long)(bits >> 64), (unsigned long long)bits);
}

static unsigned __int128 scan(void) {
    char text[64];
    unsigned __int128 bits = 0;
    if (scanf("%63s", text) != 1) return 0;
    for (char *p = text; *p; p++) bits = bits << 4 | (unsigned)(*p <= '9' ? *p - '0' : *p - 'a' + 10);
    return bits;
}

/* Not `remainder`: in glibc 2.36, the sign of its zeros is wrong for small divisors of type double. */
#define OPERATIONS(T, S, N)                                              \
    static int of_##N(const char *op, unsigned __int128 *v) {            \
        T x, y, z; int quotient;                                         \
        memcpy(&x, &v[0], BYTES(T)); memcpy(&y, &v[1], BYTES(T)); memcpy(&z, &v[2], BYTES(T)); \
        if (!strcmp(op, "add")) RESULT(T, x + y);                        \
        else if (!strcmp(op, "subtract")) RESULT(T, x - y);              \
        else if (!strcmp(op, "multiply")) RESULT(T, x * y);              \
        else if (!strcmp(op, "divide")) RESULT(T, x / y);                \
        else if (!strcmp(op, "fma")) RESULT(T, fma##S(x, y, z));         \
        else if (!strcmp(op, "sqrt")) RESULT(T, sqrt##S(x));             \
        else if (!strcmp(op, "remainder")) RESULT(T, remquo##S(x, y, &quotient)); \
        else if (!strcmp(op, "round_even")) RESULT(T, rint##S(x));       \
        else if (!strcmp(op, "round_away")) RESULT(T, round##S(x));      \
        else if (!strcmp(op, "round_down")) RESULT(T, floor##S(x));      \
        else if (!strcmp(op, "round_up")) RESULT(T, ceil##S(x));         \
        else if (!strcmp(op, "round_zero")) RESULT(T, trunc##S(x));      \
        else if (!strcmp(op, "convert_float")) RESULT(float, x);         \
        else if (!strcmp(op, "convert_double")) RESULT(double, x);       \
        else if (!strcmp(op, "convert_long_double")) RESULT(long double, x); \
        else if (!strcmp(op, "less")) print(x < y);                      \
        else if (!strcmp(op, "equal")) print(x == y);                    \
        else if (!strcmp(op, "of_int")) RESULT(T, (long long)v[0]);      \
        else if (!strcmp(op, "of_unsigned")) RESULT(T, (unsigned long long)v[0]); \
        else return 0;                                                   \
        return 1;                                                        \
    }

OPERATIONS(float, f, float)
OPERATIONS(double, , double)
OPERATIONS(long double, l, long_double)

int main(void) {
    char format[32], op[32];
    while (scanf("%31s %31s", format, op) == 2) {
        unsigned __int128 v[3];
        for (int i = 0; i < 3; i++) v[i] = scan();
        if (!(format[0] == 'f' ? of_float(op, v) : format[0] == 'd' ? of_double(op, v) : of_long_double(op, v))) return 1;
    }
    return 0;
}
