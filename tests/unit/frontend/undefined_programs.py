"""Programs for the rows of docs/undefined-behaviour.md, by their numbers.

A program of `CHECKED` has the behaviour when it runs, which the interpreter sees as of the kind; one of `ASSUMED` may
have it, one of `REFUSED` is no program here, and one of `REJECTED` none for gcc.
"""

from __future__ import annotations

_ARGUMENTS = "#include <stdarg.h>\nint f(int n, ...) { va_list l; %s }"
_ONE = _ARGUMENTS % "va_start(l, n); int r = va_arg(l, %s); va_end(l); return r;"
_MAIN = "int main(void) {{ {} return 0; }}"


def _main(body: str, *headers: str, before: str = "") -> str:
    lines = "".join(f"#include <{one}>\n" for one in headers)
    return lines + before + _MAIN.format(body)


_OVERLAPPING = "struct s { int v[2]; }; union { struct s p; struct { int v; struct s s; } q; } u; "

CHECKED: dict[tuple[int, str], str] = {
    (9, "dangling"): _main("int *p; { int x = 1; p = &x; } return *p;"),
    (11, "uninitialized"): _main("int x; return x;"),
    (12, "boolean"): _main("_Bool b; *(char *)&b = 2; return b;"),
    (13, "boolean"): _main("union { _Bool b; char c; } u; u.c = 3; return u.b;"),
    (17, "float-conversion"): _main("return (int)1e10;"),
    (19, "null"): _main("int *p = 0; return *p;"),
    (19, "dangling"): _main("int a[2] = {1, 2}, *p = a + 2; return *p;"),
    (21, "uninitialized"): _main("struct { int a, b; } x; x.a = 1; return x.b;"),
    (25, "alignment"): _main("char c[8] = {0}; int *p = (int *)(c + 1); return p == 0;"),
    (26, "call"): _main(
        "int (*p)(long, long) = (int (*)(long, long))f; return p(1, 2);", before="int f(int a) { return a; } "
    ),
    (33, "dangling"): _main("char *s = \"abc\"; s[0] = 'x';"),
    (35, "sequence"): _main("int x = 0; return x++ + x;"),
    (36, "overflow"): _main("int x = 2147483647; x = x + 1;"),
    (36, "division"): _main("int x = 0; x = 1 % x;"),
    (36, "shift"): _main("int x = 40; x = 1 >> x;"),
    (38, "call"): "int f(); int main(void) { return f(1, 2); } int f(a) int a; { return a; }",
    (39, "call"): "int f(); int main(void) { return f(1L << 3, 2); } int f(int a) { return a; }",
    (40, "call"): "int f(a) long long a; { return a > 0; } int main(void) { return f(1); }",
    (41, "call"): "int f(int a) { return a; } int main(void) { return ((int (*)(void))f)(); }",
    (43, "null"): _main("int *p = 0; *p = 1;"),
    (43, "dangling"): _main("int *p = malloc(4); free(p); *p = 1;", "stdlib.h"),
    (45, "division"): _main("int z = 0; return 1 / z;"),
    (46, "pointer"): _main("int a[2], *p = a; p = p + 3; return p == 0;"),
    (47, "dangling"): _main("int a[2] = {1, 2}, *p = a; p += 2; return *p;"),
    (48, "pointer"): _main("int a[2], b[2]; return a - b == 0;"),
    (49, "bounds"): _main("int a[4][5] = {0}; return a[1][7];"),
    (51, "shift"): _main("int n = 32; return 1 << n;"),
    (52, "overflow"): _main("int n = -1; return n << 1;"),
    (53, "pointer"): _main("int a, b; return &a < &b;"),
    (54, "overlap"): _main("u.p = u.q.s;", before=_OVERLAPPING),
    (62, "dangling"): _main(
        "struct s *p = malloc(sizeof *p); if (p) p->a[0] = 1;", "stdlib.h", before="struct s { int n, a[]; }; "
    ),
    (64, "const"): _main("struct { int v; const int c; } s = {1, 2}; ((int *)&s)[1] = 3;"),
    (68, "restrict"): _main(
        "int x; f(&x, &x);", before="void f(int *restrict a, int *restrict b) { *a = 1; *b = 2; } "
    ),
    (71, "noreturn"): "_Noreturn void f(void) { } int main(void) { f(); return 0; }",
    (77, "dangling"): _main("int a[3] = {0}; return f(a);", before="int f(int a[static 4]) { return a[0]; } "),
    (77, "null"): _main("return f(0);", before="int f(int a[static 1]) { return a != 0; } "),
    (75, "length"): _main("int n = 0, a[n]; return sizeof a > 0;"),
    (88, "return"): "int f(int x) { if (x) return 1; } int main(void) { return f(0); }",
    (100, "overlap"): _main('char s[8] = "abcdef"; memcpy(s + 1, s, 4);', "string.h"),
    (109, "dangling"): _main('char s[2], t[4] = "abc"; memcpy(s, t, 4);', "string.h"),
    (119, "overflow"): _main("return abs(-2147483647 - 1);", "stdlib.h"),
    (135, "arguments"): f"{_ARGUMENTS % 'return va_arg(l, int);'} int main(void) {{ return f(1, 2); }}",
    (140, "arguments"): f"{_ONE % 'int'} int main(void) {{ return f(1); }}",
    (152, "arguments"): _main('char b[9]; sprintf(b, "%d");', "stdio.h"),
    (155, "arguments"): _main('char b[9]; sprintf(b, "%*d", 3);', "stdio.h"),
    (158, "dangling"): _main("char s[3] = {'a', 'b', 'c'}, b[9]; sprintf(b, \"%s\", s);", "stdio.h"),
    (164, "dangling"): _main('char b[4]; sscanf("abcd", "%s", b);', "stdio.h"),
    (167, "uninitialized"): (
        "#include <stdio.h>\n"
        + _ARGUMENTS % 'char b[9]; return vsprintf(b, "%d", l);'
        + _MAIN.format("return f(1, 2);")
    ),
    (171, "uninitialized"): _main("int b[2]; fread(b, sizeof(int), 2, stdin); return b[1];", "stdio.h"),
    (174, "dangling"): _main("char *p = malloc(0); if (p) *p = 1;", "stdlib.h"),
    (175, "dangling"): _main("char *p = malloc(1); free(p); return *p;", "stdlib.h"),
    (177, "dangling"): _main("int x; free(&x);", "stdlib.h"),
    (178, "uninitialized"): _main("int *p = malloc(4); return *p;", "stdlib.h"),
    (179, "uninitialized"): _main("int *p = malloc(4); *p = 1; p = realloc(p, 8); return p[1];", "stdlib.h"),
    (189, "dangling"): _main('char d[3]; strcpy(d, "abcdef");', "string.h"),
    (190, "null"): _main("char *p = 0; return strlen(p);", "string.h"),
    (192, "null"): _main('return strtok(0, " ") == 0;', "string.h"),
}

