// Functions `long long F(int a, int b)`, one or more for every construct, that mean the same to gcc and to us.
// Each begins with its name; test_against_gcc.py runs them.

//! add_wraps
long long F(int a, int b) { return a + b + a; }

//! subtract_wraps
long long F(int a, int b) { return a - b - b - a; }

//! multiply_wraps
long long F(int a, int b) { return a * b * 3; }

//! unsigned_wraps
long long F(int a, int b) { unsigned x = a, y = b; return x - y + 5u * x - 7; }

//! negate
long long F(int a, int b) { unsigned char c = b; return -a + -(unsigned) b - -c; }

//! complement
long long F(int a, int b) { unsigned short s = b; return ~a + ~s + (long long) ~(unsigned) b; }

//! char_arithmetic
long long F(int a, int b) { char c = a; signed char d = b; c += d; c++; d *= 2; return c * d; }

//! bool_conversion
long long F(int a, int b) { _Bool p = a, q = (unsigned char) b; p += q; q--; return p * 2 + q; }

//! division
long long F(int a, int b) { return a / 7 + b / -3 - a % 10 + b % -4; }

//! division_by_variable
long long F(int a, int b) { if (b == -1) b = 5; return a / b * 100 + a % b; }

//! unsigned_division
long long F(int a, int b) { unsigned x = a, y = b; return x / (y | 1) + x % 1000; }

//! division_by_zero_ends
long long F(int a, int b) { long long r = 1; if (b > 2) r = a / (b - b); return r; }

//! shifts_by_constants
long long F(int a, int b) { return (a << 3) + (b >> 5) + ((unsigned) a >> 7); }

//! shifts_by_variables
long long F(int a, int b) { int s = b & 31; return (a >> s) + (1 << s) + (a << (s & 3)); }

//! shift_assignment
long long F(int a, int b) { short x = a; x <<= 2; x >>= 1; long long y = b; y <<= 20; return x + y;
    }

//! mask_low
long long F(int a, int b) { return (a & 15) + (b & ~7) + ((unsigned) a & 0xff00u); }

//! mask_general
long long F(int a, int b) { return (a & 0x5a5) + (b & -19) + (a & 1 << 30); }

//! or_constant
long long F(int a, int b) { return (a | 12) + (b | -5) + (a ^ 0x33) - (b ^ -1); }

//! bits_of_truths
long long F(int a, int b) { return ((a > 3) & (b > 3)) + 2 * ((a > 3) | (b < 0)) + 4 * ((a < 0) ^ (b
    < 0)); }

//! bits_of_bytes
long long F(int a, int b) { unsigned char x = a, y = b; return (x & y) + 256 * (x | y) + 65536 * (x
    ^ y); }

//! truth_with_number
long long F(int a, int b) { return ((a > b) & b) + ((a > b) | b) + (b ^ (a > b)); }

//! disjoint_bits
long long F(int a, int b) { unsigned char x = a, y = b; unsigned r = x | y << 8 | (unsigned) x <<
    24; return r; }

//! comparison_signs
long long F(int a, int b) { return (a < b) + 2 * ((unsigned) a < (unsigned) b) + 4 * (a < (unsigned)
    b); }

//! unsigned_not_negative
long long F(int a, int b) { unsigned x = a; return (x >= 0) + 2 * (x - 1 < x) + (b != 0); }

//! logical_not
long long F(int a, int b) { return !a + 2 * !!b + 4 * !(a < b); }

//! short_circuit
long long F(int a, int b) { int n = 0; if (a > 0 && ++n && b > 0) n += 10; if (a < 0 || n++) n +=
    100; return n; }

//! short_circuit_value
long long F(int a, int b) { int n = 0; int r = (a && n++) + 0; int s = b || (n += 5); return n * 4 +
    r * 2 + s; }

//! guarded_division
long long F(int a, int b) { return (b != 0 && 100 / b > 3) + (b == 0 || a / 2 % b == 0); }

//! conditional
long long F(int a, int b) { return a > b ? a : b < 0 ? -1 : 2u; }

//! conditional_effects
long long F(int a, int b) { int i = 0, j = 0; int r = a > 0 ? i++ : --j; return r * 100 + i * 10 +
    j; }

//! conditional_void
long long F(int a, int b) { int i = 0; a ? (void) (i = 3) : (void) (i = b); return i; }

//! comma
long long F(int a, int b) { int i; int r = (i = a, i++, i + 1); return r + i; }

//! increments
long long F(int a, int b) { int x = a; int p = x++; int q = ++x; int r = x--; int s = --x; return p
    + 3ll * q - r * 5ll + s; }

//! assignment_value
long long F(int a, int b) { int x; unsigned char y; x = y = a; int z = (y += 3); return y + 3ll * (x
    -= z); }

//! compound_types
long long F(int a, int b) { unsigned char c = 200; c += a; short s = b; s *= c; long long l = s; l
    -= 1u; return l + c; }

//! while_loop
long long F(int a, int b) { int n = 0; while (a > 0) { a /= 2; n++; if (n > 40) break; } return n; }

//! do_loop
long long F(int a, int b) { int n = 0; do { n += 3; if (n == 6) continue; n++; } while (n < (b &
    63)); return n; }

//! for_loop
long long F(int a, int b) { int s = 0; for (int i = 0, j = 9; i < j; i++, j--) { if (i == 2)
    continue; s += i * j; } return s; }

//! for_ever
long long F(int a, int b) { int i = 0; for (;;) { if (i * i > (a & 255)) break; ++i; } return i; }

//! nested_loops
long long F(int a, int b) { int n = 0; for (int i = 0; i < 4; i++) for (int j = i; j < 4; j++) { if
    (j == 2) break; n += i + j; } return n; }

//! goto_loop
long long F(int a, int b) { int i = 0; again: i += 2; if (i < (a & 15)) goto again; return i; }

//! goto_into_block
long long F(int a, int b) { int r = 0; if (a > 0) goto inside; if (b > 0) { r = 1; inside: r += 10;
    } return r; }

