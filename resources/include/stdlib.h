#ifndef INTERPLAY_STDLIB_H
#define INTERPLAY_STDLIB_H
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
#endif
