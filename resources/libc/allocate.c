/* What functions that allocate with an alignment do, a constant one that C and POSIX allow. */

void *aligned_alloc(size_t alignment, size_t size)
{
    if (__interplay_fails()) {
        errno = 12;
        return 0;
    }
    return __interplay_aligned(alignment, size);
}

void *memalign(size_t alignment, size_t size)
{
    if (__interplay_fails()) {
        errno = 12;
        return 0;
    }
    return __interplay_aligned(alignment, size);
}

void *valloc(size_t size)
{
    if (__interplay_fails()) {
        errno = 12;
        return 0;
    }
    return __interplay_aligned(4096, size);
}

/* Where memory is out (12, ENOMEM), what is pointed to stays. */
int posix_memalign(void **to, size_t alignment, size_t size)
{
    if (__interplay_fails())
        return 12;
    *to = __interplay_aligned(alignment, size);
    return 0;
}