//! switch_statement
long long F(int a, int b) { int r = 0; switch (a & 7) { case 0: r = 1; break; case 1: r = 2; case 2:
    r += 3; break; default: r = 9; case 5: r++; } return r; }

//! switch_no_default
long long F(int a, int b) { int r = 5; switch (b) { case -1: r = 1; break; case 3: { r = 2; break; }
    } return r; }

//! switch_in_loop
long long F(int a, int b) { int n = 0; for (int i = 0; i < 6; i++) { switch (i) { case 1: continue;
    case 4: break; default: n += i; } n += 100; } return n; }

//! switch_long
long long F(int a, int b) { switch ((long long) a * 4) { case 12: return 1; case 0x7fffffffll * 4:
    return 2; } return 3; }

//! duffs_device
long long F(int a, int b) { int n = (a & 7) + 1, i = (n + 3) / 4, c = 0; switch (n % 4) { case 0: do
    { c++; case 3: c++; case 2: c++; case 1: c++; } while (--i > 0); } return c; }

//! case_in_if
long long F(int a, int b) { int r = 0; switch (a & 3) { if (b) { case 1: r = 7; } else { case 2: r =
    8; } r++; } return r; }

//! calls
static int g(int x, int y) { return x - y; } long long F(int a, int b) { return g(a, b) + g(g(b, 1),
    g(2, a)); }

//! calls_change_parameters
static int g(int n) { n = n / 2; return n; } long long F(int a, int b) { int x = g(a); return x +
    g(x) + a; }

//! void_calls
static int total; static void add(int x) { if (x < 0) return; total += x; } long long F(int a, int
    b) { add(a); add(b); return total; }

//! narrow_results
static unsigned char g(int x) { return x; } static _Bool h(int x) { return x; } long long F(int a,
    int b) { return g(a) + 1000 * h(b); }

//! recursion
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); } long long F(int a, int b) {
    return fib(a & 7); }

//! recursion_locals
static int g(int n) { int x = n * 2; if (n > 0) g(n - 1); { int x = n; if (n > 2) g(n - 2); n += x;
    } return x + n; } long long F(int a, int b) { return g(a & 3); }

//! mutual_recursion
static int odd(unsigned); static int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); } static int
    odd(unsigned n) { return n == 0 ? 0 : even(n - 1); } long long F(int a, int b) { return even(a &
    15); }

//! calls_in_conditions
static int n; static int g(int x) { n++; return x > 0; } long long F(int a, int b) { if (g(a) &&
    g(b)) n += 10; while (g(3 - n)) n += 2; return n; }

//! calls_in_sequence
static int n; static int g(void) { return ++n; } long long F(int a, int b) { int m = g() * 10; return
    g() + m; }

//! old_style_prototype
static int g(); long long F(int a, int b) { return g((unsigned char) a, b); } static int g(int x,
    int y) { return x * 2 + y; }

//! globals
static int x = 5, y; static unsigned char z = 300; long long F(int a, int b) { x += a & 3; y -= b &
    3; return x * 100 + y + z; }

//! static_locals
static int count(void) { static int n = 7; return n++; } long long F(int a, int b) { count();
    count(); return count(); }

//! shadowing
static int v = 3; long long F(int a, int b) { int r = v; int v = a; { int v = b; r += v & 7; } for
    (int v = 0; v < 2; v++) r += v; return r + v; }

//! enums
enum e { A, B = 5, C }; enum n { M = -2, N }; long long F(int a, int b) { enum e x = C; enum n y =
    N; x = a & 1 ? B : A; return x * 10 + y + sizeof(x) + (x - 6 > 0); }

//! array_sum
long long F(int a, int b) { int t[5], s = 0; for (int i = 0; i < 5; i++) t[i] = a + i; for (int i =
    4; i >= 0; i--) s = s * 3 + t[i]; return s; }

//! array_initialiser
long long F(int a, int b) { int t[6] = {1, a, [4] = b}; return t[0] + t[1] * 2ll + t[2] + t[3] +
    t[4] * 3ll + t[5]; }

//! array_of_structs_with_arrays_initialised
struct s { int t[2]; char c; }; static struct s made(int v) { struct s r = {{v, v + 1}, 3}; return r; }
    long long F(int a, int b) { struct s x = {{b, 4}, 5}; struct s m[3] = {made(a & 7), [2] = x}; struct
    { int n; struct s in[2]; } h = {1, {x, made(b & 3)}}; x.t[0]++; return m[0].t[1] * 1000ll + m[1].t[0] +
    m[2].t[0] * 7ll + m[2].c + h.in[0].t[1] * 11 + h.in[1].t[1] + h.in[0].t[0]; }

//! array_global
static const int t[4] = {3, 1, 4}; static char u[3]; long long F(int a, int b) { u[a & 1] = b;
    return t[a & 3] * 1000 + u[0] + u[1]; }

//! array_two_dimensions
long long F(int a, int b) { int m[3][4]; for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++)
    m[i][j] = i * 10 + j; m[a & 1][2] += b; return m[0][2] + 7ll * m[1][2] + m[2][3]; }

//! array_two_dimensions_initialised
static int m[2][3] = {{1, 2}, {3, 4, 5}}; long long F(int a, int b) { return m[a & 1][b & 1] + 100 *
    m[1][2] + 10 * m[0][2]; }

//! array_variable_length
long long F(int a, int b) { int n = (a & 3) + 2, s = 0; int t[n]; for (int i = 0; i < n; i++) t[i] =
    i + b; for (int i = 0; i < n; i++) s += t[i]; return s + sizeof(t); }

//! array_variable_length_matrix
long long F(int a, int b) { int n = (a & 3) + 1; int t[n][n]; for (int i = 0; i < n; i++) for (int j
    = 0; j < n; j++) t[i][j] = i * n + j; return t[n - 1][0] * 10 + t[0][n - 1]; }

//! array_effects
long long F(int a, int b) { int t[4] = {0}, i = 0, j = 0; t[i++] = a; t[i++] += 2; t[++i] = t[j++];
    int r = t[i]++ + j; return t[0] + t[1] * 3ll + t[3] * 5ll + i + r; }

