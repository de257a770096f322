/* What the functions do that IEEE 754 defines by comparisons and exact steps, as glibc has them. Which of two zeros is
   the least, and the sign of a NaN, are not determined. */

int __isnanf(float x)
{
    return x != x;
}

int __isinff(float x)
{
    return x > 3.40282346638528859812e+38f ? 1 : x < -3.40282346638528859812e+38f ? -1 : 0;
}

int __finitef(float x)
{
    return x >= -3.40282346638528859812e+38f && x <= 3.40282346638528859812e+38f;
}

int __signbitf(float x)
{
    if (x != x)
        return __interplay_conversion() != 0;
    return x < 0 || (x == 0 && 1 / x < 0);
}

int __fpclassifyf(float x)
{
    if (x != x)
        return 0;
    if (x > 3.40282346638528859812e+38f || x < -3.40282346638528859812e+38f)
        return 1;
    if (x == 0)
        return 2;
    return x > -1.17549435082228750797e-38f && x < 1.17549435082228750797e-38f ? 3 : 4;
}

float fabsf(float x)
{
    return x < 0 ? -x : x == 0 ? 0 : x;
}

float fminf(float x, float y)
{
    if (x == 0 && y == 0)
        return __interplay_conversion() ? x : y;
    return x < y || y != y ? x : y;
}

float fmaxf(float x, float y)
{
    if (x == 0 && y == 0)
        return __interplay_conversion() ? x : y;
    return x > y || y != y ? x : y;
}

float fdimf(float x, float y)
{
    return x <= y ? 0 : x - y;
}

int __isnan(double x)
{
    return x != x;
}

int __isinf(double x)
{
    return x > 1.79769313486231570815e+308 ? 1 : x < -1.79769313486231570815e+308 ? -1 : 0;
}

int __finite(double x)
{
    return x >= -1.79769313486231570815e+308 && x <= 1.79769313486231570815e+308;
}

int __signbit(double x)
{
    if (x != x)
        return __interplay_conversion() != 0;
    return x < 0 || (x == 0 && 1 / x < 0);
}

int __fpclassify(double x)
{
    if (x != x)
        return 0;
    if (x > 1.79769313486231570815e+308 || x < -1.79769313486231570815e+308)
        return 1;
    if (x == 0)
        return 2;
    return x > -2.22507385850720138309e-308 && x < 2.22507385850720138309e-308 ? 3 : 4;
}

double fabs(double x)
{
    return x < 0 ? -x : x == 0 ? 0 : x;
}

double fmin(double x, double y)
{
    if (x == 0 && y == 0)
        return __interplay_conversion() ? x : y;
    return x < y || y != y ? x : y;
}

double fmax(double x, double y)
{
    if (x == 0 && y == 0)
        return __interplay_conversion() ? x : y;
    return x > y || y != y ? x : y;
}

double fdim(double x, double y)
{
    return x <= y ? 0 : x - y;
}

int __isnanl(long double x)
{
    return x != x;
}

int __isinfl(long double x)
{
    return x > 1.18973149535723176502126385303097021e+4932L ? 1 : x < -1.18973149535723176502126385303097021e+4932L ? -1 : 0;
}

int __finitel(long double x)
{
    return x >= -1.18973149535723176502126385303097021e+4932L && x <= 1.18973149535723176502126385303097021e+4932L;
}

int __signbitl(long double x)
{
    if (x != x)
        return __interplay_conversion() != 0;
    return x < 0 || (x == 0 && 1 / x < 0);
}

int __fpclassifyl(long double x)
{
    if (x != x)
        return 0;
    if (x > 1.18973149535723176502126385303097021e+4932L || x < -1.18973149535723176502126385303097021e+4932L)
        return 1;
    if (x == 0)
        return 2;
    return x > -3.36210314311209350626267781732175260e-4932L && x < 3.36210314311209350626267781732175260e-4932L ? 3 : 4;
}

long double fabsl(long double x)
{
    return x < 0 ? -x : x == 0 ? 0 : x;
}

long double fminl(long double x, long double y)
{
    if (x == 0 && y == 0)
        return __interplay_conversion() ? x : y;
    return x < y || y != y ? x : y;
}

long double fmaxl(long double x, long double y)
{
    if (x == 0 && y == 0)
        return __interplay_conversion() ? x : y;
    return x > y || y != y ? x : y;
}

long double fdiml(long double x, long double y)
{
    return x <= y ? 0 : x - y;
}

float truncf(float x)
{
    float whole;
    if (!(x > -8388608.0f && x < 8388608.0f) || x == 0)
        return x;
    whole = (long long) x;
    return whole == 0 && x < 0 ? -0.0f : whole;
}

float floorf(float x)
{
    float whole;
    if (!(x > -8388608.0f && x < 8388608.0f) || x == 0)
        return x;
    whole = (long long) x;
    return whole > x ? whole - 1 : whole;
}

float ceilf(float x)
{
    float whole;
    if (!(x > -8388608.0f && x < 8388608.0f) || x == 0)
        return x;
    whole = (long long) x;
    whole = whole < x ? whole + 1 : whole;
    return whole == 0 && x < 0 ? -0.0f : whole;
}

