/* Compares the bodies in resources/libc, which are named own_…, with the C library on random strings and numbers.
   Built by test_against_glibc.py; prints the first difference and ends with 1. */

#include <arpa/inet.h>
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
    own_strtod(a, &p), strtod(a, &q), CHECK("strtod", p - a, q - a);
    own_strtof(a, &p), strtof(a, &q), CHECK("strtof", p - a, q - a);
    own_strtold(a, &p), strtold(a, &q), CHECK("strtold", p - a, q - a);
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

static void append(char *to, const char *part) { strcat(to, part); }
#define ONE_OF(...) ((const char *[]){__VA_ARGS__}[random_below(sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *))])

/* A random directive for the type that `kind` stands for. */
static void random_directive(char *to, int kind)
{
    char flags[8], width[8];
    random_string(flags, "-+ #0", 3), random_string(width, "123", 1);
    append(to, "%"), append(to, flags), append(to, width);
    if (random_below(3) == 0)
        append(to, ONE_OF(".0", ".1", ".3", ".12", "."));
    if (kind == 0)
        append(to, ONE_OF("d", "i", "u", "x", "X", "o", "hd", "hhu", "hx", "hhd", "c"));
    else if (kind == 1)
        append(to, ONE_OF("ld", "lu", "lx", "zd", "zu", "jd", "tx"));
    else if (kind == 2)
        append(to, ONE_OF("lld", "llu", "llX", "llo"));
    else
        append(to, "s");
}

static unsigned long long random_number(void)
{
    unsigned long long n = (unsigned long long) random_below(1u << 30) << 34 | random_below(1u << 30) << 4 | random_below(16);
    return random_below(4) ? n >> random_below(64) : random_below(2) ? -n >> 63 : 0 - (n >> random_below(64));
}

static void printed(const char *a)
{
    char format[64] = "", x[200], y[200], *p, *q;
    const char *b = format;
    size_t size = random_below(4) ? 200 : random_below(12);
    int n = (int) random_number(), own = 0, real = 0, width = (int) random_below(9) - 4;
    long l = (long) random_number();
    long long ll = (long long) random_number();
    memset(x, 'q', 200), memset(y, 'q', 200);
    append(format, a), random_directive(format, 0), append(format, ":%%"), random_directive(format, 3);
    random_directive(format, 1), append(format, "%*"), append(format, ONE_OF("d", ".*d", "u")), append(format, "%n");
    if (strstr(format, ".*")) {
        CHECK("snprintf", own_snprintf(x, size, format, n, a, l, width, 3, n, &own), snprintf(y, size, format, n, a, l, width, 3, n, &real));
    } else {
        CHECK("snprintf", own_snprintf(x, size, format, n, a, l, width, n, &own), snprintf(y, size, format, n, a, l, width, n, &real));
    }
    CHECK("snprintf", own, real);
    CHECK("snprintf", memcmp(x, y, 200), 0);
    strcpy(format, "<"), random_directive(format, 2), append(format, ">%.2s");
    CHECK("sprintf", own_sprintf(x, format, ll, a), sprintf(y, format, ll, a));
    CHECK("sprintf", memcmp(x, y, 200), 0);
    CHECK("asprintf", own_asprintf(&p, format, ll, a), asprintf(&q, format, ll, a));
    CHECK("asprintf", strcmp(p, q), 0);
    free(p), free(q);
}

/* The directives of a format store to what `x`, and `y`, point to; sizes are those of the largest. */
static void scanned(const char *a)
{
    static const char *const directives[] = {
        "%d", "%i", "%u", "%x", "%o", "%3d", "%2x", "%1i", "%ld", "%lx", "%lld", "%hd", "%hhu", "%zu", "%s", "%3s", "%c", "%2c",
        "%[ab]", "%[^ab]", "%4[a-c0-9]", "%[]x]", "%[^]x]", "%*d", "%*s", "%n", "%%", "%X", "%jd", "%[b-]"};
    char format[64] = "", x[3][64], y[3][64];
    const char *b = format;
    int i;
    memset(x, 'q', sizeof x), memset(y, 'q', sizeof y);
    for (i = 0; i < 3; i++) {
        append(format, ONE_OF("", "", " ", "a", "1", ","));
        append(format, directives[random_below(sizeof directives / sizeof *directives)]);
    }
    if (random_below(3) == 0)
        append(format, ONE_OF(" ", "a", "%n"));
    CHECK("sscanf", own_sscanf(a, format, x[0], x[1], x[2], x[2]), sscanf(a, format, y[0], y[1], y[2], y[2]));
    CHECK("sscanf", memcmp(x, y, sizeof x), 0);
}

static void lines(void)
{
    static char text[] = INPUT;
    const char *a = INPUT, *b = "";
    char x[64], y[64], *p, *q;
    FILE *file = fmemopen(text, strlen(text), "r");
    int size;
    do {
        size = (int) random_below(6);
        memset(x, 'q', 64), memset(y, 'q', 64);
        p = own_fgets(x, size, 0), q = fgets(y, size, file);
        CHECK("fgets", AT(p, x), AT(q, y));
        CHECK("fgets", memcmp(x, y, 64), 0);
    } while (q || size < 2);
    fclose(file);
}

static void orders(unsigned n)
{
    const char *a = "", *b = "";
    CHECK("htonl", own_htonl(n), htonl(n));
    CHECK("ntohl", own_ntohl(n), ntohl(n));
    CHECK("htons", own_htons(n), htons(n));
    CHECK("ntohs", own_ntohs(n), ntohs(n));
}

int main(void)
{
    static const char *const digits[] = {"0123456789", "01xX8fF-+ ", "9", "0zZ19", " -+18\t"};
    char a[64], b[64];
    int i;
    characters();
    lines();
    for (i = 0; i < 200000; i++) {
        random_string(a, "abAB.\xe4", 8), random_string(b, "abB.\xc4", 3);
        strings(a, b, random_below(9));
        orders(random_below(4294967295u));
        random_string(a, "a,; b", 9), random_string(b, ",; ", 2);
        tokens(a, b);
        random_string(a, " -+\t", 2);
        random_string(a + strlen(a), digits[random_below(5)], random_below(2) ? 6 : 24);
        numbers(a);
        random_string(b, "0xXaf19-+", 7);
        scanned(random_below(2) ? a : b);
        random_string(b, "abc01 ]x-", 8);
        scanned(b), printed(b);
    }
    return 0;
}