//! array_assigned_in_a_chain
struct S { int x; char c; }; long long F(int a, int b) { int t[4] = {0}, i = 0, j = 2, *p = t; char c[2];
    struct S s[2]; t[i++] = t[j++] = a; p[1] = t[3] = t[i] = b; c[0] = c[1] = a; s[0] = s[1] = (struct S){a, b};
    return t[0] + t[1] * 3ll + t[2] * 5ll + t[3] * 7ll + i + j + c[0] + s[0].c; }

//! array_index_from_array
long long F(int a, int b) { int t[3] = {2, 0, 1}; int r = t[t[a & 1]] = 1; t[t[0]] += 5; return t[0]
    * 100 + t[1] * 10 + t[2] + r; }

//! array_result_of_store
long long F(int a, int b) { int t[2] = {0, 0}; int x = (t[t[0]] = 1); int y = (t[t[1]] += 1); return
    x * 1000 + y * 100 + t[0] * 10 + t[1]; }

//! array_of_chars
long long F(int a, int b) { char s[] = "hello"; unsigned char u[2]; u[0] = a; u[1] = u[0] + b; s[1]
    = a; return s[0] + s[1] * 2 + sizeof(s) + u[1] + s[5]; }

//! array_element_through_pointer_notation
long long F(int a, int b) { int t[3] = {4, 5, 6}; return *(t + 1) + *t; }

//! structs
struct p { int x; short y; }; long long F(int a, int b) { struct p s, t = {a, b}; s = t; s.x++; t.y
    += 2; return s.x + t.x * 3ll + s.y * 5 + t.y; }

//! struct_calls
struct p { int x, y; }; static struct p swap(struct p q) { struct p r; r.x = q.y; r.y = q.x; return
    r; } long long F(int a, int b) { struct p s = {a, b}; s = swap(s); return s.x * 2ll +
    swap(swap(s)).y; }

//! struct_nested
struct i { int v[2]; char c; }; struct o { struct i a; struct i b[2]; } static g; long long F(int a,
    int b) { struct o l = g; l.b[1].v[a & 1] = b; l.b[0] = l.b[1]; l.a = l.b[0]; g = l; return
    g.a.v[0] + 2ll * g.a.v[1] + g.b[0].c; }

//! struct_array
struct p { int x; char y; } static t[3] = {{1, 2}, {3}}; long long F(int a, int b) { t[2] = t[a &
    1]; t[2].x += b; return t[2].x + t[2].y * 10 + t[1].x * 100; }

//! struct_conditional
struct p { int x, y; }; long long F(int a, int b) { struct p s = {1, 2}, t = {3, 4}, r; r = a > b ?
    s : t; return r.x * 10 + r.y + (a < 0 ? t : s).x; }

//! struct_compound_literal
struct p { int x, y; }; long long F(int a, int b) { struct p s; s = (struct p){.y = a}; return s.x +
    s.y + (struct p){b, 1}.x; }

//! bit_fields
struct f { unsigned a : 3; int b : 4; unsigned c : 1; }; long long F(int a, int b) { struct f s =
    {0}; s.a = a; s.b = b; s.c = a; s.a++; return s.a + s.b * 10 + s.c * 100; }

//! bit_field_types
struct w { unsigned a : 3; unsigned long long d : 40; long long s : 35; unsigned long long e : 32; };
    long long F(int a, int b) { struct w x; x.d = a; x.s = a; x.e = a; long long r = (x.a = a) - 8 < 0;
    r = r * 2 + (x.a++ - 8 < 0); r = r * 2 + ((b, x.a) - 8 < 0); r = r * 2 + (({ x.a; }) - 8 < 0);
    r = r * 2 + (x.d << 30 >> 30 == x.d); r = r * 2 + (x.d > -1); r = r * 2 + (x.d < b);
    r = r * 2 + (x.e - 1 < x.e); r += (x.d << 8) + x.s * 3 + (-x.d >> 1) + ~x.e; r ^= (x.d++ << 3);
    r += (x.d += b) << 3; return r + sizeof(x.d + 0) + (x.d + x.s) + x.e * b; }

//! statement_expression
long long F(int a, int b) { int r = ({ int t = a; if (t < 0) t = 0; t + 1; }) + b; return r; }

//! long_long
long long F(int a, int b) { long long x = a; unsigned long long y = b; x = x * x * 16; y = y - 1;
    return x + (y > 5) + (long long) (y >> 3); }

//! sizeof_types
long long F(int a, int b) { return sizeof(int) + sizeof(long) * 10 + sizeof(a + 1ll) * 100 +
    sizeof(char); }

//! nondet_calls
long long F(int a, int b) { int s = 0; for (int i = 0; i < 3; i++) s = s * 2 +
    __VERIFIER_nondet_int(); unsigned char c = __VERIFIER_nondet_uchar(); return s + c +
    __VERIFIER_nondet_bool(); }

//! nondet_conditions
long long F(int a, int b) { int n = 0; while (__VERIFIER_nondet_int() % 3) if (++n > 5) break; if (a
    > 0 && __VERIFIER_nondet_bool()) n += 10; return n; }

//! nondet_in_recursion
static int g(int n) { return n == 0 ? 0 : __VERIFIER_nondet_int() + 2 * g(n - 1); } long long F(int
    a, int b) { return g(a & 3); }

//! assume_ends
long long F(int a, int b) { __VERIFIER_assume(a > b); return a - b; }

//! abort_ends
static void stop(int c) { if (!c) abort(); } long long F(int a, int b) { stop(a < 100); return 1; }

//! exit_ends
long long F(int a, int b) { if (a == b) exit(3); return 2; }

//! error_reached
long long F(int a, int b) { if (a / 2 == 3) reach_error(); return 2; }

//! error_in_assert
static void check(int c) { if (!(c)) { ERROR: reach_error(); } } long long F(int a, int b) { check(a
    != b); check(a < 1000); return 1; }

//! error_after_loop
long long F(int a, int b) { int n = 0; while (n < (a & 15)) n += 3; if (n == 12) reach_error();
    return n; }

