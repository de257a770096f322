/* What a native replay has for blocks of memory besides what the compiler calls by itself. */

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
