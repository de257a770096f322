/* Compares the bodies in resources/libc, which are named own_…, with the C library on random strings and numbers.
   Built by test_against_glibc.py; prints the first difference and ends with 1. */

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long long state = 88172645463325252ull;
static unsigned random_below(unsigned most)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned) (state >> 33) % most;
}

static void random_string(char *to, const char *letters, unsigned most)
{
    unsigned i, length = random_below(most + 1), many = strlen(letters);
    for (i = 0; i < length; i++)
        to[i] = letters[random_below(many)];
    to[length] = 0;
}

static void check(const char *name, long long own, long long real, const char *a, const char *b)
{
    if (own != real) {
        printf("%s: %lld instead of %lld for \"%s\" and \"%s\"\n", name, own, real, a, b);
        exit(1);
    }
}

static int sign(int x) { return (x > 0) - (x < 0); }
#define CHECK(name, own, real) check(name, (long long) (own), (long long) (real), a, b)
#define AT(pointer, base) ((pointer) ? (pointer) - (base) : -1)

static void strings(const char *a, const char *b, unsigned n)
{
    char x[64], y[64];
    int c = (unsigned char) a[0];
#define SAME(call) CHECK(#call, own_##call, call)
#define SIGN(call) CHECK(#call, sign(own_##call), sign(call))
#define PLACE(call) CHECK(#call, AT(own_##call, a), AT(call, a))
#define WRITES(call) \
    do { \
        char *p, *q; \
        memset(x, 'q', 64), memset(y, 'q', 64); \
        x[2] = y[2] = 0; \
        { char *to = x; p = own_##call; } \
        { char *to = y; q = call; } \
        CHECK(#call, AT(p, x), AT(q, y)); \
        CHECK(#call, memcmp(x, y, 64), 0); \
    } while (0)
    SAME(strlen(a)); SAME(strnlen(a, n)); SAME(strspn(a, b)); SAME(strcspn(a, b));
    SIGN(strcmp(a, b)); SIGN(strncmp(a, b, n)); SIGN(strcasecmp(a, b)); SIGN(strncasecmp(a, b, n)); SIGN(strcoll(a, b));
    PLACE(strchr(a, b[0])); PLACE(strrchr(a, b[0])); PLACE(strstr(a, b)); PLACE(strpbrk(a, b));
    PLACE(strchrnul(a, b[0])); PLACE(strcasestr(a, b));
    CHECK("memmem", AT((char *) own_memmem(a, n, b, strlen(b)), a), AT((char *) memmem(a, n, b, strlen(b)), a));
    WRITES(strcpy(to, a)); WRITES(stpcpy(to, a)); WRITES(strncpy(to, a, n)); WRITES(strcat(to, a));
    WRITES(strncat(to, a, n));
    memset(x, 'q', 64), memset(y, 'q', 64);
    CHECK("strxfrm", own_strxfrm(x, a, n), strxfrm(y, a, n));
    CHECK("strxfrm", n > strlen(a) && memcmp(x, y, 64), 0);
    CHECK("strlcpy", own_strlcpy(x, a, n), snprintf(y, n, "%s", a));
    CHECK("strlcpy", n ? strcmp(x, y) : 0, 0);
    memset(x, 0, 64), strcpy(x, b), strcpy(y, b);
    CHECK("strlcat", own_strlcat(x, a, n), (n < strlen(b) ? n : strlen(b)) + strlen(a));
    CHECK("strlcat", n > strlen(b) ? strlen(x) : 0, n > strlen(b) ? (n - 1 < strlen(a) + strlen(b) ? n - 1 : strlen(a) + strlen(b)) : 0);
    CHECK("strdup", strcmp(own_strdup(a), a), 0);
    CHECK("strndup", strcmp(own_strndup(a, n), strndup(a, n)), 0);
    CHECK("isalpha", !!own_isalpha(c), !!isalpha(c)); CHECK("isspace", !!own_isspace(c), !!isspace(c));
}

static void tokens(const char *a, const char *b)
{
    char x[64], y[64], *p = x, *q = y, *r, *s, *t, *u;
    strcpy(x, a), strcpy(y, a);
    do {
        p = own_strtok(p, b), q = strtok(q, b);
        CHECK("strtok", AT(p, x), AT(q, y));
        if (p)
            CHECK("strtok", strcmp(p, q), 0);
        p = 0;
    } while (q && (q = 0, 1));
    strcpy(x, a), strcpy(y, a), p = x, q = y;
    do {
        t = own_strtok_r(p, b, &r), u = strtok_r(q, b, &s);
        CHECK("strtok_r", AT(t, x), AT(u, y));
        CHECK("strtok_r", AT(r, x), AT(s, y));
        p = q = 0;
    } while (u);
    strcpy(x, a), strcpy(y, a), p = x, q = y;
    do {
        t = own_strsep(&p, b), u = strsep(&q, b);
        CHECK("strsep", AT(t, x), AT(u, y));
        CHECK("strsep", memcmp(x, y, strlen(a) + 1), 0);
    } while (u);
}

#define NUMBER(name) \
    do { \
        errno = 0, ours = own_##name(a, &p, base), error = errno; \
        errno = 0, theirs = name(a, &q, base); \
        CHECK(#name, ours, theirs); \
        CHECK(#name " end", p - a, q - a); \
        CHECK(#name " errno", error, errno); \
    } while (0)
static void numbers(const char *a)
{
    static const int bases[] = {0, 2, 3, 8, 10, 10, 16, 36};
    const char *b = "";
    int base = bases[random_below(8)], error;
    long long ours, theirs;
    char *p = 0, *q = 0;
    NUMBER(strtol); NUMBER(strtoll); NUMBER(strtoul); NUMBER(strtoull);
    errno = 0, strtol(a, 0, 10);
    if (!errno) {
        CHECK("atoll", own_atoll(a), atoll(a)); CHECK("atol", own_atol(a), atol(a));
        if (atol(a) == (int) atol(a))
            CHECK("atoi", own_atoi(a), atoi(a));
    }
}

static void characters(void)
{
    const char *a = "", *b = "";
    int c;
#define TRUTH(name) CHECK(#name, !!own_##name(c), !!name(c))
    for (c = -1; c < 256; c++) {
        TRUTH(isdigit); TRUTH(islower); TRUTH(isupper); TRUTH(isalpha); TRUTH(isalnum); TRUTH(isxdigit); TRUTH(isblank);
        TRUTH(isspace); TRUTH(iscntrl); TRUTH(isprint); TRUTH(isgraph); TRUTH(ispunct); TRUTH(isascii);
        CHECK("tolower", own_tolower(c), tolower(c)); CHECK("toupper", own_toupper(c), toupper(c));
        CHECK("toascii", own_toascii(c), toascii(c));
    }
}

int main(void)
{
    static const char *const digits[] = {"0123456789", "01xX8fF-+ ", "9", "0zZ19", " -+18\t"};
    char a[64], b[64];
    int i;
    characters();
    for (i = 0; i < 200000; i++) {
        random_string(a, "abAB.\xe4", 8), random_string(b, "abB.\xc4", 3);
        strings(a, b, random_below(9));
        random_string(a, "a,; b", 9), random_string(b, ",; ", 2);
        tokens(a, b);
        random_string(a, " -+\t", 2);
        random_string(a + strlen(a), digits[random_below(5)], random_below(2) ? 6 : 24);
        numbers(a);
    }
    return 0;
}
