#ifndef INTERPLAY_MATH_H
#define INTERPLAY_MATH_H
typedef double double_t;
typedef float float_t;
#define HUGE_VAL (__builtin_huge_val())
#define HUGE_VALF (__builtin_huge_valf())
#define HUGE_VALL (__builtin_huge_vall())
#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))
#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4
#define FP_ILOGB0 (-2147483647 - 1)
#define FP_ILOGBNAN (-2147483647 - 1)
#define MATH_ERRNO 1
#define MATH_ERREXCEPT 2
#define math_errhandling (MATH_ERRNO | MATH_ERREXCEPT)
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
extern int __fpclassify(double value);
extern int __fpclassifyf(float value);
extern int __fpclassifyl(long double value);
extern int __finite(double value);
extern int __finitef(float value);
extern int __finitel(long double value);
extern int __isinf(double value);
extern int __isinff(float value);
extern int __isinfl(long double value);
extern int __isnan(double value);
extern int __isnanf(float value);
extern int __isnanl(long double value);
extern int __signbit(double value);
extern int __signbitf(float value);
extern int __signbitl(long double value);
#define fpclassify(x) __builtin_fpclassify(FP_NAN, FP_INFINITE, FP_NORMAL, FP_SUBNORMAL, FP_ZERO, x)
#define isfinite(x) __builtin_isfinite(x)
#define isinf(x) __builtin_isinf_sign(x)
#define isnan(x) __builtin_isnan(x)
#define isnormal(x) __builtin_isnormal(x)
#define signbit(x) __builtin_signbit(x)
#define isgreater(x, y) __builtin_isgreater(x, y)
#define isgreaterequal(x, y) __builtin_isgreaterequal(x, y)
#define isless(x, y) __builtin_isless(x, y)
#define islessequal(x, y) __builtin_islessequal(x, y)
#define islessgreater(x, y) __builtin_islessgreater(x, y)
#define isunordered(x, y) __builtin_isunordered(x, y)
extern double acos(double value);
extern double asin(double value);
extern double atan(double value);
extern double acosh(double value);
extern double asinh(double value);
extern double atanh(double value);
extern double cosh(double value);
extern double sinh(double value);
extern double tanh(double value);
extern double cos(double value);
extern double sin(double value);
extern double tan(double value);
extern double exp(double value);
extern double exp2(double value);
extern double expm1(double value);
extern double log(double value);
extern double log10(double value);
extern double log1p(double value);
extern double log2(double value);
extern double logb(double value);
extern double cbrt(double value);
extern double fabs(double value);
extern double sqrt(double value);
extern double erf(double value);
extern double erfc(double value);
extern double lgamma(double value);
extern double tgamma(double value);
extern double ceil(double value);
extern double floor(double value);
extern double nearbyint(double value);
extern double rint(double value);
extern double round(double value);
extern double trunc(double value);
extern double pow(double left, double right);
extern double hypot(double left, double right);
extern double fmod(double left, double right);
extern double remainder(double left, double right);
extern double copysign(double left, double right);
extern double nextafter(double left, double right);
extern double fdim(double left, double right);
extern double fmax(double left, double right);
extern double fmin(double left, double right);
extern double atan2(double left, double right);
extern double fma(double left, double right, double more);
extern double frexp(double value, int *exponent);
extern double ldexp(double value, int exponent);
extern double modf(double value, double *whole);
extern double scalbn(double value, int exponent);
extern double scalbln(double value, long exponent);
extern double nan(const char *tag);
extern double nexttoward(double from, long double to);
extern double roundeven(double value);
extern double drem(double left, double right);
extern double exp10(double value);
extern int finite(double value);
extern double remquo(double left, double right, int *quotient);
extern int ilogb(double value);
extern long lrint(double value);
extern long lround(double value);
extern long long llrint(double value);
extern long long llround(double value);
extern float acosf(float value);
extern float asinf(float value);
extern float atanf(float value);
extern float acoshf(float value);
extern float asinhf(float value);
extern float atanhf(float value);
extern float coshf(float value);
extern float sinhf(float value);
extern float tanhf(float value);
extern float cosf(float value);
extern float sinf(float value);
extern float tanf(float value);
extern float expf(float value);
extern float exp2f(float value);
extern float expm1f(float value);
extern float logf(float value);
extern float log10f(float value);
extern float log1pf(float value);
extern float log2f(float value);
extern float logbf(float value);
extern float cbrtf(float value);
extern float fabsf(float value);
extern float sqrtf(float value);
extern float erff(float value);
extern float erfcf(float value);
extern float lgammaf(float value);
extern float tgammaf(float value);
extern float ceilf(float value);
extern float floorf(float value);
extern float nearbyintf(float value);
extern float rintf(float value);
extern float roundf(float value);
extern float truncf(float value);
extern float powf(float left, float right);
extern float hypotf(float left, float right);
extern float fmodf(float left, float right);
extern float remainderf(float left, float right);
extern float copysignf(float left, float right);
extern float nextafterf(float left, float right);
extern float fdimf(float left, float right);
extern float fmaxf(float left, float right);
extern float fminf(float left, float right);
extern float atan2f(float left, float right);
extern float fmaf(float left, float right, float more);
extern float frexpf(float value, int *exponent);
extern float ldexpf(float value, int exponent);
extern float modff(float value, float *whole);
extern float scalbnf(float value, int exponent);
extern float scalblnf(float value, long exponent);
extern float nanf(const char *tag);
extern float nexttowardf(float from, long double to);
extern float roundevenf(float value);
extern float dremf(float left, float right);
extern float exp10f(float value);
extern int finitef(float value);
extern float remquof(float left, float right, int *quotient);
extern int ilogbf(float value);
extern long lrintf(float value);
extern long lroundf(float value);
extern long long llrintf(float value);
extern long long llroundf(float value);
extern long double acosl(long double value);
extern long double asinl(long double value);
extern long double atanl(long double value);
extern long double acoshl(long double value);
extern long double asinhl(long double value);
extern long double atanhl(long double value);
extern long double coshl(long double value);
extern long double sinhl(long double value);
extern long double tanhl(long double value);
extern long double cosl(long double value);
extern long double sinl(long double value);
extern long double tanl(long double value);
extern long double expl(long double value);
extern long double exp2l(long double value);
extern long double expm1l(long double value);
extern long double logl(long double value);
extern long double log10l(long double value);
extern long double log1pl(long double value);
extern long double log2l(long double value);
extern long double logbl(long double value);
extern long double cbrtl(long double value);
extern long double fabsl(long double value);
extern long double sqrtl(long double value);
extern long double erfl(long double value);
extern long double erfcl(long double value);
extern long double lgammal(long double value);
extern long double tgammal(long double value);
extern long double ceill(long double value);
extern long double floorl(long double value);
extern long double nearbyintl(long double value);
extern long double rintl(long double value);
extern long double roundl(long double value);
extern long double truncl(long double value);
extern long double powl(long double left, long double right);
extern long double hypotl(long double left, long double right);
extern long double fmodl(long double left, long double right);
extern long double remainderl(long double left, long double right);
extern long double copysignl(long double left, long double right);
extern long double nextafterl(long double left, long double right);
extern long double fdiml(long double left, long double right);
extern long double fmaxl(long double left, long double right);
extern long double fminl(long double left, long double right);
extern long double atan2l(long double left, long double right);
extern long double fmal(long double left, long double right, long double more);
extern long double frexpl(long double value, int *exponent);
extern long double ldexpl(long double value, int exponent);
extern long double modfl(long double value, long double *whole);
extern long double scalbnl(long double value, int exponent);
extern long double scalblnl(long double value, long exponent);
extern long double nanl(const char *tag);
extern long double nexttowardl(long double from, long double to);
extern long double roundevenl(long double value);
extern long double dreml(long double left, long double right);
extern long double exp10l(long double value);
extern int finitel(long double value);
extern long double remquol(long double left, long double right, int *quotient);
extern int ilogbl(long double value);
extern long lrintl(long double value);
extern long lroundl(long double value);
extern long long llrintl(long double value);
extern long long llroundl(long double value);
extern double j0(double value);
extern double j1(double value);
extern double y0(double value);
extern double y1(double value);
extern double gamma(double value);
extern double significand(double value);
extern double jn(int order, double value);
extern double yn(int order, double value);
extern double scalb(double value, double exponent);
extern double lgamma_r(double value, int *sign);
extern float significandf(float value);
extern float gammaf(float value);
extern float j0f(float value);
extern float j1f(float value);
extern float y0f(float value);
extern float y1f(float value);
extern float jnf(int order, float value);
extern float ynf(int order, float value);
extern float scalbf(float value, float exponent);
extern float lgammaf_r(float value, int *sign);
extern int isinff(float value);
extern int isnanf(float value);
extern long double significandl(long double value);
extern long double gammal(long double value);
extern long double j0l(long double value);
extern long double j1l(long double value);
extern long double y0l(long double value);
extern long double y1l(long double value);
extern long double jnl(int order, long double value);
extern long double ynl(int order, long double value);
extern long double scalbl(long double value, long double exponent);
extern long double lgammal_r(long double value, int *sign);
extern int isinfl(long double value);
extern int isnanl(long double value);
extern int signgam;
#endif
