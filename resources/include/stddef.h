#ifndef INTERPLAY_STDDEF_H
#define INTERPLAY_STDDEF_H
#ifndef NULL
#define NULL ((void *) 0)
#endif
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __WCHAR_TYPE__ wchar_t;
#define offsetof(type, member) __builtin_offsetof(type, member)
#ifdef __i386__
typedef struct {
    long long whole __attribute__((aligned(8)));
    long double floating;
    char quadruple[16] __attribute__((aligned(16)));
} max_align_t;
#else
typedef struct { long long whole; long double floating; } max_align_t;
#endif
#endif
