/* What functions of math.h do that IEEE 754 defines, and what is known of the others, as glibc has them; written for a
   type `number`, whose names end with _N (see frontend/libc/texts.py). Left open are which of two zeros is the least,
   the sign of a NaN, and values of functions that libraries round in ways of their own. */

int __interplay_float_negative__FORMAT(number x);
int __interplay_float_exponent__FORMAT(number x);
number __interplay_float_successor__FORMAT(number x);
number __interplay_float_fraction__FORMAT(number x);
number __interplay_float_power__FORMAT(int exponent);
number __interplay_float_any__FORMAT(number low, number high);
number __interplay_float_sqrt__FORMAT(number x);
number __interplay_float_fma__FORMAT(number x, number y, number z);
number __interplay_float_remainder__FORMAT(number x, number y);
number __interplay_float_round__FORMAT__even(number x);
number __interplay_float_round__FORMAT__away(number x);
number __interplay_float_round__FORMAT__down(number x);
number __interplay_float_round__FORMAT__up(number x);
number __interplay_float_round__FORMAT__zero(number x);
long long __interplay_float_to_int__FORMAT__m9223372036854775808__9223372036854775807(number x);

/* Classification */

static int interplay_isnan_N(number x)
{
    return x != x;
}

static int interplay_signbit_N(number x)
{
    return x == x ? __interplay_float_negative__FORMAT(x) : __interplay_conversion();
}

int __isnan_N(number x)
{
    return x == x ? 0 : sizeof(number) > 8 ? __interplay_truth() : 1;
}

int __isinf_N(number x)
{
    return x > LARGEST ? 1 : x < -LARGEST ? -1 : 0;
}

int __finite_N(number x)
{
    return x >= -LARGEST && x <= LARGEST;
}

int __signbit_N(number x)
{
    return interplay_signbit_N(x) ? __interplay_truth() : 0;
}

int __fpclassify_N(number x)
{
    if (x != x)
        return 0;
    if (x > LARGEST || x < -LARGEST)
        return 1;
    if (x == 0)
        return 2;
    return x > -SMALLEST && x < SMALLEST ? 3 : 4;
}

int isnan_N(number x)
{
    return x == x ? 0 : __interplay_truth();
}

int isinf_N(number x)
{
    return x > LARGEST ? 1 : x < -LARGEST ? __interplay_truth() : 0;
}

int finite_N(number x)
{
    return x >= -LARGEST && x <= LARGEST;
}

/* Comparisons and signs */

number fabs_N(number x)
{
    return __interplay_float_negative__FORMAT(x) ? -x : x;
}

number copysign_N(number x, number y)
{
    if (x != x)
        return x;
    if (y != y)
        return __interplay_conversion() ? x : -x;
    return __interplay_float_negative__FORMAT(x) == __interplay_float_negative__FORMAT(y) ? x : -x;
}

number fmin_N(number x, number y)
{
    if (x == 0 && y == 0 && __interplay_float_negative__FORMAT(x) != __interplay_float_negative__FORMAT(y))
        return __interplay_conversion() ? x : y;
    return x < y || y != y ? x : y;
}

number fmax_N(number x, number y)
{
    if (x == 0 && y == 0 && __interplay_float_negative__FORMAT(x) != __interplay_float_negative__FORMAT(y))
        return __interplay_conversion() ? x : y;
    return x > y || y != y ? x : y;
}

number fdim_N(number x, number y)
{
    number found;
    if (x <= y)
        return 0;
    found = x - y;
    if (found > LARGEST && x <= LARGEST && y >= -LARGEST)
        errno = 34;
    return found;
}

static number interplay_beside_N(number x, int up)
{
    number found = up ? __interplay_float_successor__FORMAT(x) : -__interplay_float_successor__FORMAT(-x);
    if (found > LARGEST || found < -LARGEST || (x != 0 && found > -SMALLEST && found < SMALLEST))
        errno = 34;
    return found;
}

number nextafter_N(number x, number y)
{
    if (x != x || y != y)
        return x + y;
    return x == y ? y : interplay_beside_N(x, x < y);
}

