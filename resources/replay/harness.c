/* The C text beside the program in a native replay: start, end, memory and 64-bit division, without any library.
   The text in front of it defines INTERPLAY_SECRET, INTERPLAY_FILL (the byte of fresh memory) and the exit codes; what
   `resources/libc` has comes behind it. The program's inputs are a file of their own.

   Where it is built, all names that begin with interplay_ get a beginning that nobody can know who wrote the program.

   Before main runs, the process gives up every system call but read, write and exit (seccomp, where the kernel has it).
   The definitions are weak: what the program defines itself has precedence. */

typedef __SIZE_TYPE__ interplay_size;
#if defined(__x86_64__)
__asm__(".globl interplay_begin\ninterplay_begin: xor %ebp,%ebp\n and $-16,%rsp\n call interplay_start\n hlt\n");
static long interplay_system(long number, long a, long b, long c)
{
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
    return result;
}
#define INTERPLAY_WRITE 1
#define INTERPLAY_EXIT 60
#define INTERPLAY_PRCTL 157
#elif defined(__i386__)
__asm__(".globl interplay_begin\ninterplay_begin: xor %ebp,%ebp\n and $-16,%esp\n call interplay_start\n hlt\n");
static long interplay_system(long number, long a, long b, long c)
{
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(a), "c"(b), "d"(c) : "memory");
    return result;
}
#define INTERPLAY_WRITE 4
#define INTERPLAY_EXIT 1
#define INTERPLAY_PRCTL 172
#else
#error "only x86"
#endif

static void interplay_end(int code)
{
    for (;;)
        interplay_system(INTERPLAY_EXIT, code, 0, 0);
}

void interplay_error(int number)
{
    char text[sizeof INTERPLAY_SECRET + 16];
    unsigned length = 0, digits = 1;
    for (; INTERPLAY_SECRET[length]; length++)
        text[length] = INTERPLAY_SECRET[length];
    while (number / digits >= 10)
        digits *= 10;
    for (; digits; digits /= 10)
        text[length++] = '0' + number / digits % 10;
    text[length++] = '\n';
    interplay_system(INTERPLAY_WRITE, 1, (long)text, length);
    interplay_end(INTERPLAY_REPORTED);
}

void interplay_abort(void) { interplay_end(INTERPLAY_ABORTED); }

extern int main();

/* The file of the inputs has another one where values for the parameters were recorded. */
__attribute__((weak)) int interplay_main(void)
{
    static char name[] = "program";
    static char *arguments[] = {name, 0, 0};
    return main(1, arguments, arguments + 1);
}

void interplay_start(void)
{
    interplay_system(INTERPLAY_PRCTL, 38, 1, 0);
    interplay_system(INTERPLAY_PRCTL, 22, 1, 0);
    interplay_main();
    interplay_end(INTERPLAY_ENDED);
}

#define WEAK __attribute__((weak))
static void (*signal_handlers[65])(int);
WEAK void abort(void)
{
    if (signal_handlers[6] != (void (*)(int))0 && signal_handlers[6] != (void (*)(int))1)
        signal_handlers[6](6);
    interplay_abort();
}
WEAK void exit(int code) { interplay_end(INTERPLAY_ENDED); }
WEAK void _exit(int code) { interplay_end(INTERPLAY_ENDED); }
WEAK void quick_exit(int code) { interplay_end(INTERPLAY_ENDED); }
WEAK void _Exit(int code) { interplay_end(INTERPLAY_ENDED); }
WEAK void __VERIFIER_assume(int holds) { if (!holds) interplay_end(INTERPLAY_VIOLATED); }
WEAK void __CPROVER_assume(int holds) { if (!holds) interplay_end(INTERPLAY_VIOLATED); }
WEAK void klee_assume(unsigned long holds) { if (!holds) interplay_end(INTERPLAY_VIOLATED); }
WEAK void klee_make_symbolic(void *to, interplay_size size, const char *name) { }
WEAK void assume_abort_if_not(int holds) { if (!holds) interplay_end(INTERPLAY_VIOLATED); }
WEAK void __VERIFIER_atomic_begin(void) { }
WEAK void __VERIFIER_atomic_end(void) { }

