#ifndef INTERPLAY_TGMATH_H
#define INTERPLAY_TGMATH_H
/* The names stay those of double: what other types need is not decided anyway. */
#include <math.h>
#include <complex.h>
#endif
