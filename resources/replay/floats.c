/* What bodies of math.h compute by functions that the lowering knows (__interplay_float_...), by instructions of x86. */

typedef union { float number; unsigned bits; } interplay_bits_float;
typedef union { double number; unsigned long long bits; } interplay_bits_double;
typedef union { long double number; struct { unsigned long long digits; unsigned short exponent; } bits; } interplay_bits_long;

static long double interplay_round(long double x, unsigned mode)
{
    unsigned short old, new;
    __asm__ volatile("fnstcw %0" : "=m"(old));
    new = (old & ~0xc00) | mode;
    __asm__ volatile("fldcw %2\n frndint\n fldcw %1" : "+t"(x) : "m"(old), "m"(new));
    return x;
}

static long double interplay_away(long double x)
{
    long double whole = interplay_round(x, 0xc00), rest = x - whole;
    if (rest >= 0.5L)
        return whole + 1;
    return rest <= -0.5L ? whole - 1 : whole;
}

static long double interplay_remainder(long double x, long double y)
{
    unsigned short state;
    do
        __asm__ volatile("fprem1\n fnstsw %1" : "+t"(x), "=a"(state) : "u"(y));
    while (state & 0x400);
    return x;
}

static float interplay_sqrt_float(float x)
{
    __asm__("sqrtss %1, %0" : "=x"(x) : "x"(x));
    return x;
}

static double interplay_sqrt_double(double x)
{
    __asm__("sqrtsd %1, %0" : "=x"(x) : "x"(x));
    return x;
}

static long double interplay_sqrt_long_double(long double x)
{
    __asm__("fsqrt" : "+t"(x));
    return x;
}

static int interplay_negative_float(float x) { return (interplay_bits_float){x}.bits >> 31; }
static int interplay_negative_double(double x) { return (interplay_bits_double){x}.bits >> 63; }
static int interplay_negative_long_double(long double x) { return (interplay_bits_long){x}.bits.exponent >> 15; }
static int interplay_exponent_float(float x) { return (interplay_bits_float){x}.bits >> 23 & 0xff; }
static int interplay_exponent_double(double x) { return (interplay_bits_double){x}.bits >> 52 & 0x7ff; }
static int interplay_exponent_long_double(long double x) { return (interplay_bits_long){x}.bits.exponent & 0x7fff; }

static float interplay_successor_float(float x)
{
    interplay_bits_float found = {x};
    found.bits = x == 0 ? 1 : found.bits + (x > 0 ? 1 : -1);
    return found.number;
}

static double interplay_successor_double(double x)
{
    interplay_bits_double found = {x};
    found.bits = x == 0 ? 1 : found.bits + (x > 0 ? 1 : -1);
    return found.number;
}

static long double interplay_successor_long_double(long double x)
{
    interplay_bits_long found = {x};
    const unsigned long long half = 1ULL << 63;
    if (x == 0)
        found = (interplay_bits_long){.bits = {1, 0}};
    else if (x > 0 && ++found.bits.digits << 1 == 0) {
        found.bits.exponent++;
        found.bits.digits = half;
    } else if (x < 0 && found.bits.digits == half) {
        found.bits.exponent--;
        found.bits.digits = found.bits.exponent == 0x8000 ? half - 1 : -1ULL;
    } else if (x < 0)
        found.bits.digits--;
    return found.number;
}

static float interplay_fraction_float(float x)
{
    interplay_bits_float found = {x};
    found.bits = (found.bits & 0x807fffff) | 126u << 23;
    return found.number;
}

static double interplay_fraction_double(double x)
{
    interplay_bits_double found = {x};
    found.bits = (found.bits & 0x800fffffffffffffULL) | 1022ULL << 52;
    return found.number;
}

static long double interplay_fraction_long_double(long double x)
{
    interplay_bits_long found = {x};
    found.bits.exponent = (found.bits.exponent & 0x8000) | 16382;
    return found.number;
}

static float interplay_power_float(int n)
{
    return (interplay_bits_float){.bits = (unsigned) ((n < -126 ? -126 : n > 127 ? 127 : n) + 127) << 23}.number;
}

static double interplay_power_double(int n)
{
    n = n < -1022 ? -1022 : n > 1023 ? 1023 : n;
    return (interplay_bits_double){.bits = (unsigned long long) (n + 1023) << 52}.number;
}

