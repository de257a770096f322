"""Programs that give functions of the C library memory that suffices, and memory that does not.

Each is the body of a main function with `N` in it, and what stands for N where all is well and where not. `typed` is
what is typed into the wrong one under the address sanitizer; None where that cannot see it: it checks what one
execution touches, and no library promises to touch all that it may.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.dataclass import dataclass

_HEADERS = (
    "arpa/inet.h fcntl.h limits.h math.h poll.h stdint.h stdio.h stdlib.h string.h strings.h sys/select.h sys/socket.h "
    "sys/stat.h sys/time.h time.h unistd.h wchar.h netdb.h sys/resource.h sys/utsname.h sys/wait.h signal.h"
)
_LONG = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class ExtentCase:
    """`wrong_is` is the verdict about the wrong program."""

    name: str
    body: str
    right: str
    wrong: str
    typed: str | None = None
    wrong_is: str = "false"
    before: str = ""
    engine: str = "bmc"

    def program(self, is_right: bool) -> str:
        """The text of one of the two programs."""
        includes = "".join(f"#include <{header}>\n" for header in _HEADERS.split())
        defined = f"#define N {self.right if is_right else self.wrong}\n"
        main = f"int main(void)\n{{\n    {self.body}\n    return 0;\n}}\n"
        return f"#define _GNU_SOURCE\n{includes}{defined}{self.before}\n{main}"


def extent_cases() -> Iterator[ExtentCase]:
    """All of them."""
    yield from _scanning()
    yield from _printing()
    yield from _files()
    yield from _networks()
    yield from _times()
    yield from _others()


def _scanning() -> Iterator[ExtentCase]:
    c = ExtentCase
    yield c("scanf %s", 'char b[8]; scanf("%" N "s", b);', '"7"', '""', _LONG)
    yield c("scanf %10s", 'char b[N]; scanf("%10s", b);', "11", "10", _LONG)
    yield c("scanf %c", 'char b[N]; scanf("%c%c", b, b + 1);', "2", "1", "ab")
    yield c("scanf %5c", 'char b[N]; scanf("%5c", b);', "5", "4", _LONG)
    yield c("scanf %[", 'char b[N]; scanf("%3[a-z]", b);', "4", "3", _LONG)
    yield c("scanf %[^]", 'char b[9]; scanf("%" N "[^\\n]", b);', '"8"', '""', _LONG)
    yield c("scanf %n", 'N n; scanf("%*d%n", (int *) &n);', "int", "short")
    yield c("scanf %lld", 'N x; scanf("%lld", (long long *) &x);', "long long", "int", "12")
    yield c("scanf %hd", 'N x; scanf("%hd", (short *) &x);', "short", "char", "12")
    yield c("scanf %lf", 'N x; scanf("%lf", (double *) &x);', "double", "float", "12")
    yield c("scanf %5lf", 'N x; scanf("%5lf", (double *) &x);', "double", "float", "12")
    yield c("scanf %d%n", 'int x; N n; scanf("%d%n", &x, (int *) &n);', "int", "short", "12")
    yield c("scanf null", 'int x; int *p = N; scanf("%d", p);', "&x", "0", "12")
    yield c("scanf literal", 'char b[4]; char *p = N; scanf("%3s", p);', "b", '"abc"', "xyz")
    yield c("scanf constant", 'N int x = 1; scanf("%d", (int *) &x);', "", "static const", "12")
    yield c("scanf dead", 'int *p, z; { int x; p = N; } scanf("%d", p);', "&z", "&x")
    yield c("scanf skips", "char b[2]; scanf(N, b);", '"%*s%1s"', '"%*s%2s"', "abc xyz")
    yield c("scanf value", 'int x; if (scanf("%d", &x) N) return x;', "== 1", "!= 1")
    yield c("scanf second value", 'int x, y; if (scanf("%d%d", &x, &y) >= N) return y;', "2", "1")
    yield c(
        "scanf %ms",
        'char *p; if (scanf("%ms", &p) == 1) { char c = p[N]; free(p); return c; }',
        "1",
        "2",
        "a",
        engine="chc",
    )
    yield c("fscanf", 'char b[N]; fscanf(stdin, "%4s", b);', "5", "4", _LONG)
    yield c("sscanf", 'char b[N]; sscanf("hello", "%4s", b);', "5", "4", "")
    yield c("gets in no room", "char b[100]; N", "b[0] = 0;", "extern char *gets(char *); gets(b);")
    yield c("fgets", "char b[4]; fgets(b, N, stdin);", "4", "11", _LONG)
    yield c("fgets ends", "char b[4]; if (fgets(b, 4, stdin)) return b[strlen(b) + N];", "0", "4", "abc")
    yield c(
        "getline",
        "char *p = 0; size_t n = 0; if (getline(&p, &n, stdin) > 0) { char c = p[N]; free(p); return c; } free(p);",
        "1",
        "2",
        engine="chc",
    )
    yield c("strtol", 'char *e, **p = N; strtol("12", p, 10);', "&e", "(char **) 8", "")


def _printing() -> Iterator[ExtentCase]:
    c = ExtentCase
    ended, open_ = "{'a', 0}", "{'a', 'b'}"
    yield c("printf %s", 'char b[2] = N; printf("%s\\n", b);', ended, open_, "")
    yield c("printf %.3s", 'char b[N] = "abcd"; printf("%.3s\\n", b);', "3", "2", "")
    yield c("printf %.*s", 'char b[3] = {97, 98, 99}; printf("%.*s\\n", N, b);', "3", "4")
    yield c("printf %ls", 'wchar_t b[2] = {97, N}; printf("%ls\\n", b);', "0", "98")
    yield c("printf %n", 'N n; printf("abc%n\\n", (int *) &n);', "int", "char", "")
    yield c("printf null", 'const char *p = N; printf("%s\\n", p);', '"a"', "0")
    yield c("printf unset", 'char b[4]; N; printf("%s\\n", b);', "b[0] = 0", "(void) 0")
    yield c("fprintf", 'char b[2] = N; fprintf(stderr, "%d %s\\n", 1, b);', ended, open_, "")
    yield c("puts", "char b[2] = N; puts(b);", ended, open_, "")
    yield c("fputs", "char b[2] = N; fputs(b, stdout);", ended, open_, "")
    yield c("perror", "char b[2] = N; perror(b);", ended, open_)
    yield c("sprintf", 'char b[N]; sprintf(b, "%d", 123);', "4", "3", "")
    yield c("snprintf", 'char b[4]; snprintf(b, N, "%s", "abcdef");', "4", "5", "")
    yield c("snprintf result", 'char b[4]; int n = snprintf(b, 4, "%s", "abcdef"); b[n < 4 ? n : N] = 0;', "3", "n", "")


def _files() -> Iterator[ExtentCase]:
    c = ExtentCase
    yield c("read", "char b[N]; read(0, b, 8);", "8", "7", "abcdefgh")
    yield c("read much", "static char b[N]; read(0, b, 100);", "100", "99", _LONG * 5)
    yield c("read result", "char b[9]; ssize_t n = read(0, b, 8); if (n >= 0) b[n N] = 0;", "", "+ 1")
    yield c("read variable", "char b[8]; int n = getchar(); if (n N) read(0, b, n);", ">= 0 && n <= 8", "<= 8")
    yield c("pread", "char b[N]; pread(0, b, 8, 0);", "8", "7")
    yield c("write", "char b[N] = {1}; write(1, b, 4);", "4", "3", "")
    yield c("write literal", 'write(1, "abc", N);', "4", "5", "")
    yield c("fread", "int b[4]; fread(b, sizeof b[0], N, stdin);", "4", "5", _LONG)
    yield c(
        "fread result",
        "static int b[100]; int c[100]; size_t n = fread(b, 4, 100, stdin); for (size_t i = 0; i N n; i++) c[i] = 1;",
        "<",
        "<=",
        wrong_is="false",
    )
    yield c("fwrite", "int b[4] = {0}; fwrite(b, sizeof b[0], N, stdout);", "4", "5", "")
    yield c(
        "fwrite product",
        "int b[4] = {0}; size_t n = (size_t) getchar(); if (n <= N) fwrite(b, 4, n, stdout);",
        "4",
        "5",
    )
    yield c("fopen", 'char b[2] = N; fopen("x", b);', "{'r', 0}", "{'r', 'w'}", "")
    yield c(
        "stat", 'char b[N] __attribute__((aligned(16))); stat("/", (struct stat *) b);', "sizeof(struct stat)", "8", ""
    )
    yield c("fstat", "struct stat s, *p = N; fstat(0, p);", "&s", "0")
    yield c("readlink", 'char b[4]; readlink("/proc/self/exe", b, N);', "4", "40", "")
    yield c("getcwd", "char b[4]; getcwd(b, N);", "4", "400")
    yield c("realpath", 'char b[N]; realpath("/usr/bin", b);', "4096", "4", "")
    yield c("gethostname", "char b[4]; gethostname(b, N);", "4", "64")
    yield c("pipe", "int f[N]; pipe(f);", "2", "1")
    yield c("getenv", "char b[2] = N; getenv(b);", "{'a', 0}", "{'a', 'b'}")
    yield c("mkstemp", 'char b[] = "/tmp/XXXXXX"; char *p = N; mkstemp(p);', "b", '"/tmp/XXXXXX"', "")
    yield c("poll", "struct pollfd f[1] = {{0, 1, 0}}; poll(f, N, 0);", "1", "2", "")
    yield c(
        "select",
        "fd_set s; char b[8]; FD_ZERO(&s); fd_set *p = N; struct timeval t = {0, 0}; select(0, p, 0, 0, &t);",
        "&s",
        "(fd_set *) b",
    )
    yield c("uname", "struct utsname u; char b[8]; uname(N);", "&u", "(struct utsname *) b", "")
    yield c("getrlimit", "struct rlimit r; int x; getrlimit(0, N);", "&r", "(struct rlimit *) &x")
    yield c("wait", "N s; wait((int *) &s);", "int", "char")


def _networks() -> Iterator[ExtentCase]:
    c = ExtentCase
    yield c("recv", "char b[4]; recv(0, b, N, 0);", "4", "5")
    yield c(
        "recvfrom",
        "char b[4]; struct sockaddr a; socklen_t n = N; recvfrom(0, b, 4, 0, &a, &n);",
        "sizeof a",
        "sizeof a + 1",
    )
    yield c("send", "char b[4] = {0}; send(0, b, N, 0);", "4", "5")
    yield c("sendto", "char b[4] = {0}; struct sockaddr a = {0}; sendto(0, b, 4, 0, &a, N);", "sizeof a", "200")
    yield c("bind", "struct sockaddr a = {0}; bind(0, &a, N);", "sizeof a", "200")
    yield c("accept", "struct sockaddr a; socklen_t n = N; accept(0, &a, &n);", "sizeof a", "200")
    yield c("setsockopt", "int x = 1; setsockopt(0, 1, 2, &x, N);", "sizeof x", "16")
    yield c("inet_ntop", "char b[46]; unsigned x = 0; inet_ntop(N, &x, b, 46);", "AF_INET", "AF_INET6", "")
    yield c("inet_ntop text", "char b[4]; unsigned x = 0; inet_ntop(AF_INET, &x, b, N);", "4", "16", None, "unknown")
    yield c("inet_aton", "struct in_addr a; char t[2] = N; inet_aton(t, &a);", "{'1', 0}", "{'1', '2'}", "")
    yield c("getaddrinfo", 'struct addrinfo *r, **p = N; getaddrinfo("x", 0, 0, p);', "&r", "0")


def _times() -> Iterator[ExtentCase]:
    c = ExtentCase
    yield c("time", "N t; time((time_t *) &t);", "time_t", "short", "")
    yield c("gettimeofday", "struct timeval t; char b; gettimeofday(N, 0);", "&t", "(struct timeval *) &b")
    yield c("clock_gettime", "struct timespec t; char b; clock_gettime(0, N);", "&t", "(struct timespec *) &b", "")
    yield c("localtime_r", "time_t t = 0; struct tm m; char b[4]; localtime_r(&t, N);", "&m", "(struct tm *) b", "")
    yield c("localtime_r value", "time_t t; N; struct tm m; localtime_r(&t, &m);", "t = 0", "(void) 0")
    yield c("asctime_r", "time_t t = 0; char b[N]; ctime_r(&t, b);", "26", "25", "")
    yield c("strftime", 'struct tm m = {0}; char b[4]; strftime(b, N, "%Y", &m);', "4", "40", None, "unknown")
    yield c("strftime null", 'struct tm m = {0}, *p = N; char b[4]; strftime(b, 4, "%Y", p);', "&m", "0", "")
    yield c("mktime", "struct tm m = {0}; char b[4]; mktime(N);", "&m", "(struct tm *) b", "")
    yield c("nanosleep", "struct timespec t = {0, 1}; int x = 0; nanosleep(N, 0);", "&t", "(struct timespec *) &x")


def _others() -> Iterator[ExtentCase]:
    c = ExtentCase
    yield c("frexp", "N e; frexp(1.0, (int *) &e);", "int", "short", "")
    yield c("modf", "N i; modf(1.5, (double *) &i);", "double", "float")
    yield c("memcpy", "char a[4] = {0}, b[4]; memcpy(b, a, N);", "4", "5", "")
    yield c(
        "memcpy negative",
        "char a[4] = {0}, b[4]; int n = getchar(); if (n N) memcpy(b, a, n);",
        ">= 0 && n < 5",
        "< 5",
        wrong_is="false",
    )
    yield c("memset", "char b[4]; memset(b, 0, N);", "4", "5", "")
    yield c("memset of mixed", "struct { char c; double d; } s; memset(&s, 1, sizeof s N);", "", "+ 1", "")
    yield c("bzero", "char b[4]; bzero(b, N);", "4", "5", "")
    yield c("mbstowcs", 'wchar_t b[4]; mbstowcs(b, "abcdef", N);', "4", "8", None, "unknown")
    yield c("wcslen", "wchar_t b[2] = {97, N}; wcslen(b);", "0", "98")
    yield c("wcscpy", "wchar_t a[4] = {1, 2, 3, 0}, b[N]; wcscpy(b, a);", "4", "3")
    yield c("wcsncpy", "wchar_t a[2] = {1, 0}, b[4]; wcsncpy(b, a, N);", "4", "5")
    yield c("wmemset", "wchar_t b[4]; wmemset(b, 0, N);", "4", "5")
    compare = "static int f(const void *x, const void *y) { return *(const int *) x > *(const int *) y; }"
    yield c("qsort", "int b[3] = {2, 1, 3}; qsort(b, N, sizeof b[0], f);", "3", "4", "", before=compare)
    yield c("bsearch", "int b[3] = {1, 2, 3}, k = 4; bsearch(&k, b, N, sizeof b[0], f);", "3", "5", "", before=compare)
    yield c(
        "qsort compares",
        "int b[3] = {2, 1, 3}; qsort(b, 3, sizeof b[0], f);",
        "0",
        "1",
        "",
        before="static int f(const void *x, const void *y) { return ((const int *) x)[2 * N] > *(const int *) y; }",
    )
    yield c("rand_r", "N s = 1; rand_r((unsigned *) &s);", "unsigned", "char", "")
    yield c("getentropy", "char b[4]; getentropy(b, N);", "4", "5")
    yield c("sigemptyset", "sigset_t s; char b; sigemptyset(N);", "&s", "(sigset_t *) &b")
    yield c("system", "char b[2] = N; system(b);", "{':', 0}", "{':', ' '}")
