/* Functions over the constructs of C, each with a result that tells. A comment that is a word begins a case. */

/* conversions */
long long test_conversions(void) { signed char c = 200; unsigned char u = -1; short s = 70000; unsigned x =
    -1; return c * 1000000LL + u * 1000 + s + (x > 5) + (c < u) + (-1 < (unsigned)1) + (char)300; }

/* promotions */
long long test_promotions(void) { unsigned char a = 255, b = 255; unsigned short s = 65535; return (a + b) *
    1000 + (~a) + (a << 4) + s * 2; }

/* bool */
long long test_bool(void) { _Bool b = 256; _Bool c = 512 & 256; int *p = 0; _Bool d = p; b += 5; return b * 4
    + c * 2 + d + !b + !!7; }

/* division */
long long test_division(void) { int a = -7, b = 2; unsigned u = -7; return (a / b) * 1000 + (a % b) * 100 + (7
    / -2) * 10 + 7 % -2 + u / 2 % 10; }

/* shifts */
long long test_shifts(void) { int a = -17; unsigned u = -17; return (a >> 2) + (u >> 28) * 100 + (a << 3) +
    (1LL << 40) + (1u << 31); }

/* overflow */
int ov(int a, int b) { return a + b; } int om(int a, int b) { return a * b; }
long long test_overflow(void) { int m = 2147483647; m++; int n = -2147483647 - 1; return ov(2147483647, 1) +
    om(65536, 65537) + m + -n + (n - 1); }

/* longs */
long long test_longs(void) { long l = 2147483647; unsigned long long w = -1; l++; return l + (w >> 1) + (w %
    1000000007ULL) - sizeof(long) - sizeof(void *); }

/* compound */
long long test_compound(void) { unsigned char c = 250; c += 10; short s = 1; s <<= 15; int i = 10; i -= 3; i
    *= i; i /= 4; i %= 5; i |= 8; i ^= 3; i &= 14; c++; --c; unsigned u = 5; u -= 6; u >>= 1; return c + s + i
    + u; }

/* increments */
long long test_increments(void) { int i = 5, a[3] = {1, 2, 3}, *p = a; int r = i++ * 10 + ++i; r += *p++; r +=
    *++p; a[1]--; r += a[1]-- + p[-1]; return r * 10 + i; }

/* logical */
static int cnt; static int bump(int v) { cnt++; return v; }
long long test_logical(void) { cnt = 0; int r = (bump(0) && bump(1)) + 2 * (bump(1) || bump(1)) + 4 * (bump(1)
    && bump(2)) + 8 * (bump(0) || bump(0)); return r * 100 + cnt; }

/* conditional */
static int pick(int c) { return c ? c > 5 ? 1 : 2 : c == 0 ? 3 : 4; }
long long test_conditional(void) { int x = 1; int y = x ? (x = 5, x + 1) : (x = 7); return pick(0) + pick(3) *
    10 + pick(9) * 100 + y * 1000 + x; }

/* comma */
long long test_comma(void) { int i, j, s = 0; for (i = 0, j = 10; i < j; i++, j--) s += (i, j); return s; }

/* loops */
long long test_loops(void) { int s = 0, i; for (i = 0; i < 20; i++) { if (i % 3 == 0) continue; if (i > 15)
    break; s += i; } while (s > 50) s -= 7; do { s++; if (s % 5 == 0) continue; s++; } while (s < 60); for
    (;;) { if (++s > 70) break; } return s; }

/* switch */
static int sw(int n) { int r = 0; switch (n) { case 1: r += 1; case 2: r += 2; break; default: r += 100; case
    -3: r += 3; break; { case 9: r = 9; } } return r; }
long long test_switch(void) { return sw(1) + 10 * sw(2) + 100 * sw(-3) + 1000 * sw(50) + 7 * sw(9); }

/* duff */
long long test_duff(void) { int n = 11, c = 0, k = (n + 3) / 4; switch (n % 4) { case 0: do { c++; case 3: c
    += 10; case 2: c += 100; case 1: c += 1000; } while (--k > 0); } return c; }