number nexttoward_N(number x, long double y)
{
    if (x != x || y != y)
        return x + (number) y;
    return x == y ? (number) y : interplay_beside_N(x, x < y);
}

number nan_N(const char *tag)
{
    return (number) 0 / 0;
}

/* Integers */

number trunc_N(number x)
{
    return __interplay_float_round__FORMAT__zero(x);
}

number floor_N(number x)
{
    return __interplay_float_round__FORMAT__down(x);
}

number ceil_N(number x)
{
    return __interplay_float_round__FORMAT__up(x);
}

number round_N(number x)
{
    return __interplay_float_round__FORMAT__away(x);
}

number rint_N(number x)
{
    return __interplay_float_round__FORMAT__even(x);
}

number nearbyint_N(number x)
{
    return __interplay_float_round__FORMAT__even(x);
}

number roundeven_N(number x)
{
    return __interplay_float_round__FORMAT__even(x);
}

static long long interplay_fitting_integer_N(number x)
{
    if (x >= -(number) 9223372036854775808.0 && x < (number) 9223372036854775808.0)
        return __interplay_float_to_int__FORMAT__m9223372036854775808__9223372036854775807(x);
    return (long long) (__interplay_conversion() * 4294967296ULL + __interplay_conversion());
}

static long interplay_fitting_long_N(number x)
{
    if (sizeof(long) == 8)
        return interplay_fitting_integer_N(x);
    if (x >= -2147483648.0 && x <= 2147483647.0)
        return __interplay_float_to_int__FORMAT__m9223372036854775808__9223372036854775807(x);
    return __interplay_conversion();
}

long lrint_N(number x)
{
    return interplay_fitting_long_N(__interplay_float_round__FORMAT__even(x));
}

long lround_N(number x)
{
    return interplay_fitting_long_N(__interplay_float_round__FORMAT__away(x));
}

long long llrint_N(number x)
{
    return interplay_fitting_integer_N(__interplay_float_round__FORMAT__even(x));
}

long long llround_N(number x)
{
    return interplay_fitting_integer_N(__interplay_float_round__FORMAT__away(x));
}

number modf_N(number x, number *whole)
{
    number found = __interplay_float_round__FORMAT__zero(x);
    *whole = found;
    if (x == found)
        return __interplay_float_negative__FORMAT(x) ? -(number) 0 : 0;
    return x - found;
}

/* Roots, products and remainders */

number sqrt_N(number x)
{
    if (x < 0)
        errno = 33;
    return __interplay_float_sqrt__FORMAT(x);
}

number fma_N(number x, number y, number z)
{
    return __interplay_float_fma__FORMAT(x, y, z);
}

static number interplay_nearest_rest_N(number x, number y)
{
    number found;
    if (x == x && y == y && (y == 0 || x > LARGEST || x < -LARGEST))
        errno = 33;
    found = __interplay_float_remainder__FORMAT(x, y);
    if (found == 0 && y >= -2 * SMALLEST && y <= 2 * SMALLEST && __interplay_conversion()) /* as glibc has it, not always x's sign */
        return -found;
    return found;
}

number remainder_N(number x, number y)
{
    return interplay_nearest_rest_N(x, y);
}

number drem_N(number x, number y)
{
    return interplay_nearest_rest_N(x, y);
}

static number interplay_rest_N(number x, number y)
{
    number found;
    if (x < y)
        return x;
    found = __interplay_float_remainder__FORMAT(x, y);
    return found < 0 ? found + y : found;
}

number fmod_N(number x, number y)
{
    int negative = __interplay_float_negative__FORMAT(x);
    number found;
    if (x != x || y != y)
        return x + y;
    if (y == 0 || x > LARGEST || x < -LARGEST) {
        errno = 33;
        return (number) 0 / 0;
    }
    found = interplay_rest_N(negative ? -x : x, __interplay_float_negative__FORMAT(y) ? -y : y);
    return negative ? -found : found;
}