static unsigned char interplay_heap[1 << 28] __attribute__((aligned(16)));
static interplay_size interplay_used;
static void *interplay_take(interplay_size size)
{
    unsigned char *result;
    if (size > sizeof interplay_heap - 64 - interplay_used)
        interplay_end(INTERPLAY_EXHAUSTED);
    result = interplay_heap + interplay_used + 16;
    *(interplay_size *)(result - 16) = size;
    interplay_used += 32 + (size & ~(interplay_size)15);
    for (; INTERPLAY_FILL && size; size--)
        result[size - 1] = INTERPLAY_FILL;
    return result;
}
WEAK void *malloc(interplay_size n) { return interplay_take(n); }
WEAK void *alloca(interplay_size n) { return interplay_take(n); }
WEAK void *calloc(interplay_size n, interplay_size m)
{
    if (m && n > sizeof interplay_heap / m)
        interplay_end(INTERPLAY_EXHAUSTED);
    unsigned char *result = interplay_take(n * m);
    for (n *= m; INTERPLAY_FILL && n; n--)
        result[n - 1] = 0;
    return result;
}
/* A block whose size stands in front of it, as that of any other. */
static void *interplay_aligned(interplay_size alignment, interplay_size n)
{
    unsigned char *result = interplay_take(n + alignment);
    result += alignment > 16 ? -(interplay_size)result & (alignment - 1) : 0;
    *(interplay_size *)(result - 16) = n;
    return result;
}
WEAK void free(void *p) { }
/* Give an object of n bytes what an older one holds. */
void interplay_keep(const unsigned char *from, unsigned char *to, interplay_size n)
{
    interplay_size i, old = from ? *(const interplay_size *)(from - 16) : 0;
    for (i = 0; i < old && i < n; i++)
        to[i] = from[i];
}
WEAK void *realloc(void *p, interplay_size n)
{
    void *to = interplay_take(n);
    interplay_keep(p, to, n);
    return to;
}
WEAK void *memcpy(void *to, const void *from, interplay_size n)
{
    interplay_size i;
    for (i = 0; i < n; i++)
        ((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
    return to;
}
WEAK void *memmove(void *to, const void *from, interplay_size n)
{
    interplay_size i;
    if ((interplay_size)to <= (interplay_size)from)
        for (i = 0; i < n; i++)
            ((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
    else
        for (i = n; i > 0; i--)
            ((unsigned char *)to)[i - 1] = ((const unsigned char *)from)[i - 1];
    return to;
}
WEAK void *memset(void *to, int byte, interplay_size n)
{
    interplay_size i;
    for (i = 0; i < n; i++)
        ((unsigned char *)to)[i] = byte;
    return to;
}
WEAK int memcmp(const void *a, const void *b, interplay_size n)
{
    const unsigned char *left = a, *right = b;
    interplay_size i;
    for (i = 0; i < n; i++)
        if (left[i] != right[i])
            return left[i] < right[i] ? -1 : 1;
    return 0;
}
WEAK void *memchr(const void *s, int c, interplay_size n)
{
    const unsigned char *text = s;
    interplay_size i;
    for (i = 0; i < n; i++)
        if (text[i] == (unsigned char)c)
            return (void *)(text + i);
    return 0;
}
WEAK void *memrchr(const void *s, int c, interplay_size n)
{
    const unsigned char *text = s;
    for (; n > 0; n--)
        if (text[n - 1] == (unsigned char)c)
            return (void *)(text + n - 1);
    return 0;
}
WEAK void *mempcpy(void *to, const void *from, interplay_size n)
{
    return (unsigned char *)memcpy(to, from, n) + n;
}
WEAK void *memccpy(void *to, const void *from, int c, interplay_size n)
{
    unsigned char *end = memchr(from, c, n);
    interplay_size size = end ? end + 1 - (const unsigned char *)from : n;
    memcpy(to, from, size);
    return end ? (unsigned char *)to + size : 0;
}
WEAK void qsort(void *base, interplay_size count, interplay_size size, int (*compare)(const void *, const void *))
{
    unsigned char *first = base;
    interplay_size i, k, j;
    for (i = 1; i < count; i++)
        for (k = i; k > 0 && compare(first + (k - 1) * size, first + k * size) > 0; k--)
            for (j = k * size; j < (k + 1) * size; j++) {
                unsigned char moved = first[j];
                first[j] = first[j - size];
                first[j - size] = moved;
            }
}
WEAK void *bsearch(const void *key, const void *base, interplay_size count, interplay_size size,
                   int (*compare)(const void *, const void *))
{
    const unsigned char *first = base;
    for (; count > 0; count--, first += size)
        if (!compare(key, first))
            return (void *)first;
    return 0;
}

#if defined(__i386__)
typedef unsigned long long interplay_wide;
static interplay_wide interplay_divide(interplay_wide n, interplay_wide d, interplay_wide *rest)
{
    interplay_wide quotient = 0, remainder = 0;
    int bit;
    if (!d)
        *rest = 1 / (int)d;
    for (bit = 63; bit >= 0; bit--) {
        int carry = remainder >> 63;
        remainder = remainder << 1 | (n >> bit & 1);
        if (carry || remainder >= d) {
            remainder -= d;
            quotient |= 1ULL << bit;
        }
    }
    *rest = remainder;
    return quotient;
}
#define MAGNITUDE(x) ((x) < 0 ? -(interplay_wide)(x) : (interplay_wide)(x))
WEAK interplay_wide __udivdi3(interplay_wide n, interplay_wide d) { interplay_wide r; return interplay_divide(n, d, &r); }
WEAK interplay_wide __umoddi3(interplay_wide n, interplay_wide d) { interplay_wide r; interplay_divide(n, d, &r); return r; }
WEAK interplay_wide __udivmoddi4(interplay_wide n, interplay_wide d, interplay_wide *r)
{
    interplay_wide rest, quotient = interplay_divide(n, d, &rest);
    if (r)
        *r = rest;
    return quotient;
}
WEAK long long __divdi3(long long n, long long d)
{
    interplay_wide r, q = interplay_divide(MAGNITUDE(n), MAGNITUDE(d), &r);
    return (n < 0) != (d < 0) ? -q : q;
}
WEAK long long __moddi3(long long n, long long d)
{
    interplay_wide r;
    interplay_divide(MAGNITUDE(n), MAGNITUDE(d), &r);
    return n < 0 ? -r : r;
}
WEAK long long __divmoddi4(long long n, long long d, long long *r)
{
    *r = __moddi3(n, d);
    return __divdi3(n, d);
}
#endif