//! casts
long long F(int a, int b) { return (unsigned char) a + (short) b + (long long) (unsigned) a + (int)
    (b + 1ll) + (char) (a + b); }

//! wide_shift_ends
long long F(int a, int b) { if (a == 5) return 1 << (b & 3) + 40 * 0; return 2; }

//! index_with_wrap
long long F(int a, int b) { unsigned char i = 255; int t[2] = {5, 6}; i += 2; return t[i]; }

//! dead_code
long long F(int a, int b) { return a; b = a / 0; return b; }

//! label_and_scope
long long F(int a, int b) { int n = 0; { int k = 2; top: k = n; n += k + 1; if (n < 10) goto top; }
    return n; }

//! deep_else_if
long long F(int a, int b) { int x = a & 7; if (x == 0) return 5; else if (x == 1) return 6; else if
    (x == 2) { b = 1; } else if (x == 3) b = 2; else b = 3; return b; }

//! printf_is_ignored
int printf(const char *, ...); long long F(int a, int b) { printf("", a, b++); return b; }
//! pointer_to_local
static void set(int *p, int v) { *p = v; }
long long F(int a, int b) { int x = a, y; set(&x, b); set(&y, 5); return (long long) x * 10 + y; }
//! pointer_to_global
int g; int *q = &g;
long long F(int a, int b) { *q = a; g = g + 1; return *q + (q == &g) + (long long) b; }
//! pointer_swap
static void swap(int *p, int *q) { int t = *p; *p = *q; *q = t; }
long long F(int a, int b) { swap(&a, &b); return (long long) a * 3 + b; }
//! array_parameter
static long long sum(int v[], int n) { long long s = 0; for (int i = 0; i < n; i++) s += v[i]; return s; }
long long F(int a, int b) { int v[4] = {a, b, 3}; v[3] = 7; return sum(v, 4) * 100 + sum(v + 2, 1); }
//! pointer_walk
static int v[6] = {1, 2, 3, 4, 5, 6};
long long F(int a, int b) { long long s = 0; for (int *p = v, *e = &v[6]; p < e; ++p) s = s * 3 + *p; return s + (&v[4] - &v[1]); }
//! pointer_increments
long long F(int a, int b) { char s[4] = "abc", t[4]; char *p = s, *q = t; while ((*q++ = *p++)) ; return t[0] + t[2] * 1000 + (q - t); }
//! struct_pointer
struct s { int x; short y; struct s *next; };
long long F(int a, int b) { struct s m = {a, 2, 0}, n = {b, 3, &m}, *p = &n; p->next->y = (short) a; p->y++; return (long long) p->next->x + m.y + n.y * 7 + (p->next->next == 0); }
//! struct_copy_through_pointer
struct s { int x[3]; char c; };
long long F(int a, int b) { struct s m = {{a, b, 3}, 120}, n, *p = &m, *q = &n; *q = *p; p->x[0] = 9; n = *q; return n.x[0] + (long long) q->x[1] * 3 + n.c + m.x[0]; }
//! list_on_heap
typedef unsigned long size_t; extern void *malloc(size_t); extern void free(void *);
struct node { int v; struct node *next; };
long long F(int a, int b) {
  struct node *l = 0; for (int i = 0; i < 4; i++) { struct node *n = malloc(sizeof *n); n->v = i * 2 + 1; n->next = l; l = n; }
  long long s = 0; while (l) { struct node *n = l->next; s = s * 10 + l->v; free(l); l = n; } return s; }