number remquo_N(number x, number y, int *quotient)
{
    int negative = __interplay_float_negative__FORMAT(x), opposite, found = 0;
    number rest, divisor;
    if (x != x || y != y || y == 0 || x > LARGEST || x < -LARGEST) {
        *quotient = __interplay_conversion();
        return x + y != x + y ? x + y : (number) 0 / 0;
    }
    opposite = negative != __interplay_float_negative__FORMAT(y);
    rest = negative ? -x : x;
    divisor = __interplay_float_negative__FORMAT(y) ? -y : y;
    if (divisor <= LARGEST / 8)
        rest = interplay_rest_N(rest, 8 * divisor);
    if (divisor <= LARGEST / 4 && rest >= 4 * divisor) {
        rest -= 4 * divisor;
        found += 4;
    }
    if (divisor <= LARGEST / 2 && rest >= 2 * divisor) {
        rest -= 2 * divisor;
        found += 2;
    }
    x = __interplay_float_remainder__FORMAT(rest, divisor);
    if (x != rest)
        found += x == rest - divisor ? 1 : 2;
    if (found == 8 && __interplay_conversion()) /* three bits at least are right */
        found = 0;
    *quotient = opposite ? -found : found;
    return negative ? -x : x;
}

/* Exponents */

static int interplay_exponent_N(number x)
{
    int found = __interplay_float_exponent__FORMAT(x);
    if (found == 0)
        found = __interplay_float_exponent__FORMAT(x * __interplay_float_power__FORMAT(PRECISION)) - PRECISION;
    return found - GREATEST;
}

int ilogb_N(number x)
{
    if (x != x || x == 0 || x > LARGEST || x < -LARGEST) {
        errno = 33;
        return x > LARGEST || x < -LARGEST ? 2147483647 : -2147483647 - 1;
    }
    return interplay_exponent_N(x);
}

number logb_N(number x)
{
    if (x != x)
        return x;
    if (x == 0)
        return -1 / fabs_N(x);
    if (x > LARGEST || x < -LARGEST)
        return fabs_N(x);
    return interplay_exponent_N(x);
}

number frexp_N(number x, int *exponent)
{
    if (x == 0) {
        *exponent = 0;
        return x;
    }
    if (!(x >= -LARGEST && x <= LARGEST)) {
        *exponent = __interplay_conversion();
        return x;
    }
    *exponent = interplay_exponent_N(x) + 1;
    if (x > -SMALLEST && x < SMALLEST)
        x *= __interplay_float_power__FORMAT(PRECISION);
    return __interplay_float_fraction__FORMAT(x);
}

static number interplay_scaled_N(number x, long exponent)
{
    const int low = 1 - GREATEST;
    if (x == 0 || !(x >= -LARGEST && x <= LARGEST))
        return x;
    if (exponent > GREATEST) {
        x *= __interplay_float_power__FORMAT(GREATEST);
        exponent -= GREATEST;
        if (exponent > GREATEST) {
            x *= __interplay_float_power__FORMAT(GREATEST);
            exponent = exponent - GREATEST > GREATEST ? GREATEST : exponent - GREATEST;
        }
    } else if (exponent < low) {
        x *= __interplay_float_power__FORMAT(low + PRECISION);
        exponent -= low + PRECISION;
        if (exponent < low) {
            x *= __interplay_float_power__FORMAT(low + PRECISION);
            exponent = exponent - (low + PRECISION) < low ? low : exponent - (low + PRECISION);
        }
    }
    x *= __interplay_float_power__FORMAT((int) exponent);
    if (x == 0 || !(x >= -LARGEST && x <= LARGEST))
        errno = 34;
    return x;
}

number ldexp_N(number x, int exponent)
{
    return interplay_scaled_N(x, exponent);
}

number scalbn_N(number x, int exponent)
{
    return interplay_scaled_N(x, exponent);
}

number scalbln_N(number x, long exponent)
{
    return interplay_scaled_N(x, exponent);
}

number significand_N(number x)
{
    return x - x == 0 && x != 0 ? interplay_scaled_N(x, -ilogb_N(x)) : x;
}

/* Any number within bounds that every library keeps, where IEEE 754 defines none */

number sin_N(number x)
{
    return x >= -LARGEST && x <= LARGEST ? __interplay_float_any__FORMAT(-1, 1) : (number) 0 / 0;
}