_SIGNAL = "#include <signal.h>\nvoid h(int s) {{ {} }} "
_HANDLED = _MAIN.format("signal(SIGFPE, h);")
REFUSED: dict[int, str] = {
    2: "int main(void) { return 0; } /* never closed",
    3: "#define J(a, b) a ## b\nint main(void) { int J(\\, u00e9) = 1; return 0; }",
    4: "int mein(void) { return 0; }",
    5: "#include <pthread.h>\nvoid *f(void *p) { return p; } "
    + _MAIN.format("pthread_t t; pthread_create(&t, 0, f, 0);"),
    6: _main("return 0 @ 1;"),
    7: _main("int a\u00e9 = 1;"),
    15: "int x; extern char x; int main(void) { return x; }",
    20: "struct s; extern struct s x; void f(struct s *, int); int main(void) { struct s y = x; return 0; }",
    23: "void f(void) {} int main(void) { return (int)f(); }",
    27: _main('char *s = "abc;'),
    28: _main("int while = 1;"),
    29: _main("int \\u0024x = 1;"),
    30: _main("int \\u0660x = 1;"),
    34: "#include <a//b.h>\nint main(void) { return 0; }",
    44: _main("int x; float f = (float)&x;"),
    55: "enum { A = 1.5 }; int main(void) { return A; }",
    56: "int f(void) { return 1; } int x = f(); int main(void) { return x; }",
    57: "double d = (double)(char *)0; int main(void) { return 0; }",
    58: "int a[2], *p = &a[a[0]]; int main(void) { return p == 0; }",
    59: _main("int a[];"),
    63: "int main(void) { struct s { int a; }; return 0; } struct s x;",
    74: "int *p; extern char *p; int main(void) { return 0; }",
    76: "int a[2]; extern int a[3]; int main(void) { return 0; }",
    79: "int f(int, ...); int f(int a) { return a; } int main(void) { return f(1); }",
    82: _main("struct s { int a; } x = 1;"),
    83: "int a[2] = 1; int main(void) { return a[0]; }",
    84: "int f(void) { return 1; } int f(void) { return 2; } int main(void) { return f(); }",
    86: "struct s; int f(struct s x) { return 0; } int main(void) { return 0; }",
    87: "#include <stdarg.h>\nint f(int n) { va_list l; va_start(l, n); return 0; } int main(void) { return f(1); }",
    90: "#if defined 3\n#endif\nint main(void) { return 0; }",
    91: "#define H abc\n#include H\nint main(void) { return 0; }",
    93: "#define F(x) x\nint main(void) { return F(\n#define X\n1); }",
    94: "#define S(x) #x\nint main(void) { char *s = S(\\); return 0; }",
    96: "#line 9\nint main(void) { return __LINE__; }",
    97: "#pragma pack(1)\nint main(void) { return 0; }",
    111: _main("assert(x);", "assert.h", before="struct s { int a; } x; "),
    125: _main("int x = setjmp(b) + 1; return x;", "setjmp.h", before="jmp_buf b; "),
    126: _main("longjmp(b, 1);", "setjmp.h", before="jmp_buf b; "),
    127: _main("int x = 1; if (!setjmp(b)) { x = 2; longjmp(b, 1); } return x;", "setjmp.h", before="jmp_buf b; "),
    134: "#include <pthread.h>\n#include <signal.h>\nvoid *f(void *p) { return p; } "
    + _MAIN.format("pthread_t t; pthread_create(&t, 0, f, 0); signal(SIGINT, SIG_IGN);"),
    139: f"{_ONE % 'int[2]'} int main(void) {{ return f(1, 2); }}",
    143: "#include <stddef.h>\nstruct s { int b; }; int main(void) { return offsetof(struct s, c); }",
    180: _main("atexit(h); exit(0);", "stdlib.h", before="void h(void) { exit(1); } "),
    181: "#include <setjmp.h>\n"
    + _main("atexit(h);", "stdlib.h", before="jmp_buf b; void h(void) { longjmp(b, 1); } "),
    194: _main("double complex z = 1; z = z * z;", "complex.h"),
    118: _main("fenv_t e; fesetenv(&e);", "fenv.h"),
    112: _main("int x = 1;\n#pragma STDC FP_CONTRACT ON\nreturn x;"),
}