//! pointer_to_pointer
long long F(int a, int b) { int *p = &a, **q = &p; **q = 3; *q = &b; **q += 1; return (long long) a * 1000 + b + (p == &b); }
//! function_pointers
static int add(int x, int y) { return x / 2 + y / 2; }
static int first(int x, int y) { return x; }
static int (*table[2])(int, int) = {add, first};
long long F(int a, int b) { int (*f)(int, int) = a > b ? add : &first; return (long long) f(a, b) + table[1](b, a) + (f == add); }
//! function_pointer_in_struct
struct ops { int (*get)(int *); }; static int once(int *p) { return (*p)++ / 2; }
long long F(int a, int b) { struct ops o = {once}, *p = &o; int x = b / 2; long long r = p->get(&x); return r + x; }
//! void_pointers
long long F(int a, int b) { int x = a; void *v = &x; int *p = v; *p = b; return x; }
//! exposed_field
struct s { int x, y; };
long long F(int a, int b) { struct s m = {a, b}; int *p = &m.y; *p = 4; m.x = m.x / 2; p = &m.x; return (long long) *p + m.y; }
//! array_of_structs_pointer
struct s { int x; char c[3]; }; static struct s v[3];
static void fill(struct s *p, int n) { for (int i = 0; i < n; i++, p++) { p->x = i; p->c[i] = (char) (i + 1); } }
long long F(int a, int b) { fill(v, 3); return v[2].x * 100 + v[1].c[1] * 10 + v[2].c[2] + (&v[2] - v); }
//! matrix_row
static int rows(int m[][3], int k) { return m[k][0] + m[k][2]; }
long long F(int a, int b) { int m[2][3] = {{1, 2, 3}, {4, 5, 6}}; m[1][2] = a / 4; return rows(m, 1) + *(*(m + 1) + 1) + rows(m, 0); }
//! recursion_with_address
static int down(int n, int *up) { int own = n; if (n > 0) down(n - 1, &own); *up = *up + own; return own; }
long long F(int a, int b) { int r = 0; down(3, &r); return r; }
//! signedness_through_pointer
long long F(int a, int b) { int x = a; unsigned *p = (unsigned *) &x; unsigned u = *p; *p = u + 1u; return (long long) x + (*p > 5u); }
//! signed_char_through_pointer
long long F(int a, int b) { signed char c = (signed char) a; unsigned char *p = (unsigned char *) &c; *p = *p / 2; c += 1; return c * 1000 + *p; }
//! null_comparisons
long long F(int a, int b) { int x; int *p = a > 0 ? &x : 0; void *v = p; return (p == 0) + 2 * !p + 4 * (v != (void *) 0) + 8 * ((unsigned long) p == 0) + (p ? 16 : 0) + (p && a); }
//! string_literals
static long long length(const char *s) { const char *p = s; while (*p) p++; return p - s; }
long long F(int a, int b) { const char *s = a > 0 ? "hello" : "hi"; return length(s) * 1000 + s[1]; }
//! string_table
static const char *names[] = {"one", "three", "five"};
long long F(int a, int b) { long long s = 0; for (int i = 0; i < 3; i++) s = s * 256 + names[i][1]; return s; }
//! compound_literal_pointer
struct s { int x, y; };
static int both(struct s *p) { return p->x / 2 + p->y / 2; }
long long F(int a, int b) { return both(&(struct s){a, b}); }
//! pointer_compound_assign
static short v[5] = {5, 4, 3, 2, 1};
long long F(int a, int b) { short *p = v; p += 3; long long s = *p--; p -= 1; return s * 10 + *p + 100 * (p - v); }
//! address_in_loop
long long F(int a, int b) { long long s = 0; for (int i = 0; i < 3; i++) { int x = i; int *p = &x; *p += 1; s = s * 10 + x; } return s; }
//! pointer_result
static int *larger(int *p, int *q) { return *p > *q ? p : q; }
long long F(int a, int b) { *larger(&a, &b) = 7; return (long long) a * 10 + b; }
//! struct_array_copy_in_memory
struct i { char c; int v[2]; }; struct o { struct i a[2]; long z; };
long long F(int a, int b) { struct o m = {{{1, {a, b}}, {2, {3, 4}}}, 5}, n; struct o *p = &n; *p = m; p->a[1] = p->a[0]; p->a[0].v[1] = 8; return (long long) n.a[1].v[0] + n.a[1].v[1] * 2ll + n.a[0].v[1] + n.a[1].c + n.z; }
//! static_bits_in_memory
struct b { unsigned x : 3; int y : 5; _Bool z; };
long long F(int a, int b) { struct b m = {0}, *p = &m; p->x = (unsigned) a; p->y = b; p->z = a; return p->x * 10000 + p->y * 10 + p->z; }
//! variable_length_passed
static long long sum(int n, int v[n]) { long long s = 0; for (int i = 0; i < n; i++) s = s * 3 + v[i]; return s; }
long long F(int a, int b) { long long s = 0; for (int k = 0; k < 2; k++) { int n = (a & 3) + 1 + k; int v[n]; for (int i = 0; i < n; i++) v[i] = b / 4 + i; int *p = &v[n - 1]; *p += 1; s = s * 5 + sum(n, v); } return s; }
//! variable_length_matrix_passed
static int at(int n, int m[][n], int i, int j) { return m[i][j]; }
long long F(int a, int b) { int n = (a & 3) + 2; short u[n]; int m[n][n]; for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) m[i][j] = i * 10 + j; int (*row)[n] = m; row++; u[0] = 1; short *p = u; return at(n, m, n - 1, 1) * 100 + (*row)[n - 1] + *p + (&m[n - 1] - row); }
//! calloc_only
typedef unsigned long size_t; extern void *calloc(size_t, size_t);
struct s { int x; char c; struct s *next; };
long long F(int a, int b) { struct s *p = calloc((a & 7) + 1, sizeof *p); p[a & 7].x = b; return (long long) p[0].x + p[a & 7].c + (p[a & 7].next == 0); }
//! calloc_beside_malloc
typedef unsigned long size_t; extern void *calloc(size_t, size_t); extern void *malloc(size_t);
struct s { int x; char c; struct s *next; };
static struct s *make(int k) { if (k == 0) { struct s *m = malloc(sizeof *m); m->x = 5; m->c = 6; m->next = 0; return m; } return calloc(k, sizeof(struct s)); }
long long F(int a, int b) { struct s *p = make((a & 3) % 3); struct s *q = make(4); p->next = q; q[3].x += 2; return p->x + p->c * 10 + (p->next->next == 0) * 100 + q[3].x * 1000 + q[2].c; }
//! large_zeros
static int get(int *p, int i) { return p[i]; }
static long long part(int n) { int v[1100] = {n, 2}; v[1099] += n; return get(v, 0) + get(v, 1) * 10ll + get(v, 1098) + get(v, 1099) * 100ll; }
long long F(int a, int b) { return part(a / 8) + part(b / 8); }
//! call_through_old_style_pointer
static int one(int x) { return x / 2; } static int none(void) { return 7; }
long long F(int a, int b) { int (*f)() = one; int (*g)() = none; if (a > b) f = g; return (long long) f(a) + g(); }
//! numbers_in_variables
static int same(unsigned long p, unsigned long q) { return p == q; }
long long F(int a, int b) { int v[4] = {1, 2, 3, 4}; long p = (long) &v[1], q = (long) (v + 3); int *r = (int *) (p + 4); *r += a / 4; return same(p, q - 8) * 10 + (q - p) + v[2] * 100ll + (p < q); }
//! tagged_pointer
long long F(int a, int b) { int x = a / 2, y = b / 2; unsigned long t = (unsigned long) (a > b ? &x : &y) | 1; int *p = (int *) (t & ~1ul); *p += 3; return x * 5ll + y + (t & 1); }
//! pointer_as_number
struct s { int x; int *p; };
long long F(int a, int b) { struct s m = {a, &a}, n = {b, &b}; unsigned long i = (unsigned long) &m, j = (unsigned long) &n; unsigned long z = (unsigned long) (void *) 0;
  int same = i == j, null = i == z; unsigned long at = i + sizeof(long); int *q = *(int **) at; *q = 5; int *r = (int *) (j & ~7ul); return same + null * 2ll + a * 10ll + (*r == b) * 100 + ((i & 3) == 0) + (i - (unsigned long) &m); }
