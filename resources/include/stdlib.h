#ifndef INTERPLAY_STDLIB_H
#define INTERPLAY_STDLIB_H
#ifndef __STRICT_ANSI__
#include <sys/types.h>
#endif
#include <stddef.h>
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
typedef struct { int quot; int rem; } div_t;
typedef struct { long quot; long rem; } ldiv_t;
extern void abort(void);
extern void exit(int status);
extern void _Exit(int status);
extern int atexit(void (*function)(void));
extern void *malloc(size_t size);
extern void *calloc(size_t count, size_t size);
extern void *realloc(void *pointer, size_t size);
extern void free(void *pointer);
extern int abs(int value);
extern long labs(long value);
extern long long llabs(long long value);
extern div_t div(int numerator, int denominator);
extern ldiv_t ldiv(long numerator, long denominator);
extern int rand(void);
extern void srand(unsigned int seed);
extern int atoi(const char *text);
extern long atol(const char *text);
extern double atof(const char *text);
extern long strtol(const char *text, char **end, int base);
extern unsigned long strtoul(const char *text, char **end, int base);
extern double strtod(const char *text, char **end);
extern float strtof(const char *text, char **end);
extern long double strtold(const char *text, char **end);
extern char *getenv(const char *name);
extern int system(const char *command);
extern void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *));
extern void *bsearch(const void *key, const void *base, size_t count, size_t size,
                     int (*compare)(const void *, const void *));
typedef struct { long long quot; long long rem; } lldiv_t;
extern lldiv_t lldiv(long long numerator, long long denominator);
extern long long atoll(const char *text);
extern long long strtoll(const char *text, char **end, int base);
extern unsigned long long strtoull(const char *text, char **end, int base);
extern void quick_exit(int status);
extern int at_quick_exit(void (*function)(void));
extern int rand_r(unsigned int *state);
extern long random(void);
extern void srandom(unsigned int seed);
extern double drand48(void);
extern int setenv(const char *name, const char *value, int overwrite);
extern int unsetenv(const char *name);
extern void *aligned_alloc(size_t alignment, size_t size);
extern int posix_memalign(void **result, size_t alignment, size_t size);
extern void *alloca(size_t size);
#define MB_CUR_MAX ((size_t) 1)
extern void *reallocarray(void *pointer, size_t count, size_t size);
extern void *valloc(size_t size);
extern int putenv(char *text), clearenv(void);
extern char *mktemp(char *name), *mkdtemp(char *name), *realpath(const char *name, char *result);
extern int mkstemp(char *name), mkstemps(char *name, int suffix);
extern int getsubopt(char **options, char *const *names, char **value);
extern unsigned int arc4random(void), arc4random_uniform(unsigned int bound);
extern void arc4random_buf(void *block, size_t size);
extern long lrand48(void), mrand48(void);
extern void srand48(long seed);
extern char *initstate(unsigned int seed, char *state, size_t size), *setstate(char *state);
extern int mblen(const char *text, size_t size), mbtowc(wchar_t *to, const char *text, size_t size), wctomb(char *to, wchar_t c);
extern size_t mbstowcs(wchar_t *to, const char *from, size_t size), wcstombs(char *to, const wchar_t *from, size_t size);
extern int getloadavg(double loads[], int count);
extern int posix_openpt(int flags), grantpt(int file), unlockpt(int file);
extern char *ptsname(int file);
#endif