number cos_N(number x)
{
    return x >= -LARGEST && x <= LARGEST ? __interplay_float_any__FORMAT(-1, 1) : (number) 0 / 0;
}

number tan_N(number x)
{
    return x >= -LARGEST && x <= LARGEST ? __interplay_float_any__FORMAT(-INFINITE, INFINITE) : (number) 0 / 0;
}

number asin_N(number x)
{
    return x >= -1 && x <= 1 ? __interplay_float_any__FORMAT(-1.571, 1.571) : (number) 0 / 0;
}

number acos_N(number x)
{
    return x >= -1 && x <= 1 ? __interplay_float_any__FORMAT(0, 3.142) : (number) 0 / 0;
}

number atan_N(number x)
{
    return x == x ? __interplay_float_any__FORMAT(-1.571, 1.571) : x;
}

number atan2_N(number y, number x)
{
    return x == x && y == y ? __interplay_float_any__FORMAT(-3.142, 3.142) : x + y;
}

number sinh_N(number x)
{
    return x == x ? __interplay_float_any__FORMAT(-INFINITE, INFINITE) : x;
}

number cosh_N(number x)
{
    return x == x ? __interplay_float_any__FORMAT(1, INFINITE) : x;
}

number tanh_N(number x)
{
    return x == x ? __interplay_float_any__FORMAT(-1, 1) : x;
}

number asinh_N(number x)
{
    return x == x ? __interplay_float_any__FORMAT(-INFINITE, INFINITE) : x;
}

number acosh_N(number x)
{
    return x >= 1 ? __interplay_float_any__FORMAT(0, INFINITE) : (number) 0 / 0;
}

number atanh_N(number x)
{
    return x >= -1 && x <= 1 ? __interplay_float_any__FORMAT(-INFINITE, INFINITE) : (number) 0 / 0;
}

number exp_N(number x)
{
    return x == x ? __interplay_float_any__FORMAT(0, INFINITE) : x;
}

number exp2_N(number x)
{
    return x == x ? __interplay_float_any__FORMAT(0, INFINITE) : x;
}

number exp10_N(number x)
{
    return x == x ? __interplay_float_any__FORMAT(0, INFINITE) : x;
}

number expm1_N(number x)
{
    return x == x ? __interplay_float_any__FORMAT(-1, INFINITE) : x;
}

number log_N(number x)
{
    return x >= 0 ? __interplay_float_any__FORMAT(-INFINITE, INFINITE) : (number) 0 / 0;
}

number log2_N(number x)
{
    return x >= 0 ? __interplay_float_any__FORMAT(-INFINITE, INFINITE) : (number) 0 / 0;
}

number log10_N(number x)
{
    return x >= 0 ? __interplay_float_any__FORMAT(-INFINITE, INFINITE) : (number) 0 / 0;
}

number log1p_N(number x)
{
    return x >= -1 ? __interplay_float_any__FORMAT(-INFINITE, INFINITE) : (number) 0 / 0;
}

number cbrt_N(number x)
{
    return x == x ? __interplay_float_any__FORMAT(-INFINITE, INFINITE) : x;
}

number hypot_N(number x, number y)
{
    if (x > LARGEST || x < -LARGEST || y > LARGEST || y < -LARGEST)
        return INFINITE;
    return x == x && y == y ? __interplay_float_any__FORMAT(0, INFINITE) : x + y;
}

number erf_N(number x)
{
    return x == x ? __interplay_float_any__FORMAT(-1, 1) : x;
}

number erfc_N(number x)
{
    return x == x ? __interplay_float_any__FORMAT(0, 2) : x;
}

number pow_N(number x, number y)
{
    if (y == 0 || x == 1)
        return 1;
    if (x != x || y != y)
        return x + y;
    if (x > 0)
        return __interplay_float_any__FORMAT(0, INFINITE);
    if (x < 0 && x >= -LARGEST && y != __interplay_float_round__FORMAT__zero(y))
        return (number) 0 / 0;
    return __interplay_float_any__FORMAT(-INFINITE, INFINITE);
}
