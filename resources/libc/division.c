/* What the functions do that divide and return both results; `result` is the struct of a call. */

result div(int numerator, int denominator)
{
    result both;
    both.quot = numerator / denominator;
    both.rem = numerator % denominator;
    return both;
}

result ldiv(long numerator, long denominator)
{
    result both;
    both.quot = numerator / denominator;
    both.rem = numerator % denominator;
    return both;
}

result lldiv(long long numerator, long long denominator)
{
    result both;
    both.quot = numerator / denominator;
    both.rem = numerator % denominator;
    return both;
}
