/* What gcc tells of floating-point numbers by functions of its own, for a type `number`, as in math.c. */

int __interplay_float_negative__FORMAT(number x);

static int interplay_signbit_N(number x)
{
    return x == x ? __interplay_float_negative__FORMAT(x) : __interplay_conversion();
}

int __builtin_isnan_N(number x)
{
    return x != x;
}

int __builtin_isinf_N(number x)
{
    return x > LARGEST ? 1 : x < -LARGEST ? __interplay_truth() : 0;
}

int __builtin_isinf_sign_N(number x)
{
    return x > LARGEST ? 1 : x < -LARGEST ? -1 : 0;
}

int __builtin_isfinite_N(number x)
{
    return x >= -LARGEST && x <= LARGEST;
}

int __builtin_isnormal_N(number x)
{
    return (x >= SMALLEST && x <= LARGEST) || (x <= -SMALLEST && x >= -LARGEST);
}

int __builtin_signbit_N(number x)
{
    return interplay_signbit_N(x) ? __interplay_truth() : 0;
}

int __builtin_fpclassify_N(int nan, int infinite, int normal, int subnormal, int zero, number x)
{
    if (x != x)
        return nan;
    if (x > LARGEST || x < -LARGEST)
        return infinite;
    if (x == 0)
        return zero;
    return x > -SMALLEST && x < SMALLEST ? subnormal : normal;
}

int __builtin_isgreater_N(number x, number y)
{
    return x > y;
}

int __builtin_isgreaterequal_N(number x, number y)
{
    return x >= y;
}

int __builtin_isless_N(number x, number y)
{
    return x < y;
}

int __builtin_islessequal_N(number x, number y)
{
    return x <= y;
}

int __builtin_islessgreater_N(number x, number y)
{
    return x < y || x > y;
}

int __builtin_isunordered_N(number x, number y)
{
    return x != x || y != y;
}