REJECTED: dict[int, str] = {
    8: "int f(void); static int f(void) { return 0; } int main(void) { return f(); }",
    22: _main("register int a[2] = {1, 2}; return *a;"),
    32: _main("int __func__ = 1;"),
    60: _main("static int f(void);"),
    67: "extern const int x; extern int x; int main(void) { return x; }",
    78: "int f(const void) { return 0; } int main(void) { return f(); }",
    95: "#define C(a, b) a ## b\nint main(void) { return C(+, 1); }",
    99: "#define defined 1\nint main(void) { return 0; }",
    143: "#include <stddef.h>\nstruct s { int b : 3; }; int main(void) { return offsetof(struct s, b); }",
}

_WIDE = ("stdio.h", "wchar.h")
ASSUMED: dict[int, str] = {
    4: "int main(char **a, int b) { return b; }",
    10: _main("int *p, *q; { int x = 1; p = &x; } q = p; return q == 0;"),
    17: _main("double d = 1e10; int i = d; return i;"),
    21: _main("struct { int a; } x, y; y = x;"),
    24: _main("int x, *p = &x; char c = (char)p; return *p + c;"),
    37: _main("int x = 1; float *f = (float *)&x; return *f > 0;"),
    46: _main("struct { int a, b; } x = {1, 2}; int *p = &x.a; p = p + 1; return *p;"),
    49: _main("int a[4][5] = {0}, *p = a[1]; return p[7];"),
    50: _main("char *p = malloc(3000000000u); if (p) return p + 3000000000u - p == 0;", "stdlib.h"),
    62: "struct s { int n, a[]; } x; int main(void) { return x.a[0]; }",
    64: _main("union { const int a; int b; } u = {1}; u.b = 2; return u.a;"),
    65: _main("volatile int v = 1; int *p = (int *)&v; return *p;"),
    68: _main("int x; f(&x);", before="void h(int *p) { *p = 1; } void f(int *restrict a) { h(a); } "),
    69: _main("int x = 1, *restrict p = &x; { int *restrict q = p; p = q; }"),
    70: "inline int f(void); int main(void) { return f(); }",
    76: _main("int n = 2, m = 3, a[n]; int (*p)[m] = &a; return p == 0;"),
    84: "int f(void); int main(void) { return f(); }",
    105: "static int abs(int); int main(void) { return abs(1); }",
    106: 'unsigned strlen(const char *s) { return 7; } int main(void) { return strlen("abc"); }',
    108: _main("return toupper(1000);", "ctype.h"),
    109: _main("char s[2]; setbuf(stdout, s);", "stdio.h"),
    113: _main("return isalpha(1000);", "ctype.h"),
    115: _main("return fetestexcept(FE_ALL_EXCEPT);", "fenv.h"),
    116: _main("return fetestexcept(12345);", "fenv.h"),
    117: _main("fexcept_t e; fesetexceptflag(&e, FE_INVALID);", "fenv.h"),
    119: _main('return atoi("99999999999");', "stdlib.h"),
    120: _main('char *s = setlocale(LC_ALL, "C"); if (s) s[0] = 1;', "locale.h"),
    121: _main("struct lconv *s = localeconv(); s->decimal_point = 0;", "locale.h"),
    123: _main("return isnan(1);", "math.h"),
    124: "int setjmp(int *e) { return 0; } int main(void) { return setjmp(0); }",
    5: _SIGNAL.format("x = s;").replace("void", "int x; void") + _HANDLED,
    128: _main("signal(SIGINT, (void (*)(int))1);", "signal.h"),
    129: _SIGNAL.format("return;") + _HANDLED,
    130: _SIGNAL.format("raise(s);") + _HANDLED,
    131: _SIGNAL.format("x = s;").replace("void", "int x; void") + _HANDLED,
    132: "#include <errno.h>\n" + _SIGNAL.format("errno = s;") + _HANDLED,
    133: _SIGNAL.format("raise(s);") + _HANDLED,
    136: _main(
        "return f(1, 2, 3);",
        "stdarg.h",
        before="int g(va_list l) { return va_arg(l, int); } int f(int n, ...) { va_list l; va_start(l, n);"
        " int r = g(l); r += va_arg(l, int); va_end(l); return r; } ",
    ),
    138: f"{_ARGUMENTS % 'va_start(l, n); return va_arg(l, int);'} int main(void) {{ return f(1, 2); }}",
    141: f"{_ARGUMENTS % 'va_start(l, n); va_start(l, n); return 0;'} int main(void) {{ return f(1, 2); }}",
    142: f"{_ONE % 'int'} int main(void) {{ return f(1, 2); }}".replace("int n", "char n"),
    145: _main('fwide(stdout, 1); printf("x");', *_WIDE),
    146: _main("fputwc(L'a', stdout); fseek(stdout, 9, SEEK_SET);", *_WIDE),
    147: _main('FILE *f = fopen("a", "r"); if (f) { fclose(f); fgetc(f); }', "stdio.h"),
    148: _main("fflush(stdin);", "stdio.h"),
    149: _main('return fopen("a", "q") == 0;', "stdio.h"),
    150: _main('FILE *f = fopen("a", "r+"); if (f) { fputc(1, f); fgetc(f); }', "stdio.h"),
    151: _main("char b[99]; setvbuf(stdout, b, _IOFBF, 99); return b[0] == 1;", "stdio.h"),
    152: _main('printf("%d");', "stdio.h"),
    153: _main('printf("\\xff\\xfe");', "stdio.h"),
    154: _main("char b[9]; sprintf(b, \"%.3c\", 'a');", "stdio.h"),
    156: _main('char b[9]; sprintf(b, "%#d", 1);', "stdio.h"),
    157: _main('char b[9]; sprintf(b, "%Ld", 1LL);', "stdio.h"),
    159: _main('char b[9]; int n; sprintf(b, "%5n", &n);', "stdio.h"),
    160: _main('char b[9]; sprintf(b, "%5%");', "stdio.h"),
    161: _main('char b[9]; sprintf(b, "%y", 1);', "stdio.h"),
    162: _main('printf("%2147483647d%d", 1, 2);', "stdio.h"),
    163: _main('int n; sscanf("99999999999", "%d", &n);', "stdio.h"),
    164: _main("char b[4]; scanf(f, b);", "stdio.h", before="extern char *f; "),
    165: _main('wchar_t w[9]; scanf("%8ls", w);', *_WIDE),
    166: _main('void *p; sscanf("0x10", "%p", &p);', "stdio.h"),
    167: _main('return vprintf("%d", l);', "stdio.h", "stdarg.h", before="va_list l; "),
    168: _main("char b[4]; fgets(b, 4, stdin); return b[0];", "stdio.h"),
    169: _main("ungetc('a', stdin); return ftell(stdin) > 0;", "stdio.h"),
    170: _main("char b[4]; fread(b, 1, 4, stdin); return ftell(stdin) > 0;", "stdio.h"),
    172: _main("fseek(stdin, 7, SEEK_END);", "stdio.h"),
    173: _main("fpos_t p; fsetpos(stdin, &p);", "stdio.h"),
    175: _main("char *p = malloc(1), *q; free(p); q = p; return q == 0;", "stdlib.h"),
    176: _main("void *p = aligned_alloc(3, 5); free(p);", "stdlib.h"),
    182: _main('char *s = getenv("A"); if (s) *s = 1;', "stdlib.h"),
    184: _main('system("x");', "stdlib.h"),
    185: _main(
        "int k = 1; return bsearch(&k, a, 0, 4, c) == 0;",
        "stdlib.h",
        before="int a[1]; int c(const void *x, const void *y) { return 0; } ",
    ),
    186: _main("qsort(a, 3, 4, c);", "stdlib.h", before="int a[3]; int c(const void *x, const void *y) { return 1; } "),
    187: _main(
        "int k = 2; return bsearch(&k, a, 3, 4, c) == 0;",
        "stdlib.h",
        before="int a[3] = {3, 1, 2}; int c(const void *x, const void *y) { return *(int *)x - *(int *)y; } ",
    ),
    188: _main('mblen("a", 1); setlocale(LC_CTYPE, ""); return mblen("a", 1);', "stdlib.h", "locale.h"),
    190: _main("char *p = 0, d[3]; memcpy(d, p, 0);", "string.h"),
    191: _main('char d[3]; strxfrm(d, "abcdef", 3); return d[0] == 1;', "string.h"),
    193: _main("return sqrt(4) > 1;", "tgmath.h"),
    195: _main("struct tm t = {0}; t.tm_year = 99999; return asctime(&t) == 0;", "time.h"),
    196: _main('fwprintf(stdout, L"%s", "\\xff");', *_WIDE),
    197: _main('wchar_t s[4] = L"a b", *p; return wcstok(s, L" ", &p) == 0;', "wchar.h"),
    198: _main('mbstate_t s; return mbrlen("a", 1, &s);', "wchar.h"),
    199: _main("return iswalpha(0x7fffffff);", "wctype.h"),
    200: _main("return iswctype(L'a', wctype(\"alpha\"));", "wctype.h"),
    201: _main("return towctrans(L'a', wctrans(\"tolower\"));", "wctype.h"),
}