static long double interplay_power_long_double(int n)
{
    n = n < -16382 ? -16382 : n > 16383 ? 16383 : n;
    return (interplay_bits_long){.bits = {1ULL << 63, n + 16383}}.number;
}

#define INTERPLAY_STEPS(number, format) \
    static int __interplay_float_negative__##format(number x) { return interplay_negative_##format(x); } \
    static int __interplay_float_exponent__##format(number x) { return interplay_exponent_##format(x); } \
    static number __interplay_float_successor__##format(number x) { return interplay_successor_##format(x); } \
    static number __interplay_float_fraction__##format(number x) { return interplay_fraction_##format(x); } \
    static number __interplay_float_power__##format(int exponent) { return interplay_power_##format(exponent); } \
    static number __interplay_float_any__##format(number low, number high) { return low; } \
    static number __interplay_float_sqrt__##format(number x) { return interplay_sqrt_##format(x); } \
    static number __interplay_float_remainder__##format(number x, number y) { return interplay_remainder(x, y); } \
    static number __interplay_float_round__##format##__even(number x) { return interplay_round(x, 0); } \
    static number __interplay_float_round__##format##__down(number x) { return interplay_round(x, 0x400); } \
    static number __interplay_float_round__##format##__up(number x) { return interplay_round(x, 0x800); } \
    static number __interplay_float_round__##format##__zero(number x) { return interplay_round(x, 0xc00); } \
    static number __interplay_float_round__##format##__away(number x) { return interplay_away(x); } \
    static long long __interplay_float_to_int__##format##__m9223372036854775808__9223372036854775807(number x) \
    { \
        return (long long) x; \
    }
INTERPLAY_STEPS(float, float)
INTERPLAY_STEPS(double, double)
INTERPLAY_STEPS(long double, long_double)

/* A product and a sum, rounded once: numbers are `digits * 2^exponent`, and their sum is one of 384 bits. */

typedef struct { int negative, exponent; unsigned long long digits; } interplay_parts;
typedef struct { unsigned words[12]; } interplay_wide_sum;

static void interplay_place(interplay_wide_sum *to, const unsigned *from, int count, int shift)
{
    int k, at = shift / 32, rest = shift % 32;
    for (k = 0; k < 12; k++)
        to->words[k] = 0;
    for (k = 0; k < count; k++) {
        unsigned long long word = (unsigned long long) from[k] << rest;
        to->words[at + k] |= (unsigned) word;
        to->words[at + k + 1] |= (unsigned) (word >> 32);
    }
}

static int interplay_less(const interplay_wide_sum *x, const interplay_wide_sum *y)
{
    int k;
    for (k = 11; k >= 0; k--)
        if (x->words[k] != y->words[k])
            return x->words[k] < y->words[k];
    return 0;
}

static void interplay_combine(interplay_wide_sum *x, const interplay_wide_sum *y, int subtracts)
{
    int k;
    long long carry = 0;
    for (k = 0; k < 12; k++) {
        carry += subtracts ? (long long) x->words[k] - y->words[k] : (long long) x->words[k] + y->words[k];
        x->words[k] = (unsigned) carry;
        carry >>= 32;
    }
}

static int interplay_bit(const interplay_wide_sum *x, int at)
{
    return at >= 0 && at < 384 && x->words[at / 32] >> at % 32 & 1;
}

/* The sum with the product, as digits of `precision` bits and an exponent of at least `quantum`; no digits where it is
   zero. */