/* nested_switch */
long long test_nested_switch(void) { int r = 0, i, j; for (i = 0; i < 4; i++) switch (i) { case 1: for (j = 0;
    j < 5; j++) { switch (j) { case 2: continue; case 3: break; default: r += j; } r += 10; } break; case 2:
    continue; default: r += 1000; } return r; }

/* switch_unsigned */
long long test_switch_unsigned(void) { unsigned char c = 255; unsigned long long w = 1ULL << 40; int r = 0;
    switch (c) { case -1: r = 1; break; case 255: r = 2; } switch (w) { case 0: r += 10; break; case 1ULL <<
    40: r += 20; } return r; }

/* goto */
long long test_goto(void) { int i = 0, s = 0; again: s += i; if (i < 5) { i++; goto again; } goto inside; { s
    += 1000; inside: s += 10; } if (0) { skip: s += 7; goto end; } goto skip; end: return s; }

/* goto_into_loop */
long long test_goto_into_loop(void) { int i = 3, s = 0; goto middle; for (i = 0; i < 6; i++) { s += 100;
    middle: s += i; } return s; }

/* recursion */
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); } static int even(int); static int odd(int
    n) { return n ? even(n - 1) : 0; } static int even(int n) { return n ? odd(n - 1) : 1; }
long long test_recursion(void) { return fib(15) * 10 + even(100) + odd(7); }

/* ackermann */
static int ack(int m, int n) { return m ? n ? ack(m - 1, ack(m, n - 1)) : ack(m - 1, 1) : n + 1; }
long long test_ackermann(void) { return ack(2, 5); }

/* deep */
static int deep(int n) { int local = n; return n ? 1 + deep(n - 1) + local - n : 0; }
long long test_deep(void) { return deep(20000); }

/* arrays */
long long test_arrays(void) { int a[4][3] = {{1, 2}, {3}, [3] = {7, 8, 9}}; int s = 0, i, j; for (i = 0; i <
    4; i++) for (j = 0; j < 3; j++) s = s * 3 + a[i][j]; int *p = &a[1][0]; return s + *(p - 1) + (&a[3][2] -
    &a[0][0]) + sizeof a / sizeof *a; }

/* strings */
long long test_strings(void) { char s[] = "hello", t[10] = "ab"; const char *u = "wor\x41\n"; int r = sizeof s
    * 1000 + t[2] + u[3]; for (int i = 0; s[i]; i++) r += s[i]; return r + strlen(u) * 100000; }

/* structs */
struct s { char c; int x; short a[3]; struct { long long w; unsigned char k; } in; }; static struct s make(int
    x) { struct s r = {.x = x, .in.k = 9}; r.a[1] = x * 2; return r; } static int take(struct s v) { v.x++;
    return v.x + v.a[1] + v.in.k; }
long long test_structs(void) { struct s a = make(5), b; b = a; b.x = 70; struct s *p = &b; p->in.w = -3;
    return take(a) + 1000 * take(*p) + a.x + p->in.w + make(8).a[1] * 7 + sizeof(struct s) + (p == &b); }

/* struct_array */
struct p { int x, y; };
long long test_struct_array(void) { struct p a[5] = {{1, 2}, {3}, [4].y = 8}; int s = 0; for (struct p *q = a;
    q < a + 5; q++) s = s * 3 + q->x * 2 + q->y; a[2] = a[0]; a[1].x += a[2].y; return s * 100 + a[1].x; }

/* union */
union u { unsigned i; unsigned char b[4]; short s[2]; };
long long test_union(void) { union u v; v.i = 0x12345678; v.b[1] = 0xff; return v.i + v.s[1] + sizeof v; }

/* bit_fields */
struct bf { unsigned a : 3; int b : 5; unsigned long long c : 40; _Bool d : 1; unsigned e : 12; };
long long test_bit_fields(void) { struct bf f = {7, -3, 1, 1, 4095}; f.a += 2; f.b = 17; f.c = (1ULL << 39) +
    5; f.e++; int k = (f.a = 12); return f.a + f.b * 10LL + f.c % 1000007 + f.d * 3 + f.e + k + (f.b < 0) +
    sizeof f; }

