/* The C text beside the program in a native replay: start, end and memory, without any library. The text in front of it
   defines INTERPLAY_SECRET, INTERPLAY_FILL (the byte of fresh memory) and the exit codes; behind it comes what the
   program needs of heap.c, blocks.c, division.c and `resources/libc`, since most of a replay is the time of the compiler.

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

/* The inputs have it where values for the parameters were recorded. */
extern __attribute__((weak)) int interplay_main(void);

static void interplay_run(void)
{
    static char name[] = "program";
    static char *arguments[] = {name, 0, 0};
    if (interplay_main)
        interplay_main();
    else
        main(1, arguments, arguments + 1);
}

void interplay_start(void)
{
    interplay_system(INTERPLAY_PRCTL, 38, 1, 0);
    interplay_system(INTERPLAY_PRCTL, 22, 1, 0);
    interplay_run();
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

/* The compiler calls these by itself, too. */
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