static interplay_parts interplay_fused(interplay_parts x, interplay_parts y, interplay_parts z, int precision, int quantum)
{
    unsigned a[2] = {x.digits, x.digits >> 32}, b[2] = {y.digits, y.digits >> 32}, product[4] = {0};
    unsigned addend[2] = {z.digits, z.digits >> 32};
    int i, j, exponent = x.exponent + y.exponent, base, length = 384, shift, is_odd, is_more = 0;
    interplay_wide_sum sum, other;
    interplay_parts found = {x.negative != y.negative, 0, 0};
    for (i = 0; i < 2; i++)
        for (j = 0; j < 2; j++) {
            unsigned long long part = (unsigned long long) a[i] * b[j];
            int k;
            for (k = i + j; part; k++) {
                part += product[k];
                product[k] = (unsigned) part;
                part >>= 32;
            }
        }
    if (!z.digits)
        z.exponent = exponent;
    else if (z.exponent - exponent > 140) { /* what is so small only tells on which side the sum lies */
        product[0] = 1;
        product[1] = product[2] = product[3] = 0;
        exponent = z.exponent - 12;
    } else if (exponent - z.exponent > 140) {
        addend[0] = 1;
        addend[1] = 0;
        z.exponent = exponent - 12;
    }
    base = exponent < z.exponent ? exponent : z.exponent;
    interplay_place(&sum, product, 4, exponent - base);
    interplay_place(&other, addend, 2, z.exponent - base);
    if (found.negative != z.negative && interplay_less(&sum, &other)) {
        interplay_wide_sum kept = sum;
        sum = other;
        other = kept;
        interplay_combine(&sum, &other, 1);
        found.negative = z.negative;
    } else
        interplay_combine(&sum, &other, found.negative != z.negative);
    while (length && !interplay_bit(&sum, length - 1))
        length--;
    if (!length)
        return (interplay_parts){0, quantum, 0};
    shift = length - precision > quantum - base ? length - precision : quantum - base;
    found.exponent = base + shift;
    for (i = 63; i >= 0; i--)
        found.digits = found.digits << 1 | interplay_bit(&sum, i + shift);
    for (i = 0; i < shift - 1 && i < 384; i++)
        is_more |= interplay_bit(&sum, i);
    is_odd = found.digits & 1;
    if (interplay_bit(&sum, shift - 1) && (is_odd || is_more)) {
        found.digits++;
        if (!(precision < 64 ? found.digits >> precision : !found.digits))
            return found;
        found.digits = 1ULL << (precision - 1);
        found.exponent++;
    }
    return found;
}

static interplay_parts interplay_parts_float(float x)
{
    unsigned bits = (interplay_bits_float){x}.bits, field = bits >> 23 & 0xff;
    return (interplay_parts){bits >> 31, (field ? (int) field : 1) - 150, (bits & 0x7fffff) | (field ? 0x800000 : 0)};
}

static interplay_parts interplay_parts_double(double x)
{
    unsigned long long bits = (interplay_bits_double){x}.bits;
    int field = bits >> 52 & 0x7ff;
    return (interplay_parts){bits >> 63, (field ? field : 1) - 1075, bits << 12 >> 12 | (field ? 1ULL << 52 : 0)};
}

static interplay_parts interplay_parts_long_double(long double x)
{
    interplay_bits_long bits = {x};
    int field = bits.bits.exponent & 0x7fff;
    return (interplay_parts){bits.bits.exponent >> 15, (field ? field : 1) - 16446, bits.bits.digits};
}

static float interplay_of_float(interplay_parts x)
{
    unsigned long long bits = ((unsigned long long) (x.exponent + 149) << 23) + x.digits;
    return (interplay_bits_float){.bits = (bits > 0x7f800000 ? 0x7f800000 : bits) | (unsigned) x.negative << 31}.number;
}

static double interplay_of_double(interplay_parts x)
{
    const unsigned long long infinity = 0x7ffULL << 52;
    unsigned long long bits = x.exponent > 971 ? infinity : ((unsigned long long) (x.exponent + 1074) << 52) + x.digits;
    return (interplay_bits_double){.bits = bits | (unsigned long long) x.negative << 63}.number;
}

static long double interplay_of_long_double(interplay_parts x)
{
    int field = x.exponent + 16445 + (int) (x.digits >> 63);
    unsigned long long digits = field > 0x7ffe ? 1ULL << 63 : x.digits;
    field = field > 0x7ffe ? 0x7fff : field;
    return (interplay_bits_long){.bits = {digits, field | x.negative << 15}}.number;
}

#define INTERPLAY_FUSED(number, format, precision, quantum) \
    static number __interplay_float_fma__##format(number x, number y, number z) \
    { \
        if (x - x != 0 || y - y != 0 || x == 0 || y == 0) \
            return x * y + z; \
        if (z - z != 0) \
            return z; \
        return interplay_of_##format(interplay_fused(interplay_parts_##format(x), interplay_parts_##format(y), \
                                                     interplay_parts_##format(z), precision, quantum)); \
    }
INTERPLAY_FUSED(float, float, 24, -149)
INTERPLAY_FUSED(double, double, 53, -1074)
INTERPLAY_FUSED(long double, long_double, 64, -16445)