//! container_of
struct link { struct link *next; }; struct item { int v; struct link l; };
static struct item *of(struct link *p) { return (struct item *) ((char *) p - (unsigned long) &((struct item *) 0)->l); }
long long F(int a, int b) { struct item x = {a, {0}}, y = {b, {&x.l}}; long long s = 0; for (struct link *p = &y.l; p; p = p->next) s = s * 3 + of(p)->v; of(&y.l)->v = 4; return s + y.v; }
//! container_of_heap
typedef unsigned long size_t; extern void *malloc(size_t);
struct link { struct link *next; }; struct item { int v; struct link l; };
long long F(int a, int b) { struct link *head = 0; for (int i = 0; i < 3; i++) { struct item *x = malloc(sizeof *x); x->v = a / 2 + i; x->l.next = head; head = &x->l; }
  long long s = 0; while (head) { struct item *x = (struct item *) ((unsigned long) head - 8); s = s * 3 + x->v; head = head->next; } return s; }
//! pointer_and_number_in_one_place
long long F(int a, int b) { int x = a; int *p = &x; long *n = (long *) &p; long k = *n; *n = 0; int z = p == 0; *n = k; *p = 7; return x * 10 + z; }
//! struct_through_first_member
struct s { int x; struct s *next; };
long long F(int a, int b) { struct s m, n; *(int *) &m = a; *(int *) &n = b; m.next = &n; struct s *p = &m; return *(int *) p->next / 2 + p->x / 2; }
//! union_same_type
union u { int x; int y; }; long long F(int a, int b) { union u v; v.x = a; v.y /= 2; return v.x + (long long) b; }
//! union_punning
union u { int x; unsigned char c[4]; short s; }; long long F(int a, int b) { union u v; v.x = a; long long r = v.c[0] + v.c[3] * 256ll + v.s * 65536ll; v.c[1] = (unsigned char) b; r = r * 3 + v.x; v.s = -2; return r + v.x; }
//! union_signed
union u { signed char c; unsigned long n; long k; _Bool t; }; long long F(int a, int b) { union u v; v.n = 0; v.c = (signed char) a; long long r = v.n; v.k = b; r = r * 3 + v.c + v.k / 2 + (long long) (v.n >> 40); v.n = 1; return r + v.t; }
//! union_in_struct
struct s { int tag; union { int i; char c[8]; struct { short lo, hi; } h; } u; int after; };
static long long get(struct s *p) { return p->tag == 0 ? p->u.i : p->tag == 1 ? p->u.c[0] : p->u.h.hi; }
long long F(int a, int b) { struct s m = {0, {a}, 7}, n; long long r = get(&m); m.tag = 2; r = r * 2 + get(&m); n = m; n.tag = 1; n.u.h.lo = (short) b; r = r * 2 + get(&n) + n.after; m.u = n.u; return r + m.u.i; }
//! union_member_is_a_struct_by_value
struct in { short v[2]; signed char c; }; struct out { struct in i[2]; union { int n; struct in q[2]; } u; }; static struct in swapped(struct in x) { short t = x.v[0]; x.v[0] = x.v[1]; x.v[1] = t; return x; }
long long F(int a, int b) { struct out o = {.i = {{{1, 2}, 3}, {{(short) a, (short) b}, 4}}}, w; struct out *p = b % 2 ? &o : &w; w = o; p->u.q[1] = p->i[1]; o.u.q[0] = swapped(o.i[1]); struct in r = p->u.q[1]; w.u.q[0] = o.u.q[0]; w.i[0] = w.u.q[0];
    return o.u.n * 7ll + r.v[0] * 3 + r.c + w.i[0].v[0] * 100000ll + w.u.n + p->i[1].v[1]; }
//! bits_in_union
union r { struct { unsigned mode : 3, speed : 6; unsigned : 4; unsigned count : 12; int level : 7; } m; unsigned raw; unsigned char c[4]; };
long long F(int a, int b) { union r v, *p = &v; v.raw = a; v.m.speed = b; v.m.level--; long long r = v.raw + v.m.mode * 3ll + v.m.level; v.c[1] = (unsigned char) b; p->m.mode ^= 5; p->m.count += p->m.speed; return r * 7 + v.raw + p->m.count; }
//! bits_of_truth_in_union
union r { struct { _Bool ready : 1, busy : 1; signed char error : 3; } m; unsigned char raw; }; long long F(int a, int b) { union r v, w; v.raw = (unsigned char) a; v.m.busy = b & 6; w = v; w.m.error = b; w.m.ready |= w.m.error; return v.raw + w.raw * 256ll + w.m.error * 65536ll + v.m.ready; }
//! bits_of_struct_as_bytes
struct s { unsigned char c; unsigned long long x : 37, y : 20; short z : 9; }; long long F(int a, int b) { struct s m[2]; char *p = (char *) m; for (unsigned i = 0; i < sizeof m; i++) p[i] = (char) (a + 3 * i); m[b & 1].x += b; m[1].z = m[0].y; p[3] ^= a; struct s n = m[a & 1]; n.y++; return m[0].x + m[0].y * 3ll + m[1].z * 5ll + n.x + n.y * 7ll; }
//! bits_in_nested_unions
struct s { char tag; union { struct { unsigned lo : 4, hi : 12; union { unsigned char byte; struct { signed char s : 5; } q; } in; } p; unsigned w; } u[2]; }; static struct s g;
long long F(int a, int b) { g.u[1].w = a; struct s m = g, *p = b & 1 ? &g : &m; p->u[1].p.hi = b; p->u[0].p.in.q.s = a; return g.u[1].w + m.u[1].w * 3ll + m.u[0].p.in.byte + g.u[0].w * 5ll + p->u[1].p.lo; }
//! union_by_value
union u { int x; unsigned char c[4]; }; static union u twist(union u v) { unsigned char t = v.c[0]; v.c[0] = v.c[2]; v.c[2] = t; return v; }
long long F(int a, int b) { union u v = {a}, w; w = twist(v); union u *p = &w; return p->x + (long long) v.x; }
//! union_static
union u { unsigned char c[4]; int x; } static g = {{1, 2, 3, 4}}, z; long long F(int a, int b) { z.c[1] = (unsigned char) a; return g.x + (long long) z.x + z.c[0]; }
//! union_array
union u { short s[2]; int x; }; long long F(int a, int b) { union u v[3] = {{{1, 2}}, {.x = a}}; v[a & 1].s[1] = (short) b; long long r = 0; for (int i = 0; i < 3; i++) r = r * 3 + v[i].x; return r; }
//! union_pointer_and_number
union u { int *p; unsigned long n; }; long long F(int a, int b) { int x = a, y = b; union u v; v.p = &x; unsigned long n = v.n; v.p = &y; *v.p = 2; v.n = n; *v.p = 3; return x * 10 + y + (v.n == n); }
//! union_of_pointers
struct p { int x; }; union u { struct p *s; int *i; void *v; }; long long F(int a, int b) { struct p m = {a}; union u w; w.v = &m; *w.i = b; return w.s->x + (w.i == &m.x); }
//! bytes_of_int
long long F(int a, int b) { int x = a; unsigned char *p = (unsigned char *) &x; long long r = p[0] + p[1] * 3ll + p[3] * 7ll; p[2] = (unsigned char) b; return r * 1000 + x; }
//! int_of_bytes
long long F(int a, int b) { unsigned char v[8] = {1, 2, 3, 4, 5, 6, 7, 8}; v[2] = (unsigned char) a; int *p = (int *) &v[4]; *p = b; short *q = (short *) v; return *(int *) v + q[1] * 3ll + v[5] + v[7]; }
//! bytes_of_pointer
long long F(int a, int b) { int x = a, y = b; int *p = &x, *q = &y; char *c = (char *) &p, *d = (char *) &q; for (unsigned i = 0; i < sizeof p; i++) c[i] = d[i]; *p = 5; return x + y * 3ll + (p == q); }
//! struct_as_bytes
struct s { char c; int x; short y; }; long long F(int a, int b) { struct s m = {1, a, 3}, n; char *p = (char *) &m, *q = (char *) &n; for (unsigned i = 0; i < sizeof m; i++) q[i] = p[i]; n.y++; return n.c + n.x * 3ll + n.y; }
//! structs_through_one_pointer
struct a { int k; int x; }; struct b { int k; char c; short s; }; static long long get(void *p) { struct a *q = p; if (q->k == 0) return q->x; struct b *r = p; return r->c * 10ll + r->s; }
long long F(int a, int b) { struct a m = {0, a}; struct b n = {1, 3, (short) b}; return get(&m) * 3 + get(&n); }
//! recursive_bytes
static int low(int n) { int x = n * 1000; char *p = (char *) &x; if (n > 0) low(n - 1); p[1] = 1; return x; } long long F(int a, int b) { return low(a & 3); }