float roundf(float x)
{
    float whole, rest;
    if (!(x > -8388608.0f && x < 8388608.0f) || x == 0)
        return x;
    whole = (long long) x;
    rest = x - whole;
    whole = rest >= 0.5f ? whole + 1 : rest <= -0.5f ? whole - 1 : whole;
    return whole == 0 && x < 0 ? -0.0f : whole;
}

float rintf(float x)
{
    float whole;
    if (!(x > -8388608.0f && x < 8388608.0f) || x == 0)
        return x;
    whole = x < 0 ? (x - 8388608.0f) + 8388608.0f : (x + 8388608.0f) - 8388608.0f;
    return whole == 0 && x < 0 ? -0.0f : whole;
}

float nearbyintf(float x)
{
    float whole;
    if (!(x > -8388608.0f && x < 8388608.0f) || x == 0)
        return x;
    whole = x < 0 ? (x - 8388608.0f) + 8388608.0f : (x + 8388608.0f) - 8388608.0f;
    return whole == 0 && x < 0 ? -0.0f : whole;
}

double trunc(double x)
{
    double whole;
    if (!(x > -4503599627370496.0 && x < 4503599627370496.0) || x == 0)
        return x;
    whole = (long long) x;
    return whole == 0 && x < 0 ? -0.0 : whole;
}

double floor(double x)
{
    double whole;
    if (!(x > -4503599627370496.0 && x < 4503599627370496.0) || x == 0)
        return x;
    whole = (long long) x;
    return whole > x ? whole - 1 : whole;
}

double ceil(double x)
{
    double whole;
    if (!(x > -4503599627370496.0 && x < 4503599627370496.0) || x == 0)
        return x;
    whole = (long long) x;
    whole = whole < x ? whole + 1 : whole;
    return whole == 0 && x < 0 ? -0.0 : whole;
}

double round(double x)
{
    double whole, rest;
    if (!(x > -4503599627370496.0 && x < 4503599627370496.0) || x == 0)
        return x;
    whole = (long long) x;
    rest = x - whole;
    whole = rest >= 0.5f ? whole + 1 : rest <= -0.5f ? whole - 1 : whole;
    return whole == 0 && x < 0 ? -0.0 : whole;
}

double rint(double x)
{
    double whole;
    if (!(x > -4503599627370496.0 && x < 4503599627370496.0) || x == 0)
        return x;
    whole = x < 0 ? (x - 4503599627370496.0) + 4503599627370496.0 : (x + 4503599627370496.0) - 4503599627370496.0;
    return whole == 0 && x < 0 ? -0.0 : whole;
}

double nearbyint(double x)
{
    double whole;
    if (!(x > -4503599627370496.0 && x < 4503599627370496.0) || x == 0)
        return x;
    whole = x < 0 ? (x - 4503599627370496.0) + 4503599627370496.0 : (x + 4503599627370496.0) - 4503599627370496.0;
    return whole == 0 && x < 0 ? -0.0 : whole;
}

long double truncl(long double x)
{
    long double whole;
    if (!(x > -9223372036854775808.0L && x < 9223372036854775808.0L) || x == 0)
        return x;
    whole = (long long) x;
    return whole == 0 && x < 0 ? -0.0L : whole;
}

long double floorl(long double x)
{
    long double whole;
    if (!(x > -9223372036854775808.0L && x < 9223372036854775808.0L) || x == 0)
        return x;
    whole = (long long) x;
    return whole > x ? whole - 1 : whole;
}

long double ceill(long double x)
{
    long double whole;
    if (!(x > -9223372036854775808.0L && x < 9223372036854775808.0L) || x == 0)
        return x;
    whole = (long long) x;
    whole = whole < x ? whole + 1 : whole;
    return whole == 0 && x < 0 ? -0.0L : whole;
}

long double roundl(long double x)
{
    long double whole, rest;
    if (!(x > -9223372036854775808.0L && x < 9223372036854775808.0L) || x == 0)
        return x;
    whole = (long long) x;
    rest = x - whole;
    whole = rest >= 0.5f ? whole + 1 : rest <= -0.5f ? whole - 1 : whole;
    return whole == 0 && x < 0 ? -0.0L : whole;
}

long double rintl(long double x)
{
    long double whole;
    if (!(x > -9223372036854775808.0L && x < 9223372036854775808.0L) || x == 0)
        return x;
    whole = x < 0 ? (x - 9223372036854775808.0L) + 9223372036854775808.0L : (x + 9223372036854775808.0L) - 9223372036854775808.0L;
    return whole == 0 && x < 0 ? -0.0L : whole;
}

long double nearbyintl(long double x)
{
    long double whole;
    if (!(x > -9223372036854775808.0L && x < 9223372036854775808.0L) || x == 0)
        return x;
    whole = x < 0 ? (x - 9223372036854775808.0L) + 9223372036854775808.0L : (x + 9223372036854775808.0L) - 9223372036854775808.0L;
    return whole == 0 && x < 0 ? -0.0L : whole;
}
