/* Compares the bodies of math.h (own_...) with the library, on all pairs of numbers that are hard. */

static int differences;
static int same(long double a, long double b)
{
    return a != a ? b != b : a == b && !signbit(a) == !signbit(b);
}

#define CHECK(name, x, y, found, wanted, own_error, error) \
    if (!same(found, wanted) || own_error != error) { \
        differences++; \
        printf("%s(%La, %La) is %La, not %La; errno %d, not %d\n", name, (long double) (x), (long double) (y), \
               (long double) (found), (long double) (wanted), own_error, error); \
    }
#define CALL(name, x, y, own, theirs) \
    { \
        int own_error, error; \
        volatile __typeof__(own) found; /* a register of x87 may hold more than the type */ \
        volatile __typeof__(theirs) wanted; \
        errno = 0; \
        found = own; \
        own_error = errno; \
        errno = 0; \
        wanted = theirs; \
        error = errno; \
        CHECK(name, x, y, found, wanted, own_error, error) \
    }
#define ONE(f, s) CALL(#f #s, x, 0, own_##f##s(x), f##s(x))
#define TWO(f, s) CALL(#f #s, x, y, own_##f##s(x, y), f##s(x, y))
#define SCALED(f, s) CALL(#f #s, x, n, own_##f##s(x, n), f##s(x, n))
#define INTEGER(f, s) if (x > -2e9 && x < 2e9) ONE(f, s)

#define TEST(number, s, numbers) \
    static void test_##s##numbers(void) \
    { \
        const int count = sizeof(numbers) / sizeof(*numbers), shifts[] = {0, 1, -1, 60, -60, 1100, -1100, 2200, -2200, 40000}; \
        int i, j, k; \
        for (i = 0; i < count; i++) { \
            volatile number x = numbers[i]; \
            number whole, own_whole; \
            int exponent = 0, own_exponent = 0; \
            ONE(sqrt, s) ONE(floor, s) ONE(ceil, s) ONE(trunc, s) ONE(round, s) ONE(rint, s) ONE(nearbyint, s) \
            ONE(roundeven, s) ONE(fabs, s) ONE(logb, s) ONE(ilogb, s) \
            CALL("significand" #s, x, 0, own_significand##s(x), ({ number r = significand##s(x); errno = 0; r; })) \
            INTEGER(lrint, s) INTEGER(lround, s) INTEGER(llrint, s) INTEGER(llround, s) \
            CALL("modf" #s, x, 0, own_modf##s(x, &own_whole), modf##s(x, &whole)) \
            CALL("modf" #s " *", x, 0, own_whole, whole) \
            if (x - x == 0) { \
                CALL("frexp" #s, x, 0, own_frexp##s(x, &own_exponent), frexp##s(x, &exponent)) \
                CALL("frexp" #s " *", x, 0, own_exponent, exponent) \
            } \
            for (k = 0; k < (int) (sizeof shifts / sizeof *shifts); k++) { \
                int n = shifts[k]; \
                SCALED(ldexp, s) SCALED(scalbn, s) SCALED(scalbln, s) \
            } \
            for (j = 0; j < count; j++) { \
                volatile number y = numbers[j]; \
                number z = -(x * y); \
                TWO(fmod, s) TWO(nextafter, s) TWO(fdim, s) TWO(nexttoward, s) \
                if (remainder##s(x, y) != 0) \
                    TWO(remainder, s) \
                if (y == y) \
                    TWO(copysign, s) \
                if (x != 0 || y != 0) { \
                    TWO(fmin, s) TWO(fmax, s) \
                } \
                CALL("fma" #s, x, y, own_fma##s(x, y, z), fma##s(x, y, z)) \
                CALL("fma" #s, x, y, own_fma##s(x, y, nextafter##s(z, 1)), fma##s(x, y, nextafter##s(z, 1))) \
                CALL("remquo" #s, x, y, own_remquo##s(x, y, &own_exponent), remquo##s(x, y, &exponent)) \
                if (remquo##s(x, y, &exponent) == remquo##s(x, y, &exponent)) \
                    CALL("remquo" #s " *", x, y, (own_exponent & 7), (exponent & 7)) \
            } \
        } \
    }

static const double wide[] = {
    0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.0, -7.25, 0.1, -0.3, 1e10, 123456.75, 4503599627370497.5, 0x1p53,
    -0x1.fffffffffffffp52, 0x1p63, 2147483647.5, -2147483648.5, 0x1p-1022, 0x0.fffffffffffffp-1022, 0x1p-1074, -0x3p-1074,
    0x1.fffffffffffffp1023, -0x1p1023, 0x1.5555555555555p-600, -0x1.921fb54442d18p700, 1e999, -1e999, 0.0 / 0.0,
};
static const float narrow[] = {
    0.0f, -0.0f, 1.0f, -1.0f, 0.5f, -0.5f, 1.5f, 2.5f, -2.5f, 3.0f, -7.25f, 0.1f, -0.3f, 1e10f, 8388607.5f, 0x1p24f,
    0x1p63f, 0x1p-126f, 0x0.fffffep-126f, 0x1p-149f, -0x3p-149f, 0x1.fffffep127f, -0x1p127f, 0x1.5555p-60f, 1e39f, -1e39f,
    0.0f / 0.0f,
};
static const long double extended[] = {
    0.0L, -0.0L, 1.0L, -1.0L, 0.5L, -0.5L, 1.5L, 2.5L, -2.5L, 3.0L, -7.25L, 0.1L, -0.3L, 1e10L, 0x1.fffffffffffffffep62L,
    0x1p64L, 0x1p-16382L, 0x0.fffffffffffffffep-16382L, 0x1p-16445L, -0x3p-16445L, 0x1.fffffffffffffffep16383L, -0x1p16383L,
    0x1.5555555555555p-9000L, 1e4999L, -1e4999L, 0.0L / 0.0L,
};
TEST(double, , wide)
TEST(float, f, narrow)
TEST(long double, l, extended)

int main(void)
{
    test_wide();
    test_fnarrow();
    test_lextended();
    return differences != 0;
}
