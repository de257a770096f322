/* What functions outside of the program access: strings that they read, and texts that come from outside. */

/* The length of a string that is read. */
static size_t interplay_length(const char *text)
{
    size_t i = 0;
    while (text[i] != 0)
        i++;
    return i;
}

static size_t interplay_most(const char *text, size_t most)
{
    size_t i = 0;
    while (i < most && text[i] != 0)
        i++;
    return i;
}

static size_t interplay_wide_length(const int *text)
{
    size_t i = 0;
    while (text[i] != 0)
        i++;
    return i;
}

static size_t interplay_wide_most(const int *text, size_t most)
{
    size_t i = 0;
    while (i < most && text[i] != 0)
        i++;
    return i;
}

/* A product of sizes, or the largest size where it is larger. */
static size_t interplay_product(size_t left, size_t right)
{
    if (left != 0 && right > (size_t) -1 / left)
        return (size_t) -1;
    return left * right;
}

/* The length of what comes from outside: as much as there is, but not more than this. */
static size_t interplay_outside(size_t most)
{
    size_t length = __VERIFIER_nondet_length();
    return length < most ? length : most;
}

/* The length of what only the C library knows. */
static size_t interplay_library(size_t most)
{
    size_t length = (size_t) __interplay_conversion();
    return length < most ? length : most;
}

/* A number from outside within a range. */
static long long interplay_within(long long low, long long high)
{
    long long value = __VERIFIER_nondet_number64();
    return value < low || value > high ? low : value;
}