//! conditional_of_mixed_signs
long long F(int a, int b) { unsigned u = b; long long r = (a > 0 ? a : u); return r; }

//! shifts_of_promoted_bytes
long long F(int a, int b) { unsigned char c = a; return (c << 24) + (~c >> 3) + ((unsigned) ~c >> 3) + (-c >>
    1) + (c << 24 < 0); }

//! products_of_shorts
long long F(int a, int b) { unsigned short x = a, y = b; return x * y + (x * y < 0) + (x * y) / 3; }

//! compound_assignments_narrow
long long F(int a, int b) { unsigned char c = a; c += b; c -= 300; c *= 3; c >>= 1; c /= 3; c %= 50; signed
    char d = a; d <<= 1; d >>= 3; d ^= 0x55; d |= 0x80; return c * 1000 + d; }

//! bool_counts_to_one
long long F(int a, int b) { _Bool p = a > 0; int r = p++; r = r * 10 + p--; r = r * 10 + p--; r = r * 10 + p;
    r = r * 10 + ++p; r = r*10 + --p; return r; }

//! types_of_literals
long long F(int a, int b) { return (2147483648 > a) + (0x80000000 > a) * 2 + (-2147483648 < 0) * 4 +
    (4294967295 == -1) * 8 + (0xffffffff == -1) * 16 + (0x7fffffffffffffff > a) + sizeof(2147483648) +
    sizeof(0xffffffff) + sizeof(4294967296) + sizeof(0x8000000000000000) + sizeof(1l); }

//! signs_of_enums
enum e { A, B, C = 7 }; enum f { N = -1, M }; 
long long F(int a, int b) { enum e x = a; enum f y = b; return (x < -1) + 2 * (y < 0) + (x - 1 > 0) * 4 + (A
    - 1 < 0) * 8 + (x >= 0) * 16; }

//! switch_default_first
long long F(int a, int b) { int r = 0; switch (a & 7) { default: r += 1; case 1: r += 10; break; case 2: { r
    += 100; case 3: r += 1000; } case 5 ... 6: r += 5; break; } return r; }

//! switch_converts_labels
long long F(int a, int b) { unsigned char c = a; int r = 0; switch (c) { case -1: r = 1; break; case 255: r =
    2; break; case 256: r = 3; break; default: r = 4; } switch ((long long) b << 32) { case 0x300000000: r +=
    10; break; case 3: r += 20; break; case -0x100000000: r += 30; } switch ((unsigned) b) { case -1: r +=
    100; break; case 3: r += 200; } return r; }

//! shadowed_and_extern
int x = 5; static int h(int x) { { extern int x; x++; } return x; }
long long F(int a, int b) { int r = x; int x = r + 1; for (int x = 0; x < 3; x++) { int x = 10; r += x; } r
    += x; { r += h(x); } return r * 10 + ({ int x = 3; x; }); }

//! union_copied_by_parts
union u { struct { unsigned char lo, hi; } p; unsigned short w; };
long long F(int a, int b) { union u x, y; x.w = a; y = x; y.p.hi++; return y.w + (y.p.lo == x.p.lo) + x.p.hi
    * 65536ll; }

//! element_of_element
long long F(int a, int b) { int t[4] = {3, 2, 1, 0}; int i = a & 3; t[t[i]] = b; int r = 0; for (int j = 0; j
    < 4; j++) r = r * 5 + t[j]; return r; }

//! compound_literal_in_loop
long long F(int a, int b) { int *p = 0, r = 0; for (int i = 0; i < 3; i++) { p = (int[]) {i, a, b}; p[0] +=
    10; r = r * 3 + p[0] + p[1]; } return r; }