/* bit_packed */
struct bp { char x; int b : 7; int c : 20; unsigned d : 6; } __attribute__((packed));
long long test_bit_packed(void) { struct bp f; memset(&f, 0, sizeof f); f.b = -5; f.c = -1000; f.d = 63;
    f.d--; unsigned char *q = (unsigned char *)&f; long long r = sizeof f; for (unsigned i = 0; i < sizeof f;
    i++) r = r * 31 + q[i]; return r + f.c; }

/* pointers */
static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
long long test_pointers(void) { int x = 3, y = 4, *p = &x, **pp = &p; swap(&x, &y); *pp = &y; **pp += 10;
    return x * 100 + y + (p == &y) + (p != 0); }

/* list */
struct node { int v; struct node *next; };
long long test_list(void) { struct node *h = 0; int i, s = 0; for (i = 0; i < 10; i++) { struct node *n =
    malloc(sizeof *n); n->v = i; n->next = h; h = n; } while (h) { s = s * 2 + h->v; struct node *d = h; h =
    h->next; free(d); } return s; }

/* heap */
long long test_heap(void) { int *a = calloc(5, sizeof(int)); int i; for (i = 0; i < 5; i++) a[i] += i * i; a =
    realloc(a, 10 * sizeof(int)); a[9] = 7; char *b = malloc(20); memset(b, 5, 20); memcpy(b + 2, a, 8);
    memmove(b + 1, b, 10); long long s = a[3] + a[9]; for (i = 0; i < 20; i++) s = s * 3 + b[i]; free(a);
    free(b); return s; }

/* library */
long long test_library(void) { char b[30]; strcpy(b, "abc"); strcat(b, "def"); strncpy(b + 10, "xyz", 6);
    return strlen(b) + (strcmp(b, "abd") < 0) * 10 + (strncmp(b, "abcx", 3) == 0) * 100 + (memcmp("a", "b", 1)
    < 0) * 1000 + (strchr(b, 'd') - b) * 10000 + b[14]; }

/* function_pointers */
static int add(int a, int b) { return a + b; } static int sub(int a, int b) { return a - b; } typedef int
    (*op)(int, int); static op choose(int k) { return k ? add : sub; }
long long test_function_pointers(void) { op t[2] = {add, &sub}; int (*q)(int, int) = t[1]; struct { op f; } s
    = {*sub}; return t[0](5, 3) + 10 * q(5, 3) + 100 * choose(1)(1, 2) + 1000 * (*s.f)(9, 1) + (q == sub) +
    (choose(0) != add); }

/* casts */
long long test_casts(void) { int a[4] = {1, 2, 3, 4}; char *c = (char *)a; unsigned long v = (unsigned long)(a
    + 2) - (unsigned long)a; short *s = (short *)(c + 4); int *b = (int *)(void *)((unsigned long)a + 8);
    return *s + v * 10 + *b * 100 + (long)(int)(short)70000 + (unsigned char)-1 + (int)(c + 3 - (char *)a); }

/* statics */
static int counter(void) { static int n = 3; static int t[2] = {5}; n += 2; t[1] += n; return n * 100 + t[0] +
    t[1]; } static int g1, g2 = 4, *gp = &g2; static char gs[] = "xy"; static struct { int a; char *s; } gt[2]
    = {{1, "one"}, {.s = gs}};
long long test_statics(void) { counter(); *gp += 1; return counter() + g1 + g2 * 10 + gt[0].s[2] + gt[1].s[0]
    + gt[1].a; }

/* vla */
static int sum(int n, int a[n]) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
long long test_vla(void) { int r = 0; for (int n = 1; n < 6; n++) { int a[n]; int m[n][n + 1]; for (int i = 0;
    i < n; i++) { a[i] = i * n; for (int j = 0; j <= n; j++) m[i][j] = i - j; } r += sum(n, a) + m[n - 1][n] +
    sizeof a + sizeof m[0]; } return r; }

/* vla_rows */
long long test_vla_rows(void) { int n = 3; int m[n][n + 2]; int (*p)[n + 2] = m; int (*q)[n + 2] = p + 2; p++; return
    (q - p) * 100 + (&m[2][4] - &m[1][0]) + (p - m) * 1000; }

