#ifndef INTERPLAY_FENV_H
#define INTERPLAY_FENV_H
#define FE_INVALID 1
#define FE_DIVBYZERO 4
#define FE_OVERFLOW 8
#define FE_UNDERFLOW 16
#define FE_INEXACT 32
#define FE_ALL_EXCEPT 61
#define FE_TONEAREST 0
#define FE_DOWNWARD 0x400
#define FE_UPWARD 0x800
#define FE_TOWARDZERO 0xc00
typedef unsigned short fexcept_t;
typedef struct { int words[8]; } fenv_t;
#define FE_DFL_ENV ((const fenv_t *) -1)
extern int feclearexcept(int which), fegetexceptflag(fexcept_t *flags, int which), feraiseexcept(int which);
extern int fesetexceptflag(const fexcept_t *flags, int which), fetestexcept(int which);
extern int fegetround(void), fesetround(int mode);
extern int fegetenv(fenv_t *environment), feholdexcept(fenv_t *environment);
extern int fesetenv(const fenv_t *environment), feupdateenv(const fenv_t *environment);
#endif