//! quotients_by_powers_of_two
long long F(int a, int b) { return a % 8 + (b % -16) * 100ll + (a / 8) + (b / -16) + ((long long) a %
    0x100000000) + (a & 7) - (a % 4294967296u); }

//! quotients_of_mixed_signs
long long F(int a, int b) { unsigned u = 10; return a / u + b % u + (long long) a / (long long) u + a /
    (long) u * 3; }

//! narrow_parameters
static int g(unsigned char c, short s, _Bool b) { return c * 3 + s * 5 + b; } static unsigned char h(int x) {
    return x; } static _Bool k(int x) { return x; }
long long F(int a, int b) { return g(a, b, a) + h(b) * 100ll + k(256) + k(a & 256) * 7; }

//! conditional_structs
struct s { int a, b; };
long long F(int a, int b) { struct s x = {1, 2}, y = {3, 4}; struct s z = a > b ? x : y; (a > 0 ? &x : &y)->a
    = 77; return z.a + x.a * 10 + y.a * 100 + (a < b ? x : y).b; }

//! chained_assignments_narrow
long long F(int a, int b) { int x; unsigned char c; short s; long long l = x = c = s = a; return l + x * 3 +
    c * 5 + s * 7; }

//! case_inside_of_loop
long long F(int a, int b) { int n = a & 3, r = 0; switch (n) { case 0: do { r += 1; case 3: r += 10; case 2:
    r += 100; case 1: r += 1000; } while (--n > 0); } return r; }

//! table_of_functions
struct ops { int (*f)(int); int k; }; static int p1(int x) { return x + 1; } static int m1(int x) { return x
    - 1; } static struct ops T[] = {{p1, 3}, {m1, 5}, {0, 7}};
long long F(int a, int b) { int r = 0; for (struct ops *o = T; o->f; o++) r = r * 10 + o->f(a) * o->k; return r; }

//! pointer_to_static_local
static int *st(int v) { static int s; s += v; return &s; }
long long F(int a, int b) { int *p = st(a); int x = *p; *st(b) += 5; return x + *p * 3ll; }

//! pointer_moves_over_array
long long F(int a, int b) { int t[3] = {1, 2, 3}, *p = &t[a & 1]; for (int i = 0; i < 3; i++) { *p += t[i]; p
    = &t[(p - t + 1) % 3]; } return t[0] + t[1] * 10 + t[2] * 100; }

//! compound_shifts_narrow
long long F(int a, int b) { unsigned char c = 0x81; c <<= 1; short s = -1; s = (unsigned short) s >> 4; int x
    = -1; x = (unsigned) x >> 28; long long l = (unsigned) a << 1; l += a << 1; return c + s * 3 + x * 5 + l; }

//! globals_convert
unsigned char g1 = 300; signed char g2 = 200; _Bool g3 = 0x200; unsigned g4 = -1; long long g5 = 0xffffffff;
    int g6 = (char) 0x80 + 1; short g7 = 70000; unsigned long long g8 = -5;
long long F(int a, int b) { return g1 + g2 * 3 + g3 * 5 + (g4 > 5) * 7 + (g5 > 0) * 11 + g6 + g7 + (g8 > 5) * 13; }

//! goto_around_switch
long long F(int a, int b) { int s = 0, i = 0; top: switch (i++) { case 0: s += 1; goto top; case 1: for (;;)
    { case 5: s += 10; if (s > 30) break; } goto top; case 2: i = 5; goto top; case 6: s += 1000; break;
    default: s += 7; } return s + i * 100000; }

//! goto_into_scope
long long F(int a, int b) { int r = 0; if (a > 0) goto skip; { int x; r = 5; skip: x = b; r += x; } return r; }

//! unsigned_long_quotients
long long F(int a, int b) { unsigned long long x = (long long) a; return (long long) (x / 3) + (long long) (x
    % 1000) + ((long long) x / 3); }

//! casts_of_casts
long long F(int a, int b) { return (int) (unsigned char) (signed char) a + (long long) (unsigned) (short) b +
    (unsigned short) (char) a; }

//! rotation
long long F(int a, int b) { unsigned x = a; unsigned k = b & 31; return (x << k) | (x >> (-k & 31)); }

//! conditional_address
long long F(int a, int b) { int t[2] = {0, 0}; (a > b ? t : t + 1)[0] = 7; *(b > 0 ? &t[0] : &t[1]) += 3;
    return t[0] * 10 + t[1]; }

//! recursion_returns_struct
struct p { int q, r; }; static struct p dm(int a, int b) { if (a < b) { struct p z = {0, a}; return z; }
    struct p y = dm(a - b, b); y.q++; return y; }
long long F(int a, int b) { struct p x = dm(a & 63, (b & 7) + 1); return x.q * 100 + x.r; }

//! bit_fields_through_pointer
struct s { unsigned a : 4, b : 4; int c : 5; };
static void h(struct s *p) { p->a += 9; p->b = ~p->b; p->c = -p->c; p->a <<= 1; }
long long F(int a, int b) { struct s x = {a, b, a}; h(&x); struct s y = x; y.a ^= 5; return x.a + x.b * 20 +
    x.c * 400 + y.a * 10000; }

//! bit_fields_promote
struct s { unsigned u3 : 3; unsigned u32 : 32; unsigned long long u33 : 33; int i3 : 3; _Bool b1 : 1; };
long long F(int a, int b) { struct s x = {a, a, a, a, a}; return (x.u3 > -1) + (x.u32 > -1) * 2 + (x.u33 >
    -1) * 4 + (x.i3 < 0u) * 8 + (x.u3 - 8 < 0) * 16 + (x.u33 - 1 < 0) * 32 + (~x.u3 < 0) * 64 + (x.b1 + x.b1)
    * 128 + ((x.u33 << 31 >> 31) & 7) * 1024; }

//! loops_that_wrap_around
long long F(int a, int b) { unsigned char i; int n = 0; for (i = 250; i >= 5; i++) n++; signed char j = 120;
    while (j > 0) { j++; n += 100; } return n + j; }
