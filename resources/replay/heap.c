/* The heap of a native replay: its blocks are never used again; the size of each stands in front of it. */

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
void interplay_keep(const void *from, void *to, interplay_size n)
{
    interplay_size i, old = from ? ((const interplay_size *)((const unsigned char *)from - 16))[0] : 0;
    for (i = 0; i < old && i < n; i++)
        ((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
}
WEAK void *realloc(void *p, interplay_size n)
{
    void *to = interplay_take(n);
    interplay_keep(p, to, n);
    return to;
}
