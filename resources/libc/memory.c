/* What the functions on blocks of memory do, in elements of the type that lies there; `count` of them.
   Only the sign of what a comparison returns is known. */

element *memcpy(element *to, const element *from, size_t count)
{
    size_t i;
    __interplay_apart(to, count * sizeof(element), from, count * sizeof(element));
    for (i = 0; i < count; i++)
        to[i] = from[i];
    return to;
}

element *memmove(element *to, const element *from, size_t count)
{
    size_t i;
    if (to <= from)
        for (i = 0; i < count; i++)
            to[i] = from[i];
    else
        for (i = count; i > 0; i--)
            to[i - 1] = from[i - 1];
    return to;
}

element *memset(element *to, element value, size_t count)
{
    size_t i;
    for (i = 0; i < count; i++)
        to[i] = value;
    return to;
}

int memcmp(const element *left, const element *right, size_t count)
{
    size_t i;
    int order = __VERIFIER_nondet_order();
    for (i = 0; i < count; i++) {
        unsigned char a = left[i], b = right[i];
        if (a < b)
            return order < 0 ? order : -1;
        if (a > b)
            return order > 0 ? order : 1;
    }
    return 0;
}

/* memcmp of integers of several bytes; the lowest byte comes first. */
int compare(const element *left, const element *right, size_t count)
{
    size_t i;
    int order = __VERIFIER_nondet_order();
    for (i = 0; i < count; i++) {
        unsigned long long a = left[i], b = right[i];
        if (left[i] != right[i]) {
            while (a % 256 == b % 256) {
                a = a / 256;
                b = b / 256;
            }
            if (a % 256 < b % 256)
                return order < 0 ? order : -1;
            return order > 0 ? order : 1;
        }
    }
    return 0;
}

element *memchr(const element *text, int value, size_t count)
{
    size_t i;
    for (i = 0; i < count; i++)
        if ((unsigned char) text[i] == (unsigned char) value)
            return (element *) text + i;
    return 0;
}

element *memrchr(const element *text, int value, size_t count)
{
    size_t i;
    for (i = count; i > 0; i--)
        if ((unsigned char) text[i - 1] == (unsigned char) value)
            return (element *) text + (i - 1);
    return 0;
}

element *mempcpy(element *to, const element *from, size_t count)
{
    size_t i;
    __interplay_apart(to, count * sizeof(element), from, count * sizeof(element));
    for (i = 0; i < count; i++)
        to[i] = from[i];
    return to + count;
}

element *memccpy(element *to, const element *from, int value, size_t count)
{
    size_t i;
    for (i = 0; i < count; i++) {
        __interplay_apart(to, i + 1, from, i + 1);
        to[i] = from[i];
        if ((unsigned char) from[i] == (unsigned char) value)
            return to + i + 1;
    }
    return 0;
}

/* What the old block had is kept; the other elements are arbitrary. Where memory is out, the old block stays. No bytes
   in place of a block: it is released, as by glibc. */
element *realloc(element *old, size_t count)
{
    size_t i, kept = old ? __interplay_allocated(old) / sizeof(element) : 0;
    element *fresh = 0;
    if (!old || count * sizeof(element) != 0) {
        if (__interplay_fails()) {
            errno = 12;
            return 0;
        }
        fresh = malloc(count * sizeof(element));
        for (i = 0; i < count && i < kept; i++)
            fresh[i] = old[i];
    }
    free(old);
    return fresh;
}

void klee_make_symbolic(element *to, size_t count)
{
    size_t i;
    for (i = 0; i < count; i++)
        to[i] = __VERIFIER_nondet_element();
}

/* Bytes from outside, at most as many as there is room for; of the element that the last one belongs to, any. */
interplay_ssize read(int file, element *to, size_t count)
{
    size_t i, length = __VERIFIER_nondet_length();
    if (length > count * sizeof(element)) {
        errno = __VERIFIER_nondet_failure();
        return -1;
    }
    for (i = 0; i < count && i * sizeof(element) < length; i++)
        to[i] = __VERIFIER_nondet_element();
    return (interplay_ssize) length;
}

interplay_ssize recv(int socket, element *to, size_t count, int flags)
{
    size_t i, length = __VERIFIER_nondet_length();
    if (length > count * sizeof(element)) {
        errno = __VERIFIER_nondet_failure();
        return -1;
    }
    for (i = 0; i < count && i * sizeof(element) < length; i++)
        to[i] = __VERIFIER_nondet_element();
    return (interplay_ssize) length;
}

/* Items of several elements; of the first that is not whole, a part may have been read. */
size_t fread(element *to, size_t count, size_t items, void *stream)
{
    size_t i, whole = __VERIFIER_nondet_length(), part = __VERIFIER_nondet_length();
    if (count == 0 || items == 0)
        return 0;
    if (whole > items)
        whole = items;
    if (whole < items)
        errno = __VERIFIER_nondet_failure();
    for (i = 0; i < count && (i < whole * (count / items) || i < part); i++)
        to[i] = __VERIFIER_nondet_element();
    return whole;
}