/* enums */
enum e { A, B = 5, C, D = -2 }; enum big { X = 0x80000000u };
long long test_enums(void) { enum e v = C; enum big b = X; v++; return A + B * 10 + v * 100 + D + (b > 0) +
    sizeof(enum e); }

/* statement_expression */
long long test_statement_expression(void) { int x = 4; int y = ({ int z = x * 2; z++; z; }) + x; int s = 0;
    for (int i = 0; i < ({ int t = 3; t; }); i++) s += ({ if (i == 1) x = 100; i; }); return y * 100 + x + s;
    }

/* compound_literal */
struct cl { int a, b; }; static int clsum(struct cl *p) { return p->a * 10 + p->b; }
long long test_compound_literal(void) { int s = 0; for (int i = 0; i < 3; i++) { int *q = (int[]){i, 2, 3};
    q[1] += i; s += q[0] + q[1]; } return clsum(&(struct cl){4, 5}) + s + ((struct cl){.b = 7}).b; }

/* scalar_literal */
long long test_scalar_literal(void) { int a = 4, *p = &(int){a + 1}; *p += (int){a}; return *p * 10 + (short){70000}; }

/* float_bytes */
static float fl_static = 0.75f; struct fl { int i; float f; double d; };
long long test_float_bytes(void) { struct fl v = {1, -2.5f, 0x1.4p+4}; double d; d = 7; v.f = 3; *(int *)&v.f += 1;
    return *(int *)&v.f + *(long long *)&v.d % 1000003 + *(long long *)&d % 1009 + *(int *)&fl_static + v.i; }

/* scopes */
long long test_scopes(void) { int x = 1, s = 0; { int x = 2; s += x; { int x = 3; s += x * 10; } s += x * 100;
    } for (int x = 5; x < 7; x++) s += x * 1000; return s + x; }

/* calls_in_operands */
static int gv; static int setg(int v) { gv = v; return v; }
long long test_calls_in_operands(void) { int a[5] = {0}; int i = 2; a[setg(1)] = setg(3) + 4; int r = a[1] +
    setg(2) * 3; a[i] = i; return r * 100 + a[2]; }

/* argument_places */
static int tr; static int tell(int v) { tr = tr * 10 + v; return v; } static int three(int a, int b, int c) {
    return a * 100 + b * 10 + c; }
long long test_argument_places(void) { tr = 0; int r = three(tell(1), tell(2), tell(3)); return r * 10000LL +
    (tr == 123 || tr == 321); }

/* wide */
long long test_wide(void) { unsigned long long a = 0xfedcba9876543210ULL; long long b = -0x123456789abcdefLL;
    return (a * 3 + b) / 7 - (b % 1000) + (b >> 5) + (long long)(a >> 60) + (b / -1) + (a > b) + (int)a; }

/* character_constants */
long long test_character_constants(void) { return 'a' + '\n' * 100 + '\x7f' + '\377' + L'b' + sizeof 'a' +
    '\0'; }

/* old_style */
int test_old_style_k(a, b) int a; char b; { return a * 2 + b; }
long long test_old_style(void) { return test_old_style_k(4, 5); }

/* variadic */
static int va(int n, ...) { return n * 3; }
long long test_variadic(void) { return va(5, 1, 2LL, "x") + va(1); }

/* pointer_to_array */
long long test_pointer_to_array(void) { int m[3][4]; int (*r)[4] = m; int i; for (i = 0; i < 12; i++) (*r)[i %
    4] = i, r += i % 4 == 3; return m[2][1] * 100 + m[0][3] + (r - m) + sizeof *r; }

/* long_conditions */
long long test_long_conditions(void) { int a = 1, b = 2, c = 0; if (a && b && !c && a < b && b > a && (a || c)
    && !(a && c) && a + b == 3 && (b << 2) == 8 && a != c && b != c && -a < 0 && ~a && a | c && b & 2 && a ^ c
    && (a ? b : c) && (c ? a : b) && a <= 1 && b >= 2) c = 5; return c; }
