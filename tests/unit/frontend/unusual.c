//// incomplete_type = 7
struct later; extern struct later *first; struct later { int a; struct later *next; };
struct later one = {7, 0}, *first = &one;
int f(void) { return first->a; }
//// incomplete_array_completed = 12
extern int table[]; int g(void) { return table[1]; } int table[] = {5, 7, 0};
int f(void) { return g() + table[0]; }
//// flexible_array = 4
struct s { int n; char data[]; };
int f(void) { return sizeof(struct s); }
//// flexible_array_initialised: initialised flexible arrays are not supported
struct s { int n; int data[]; } x = {2, {4, 5}};
int f(void) { return x.data[0] + x.data[1]; }
//// zero_length_array = 8
struct s { int n; int none[0]; int m; };
int f(void) { return sizeof(struct s); }
//// empty_struct = 3
struct e {}; struct t { int a; struct e e; } x = {3};
int f(void) { struct e a, b; a = b; return x.a + sizeof(struct e); }
//// anonymous_members = 15
struct s { int a; struct { int b; struct { int c; }; }; };
int f(void) { struct s x = {.b = 4, .a = 3, .c = 8}; return x.a + x.b + x.c; }
//// anonymous_union = 4
struct s { int a; union { int b; char c; }; };
int f(void) { struct s x; x.b = 4; return x.c; }
//// old_style_definition = 30
int g(a, c, p) int a; char c; int *p; { return a + c + *p; }
int f(void) { int x = 3; return g(17, 10, &x); }
//// old_style_defaults_to_int = 5
g(a, b) { return a - b; }
int f(void) { return g(7, 2); }
//// old_style_narrow_parameter = 44
int g(c) char c; { return c; }
int f(void) { return g(300); }
//// tentative_definitions = 4
int x; int x; static int y; static int y = 4; extern int x;
int f(void) { return x + y; }
//// static_then_extern = 6
static int x; extern int x; static int g(void); extern int g(void); int g(void) { return x; }
int f(void) { x = 6; return g(); }
//// extern_in_block = 9
int x = 9;
int f(void) { int x = 1; { extern int x; return x; } }
//// forward_enum = 2
enum e; enum e { A, B, C }; enum e g(enum e x) { return x; }
int f(void) { return g(C); }
//// enumerators_beyond_int = 8
enum e { BIG = 0x100000000, NEXT }; 
int f(void) { return sizeof(BIG) + (NEXT - BIG) - 1; }
//// literals_have_addresses_of_their_own = 1
const char *p = "text"; static const char a[] = "text";
int f(void) { const char *q = p, *t = __func__; return (p == q) + (a == p) * 4 + (t == a) * 16; }
//// names_of_functions_are_one_object_each = 3
const char *g(void) { return __func__; }
int f(void) { return (g() == g()) + (__func__ == __func__) * 2 + (g() == __func__) * 4; }
//// weak_definition = 7
__attribute__((weak)) int g(void) { return 3; } int x __attribute__((weak)) = 4;
int f(void) { return g() + x; }
//// weak_declaration: 'g' is declared weak and may have no address: not supported
extern int g(void) __attribute__((__weak__));
int f(void) { return g ? 1 : 2; }
//// weak_declaration_first: 'g' is declared weak and may have no address: not supported
__attribute__((weak)) extern int g(int x, int (*)(void));
int f(void) { return g ? 1 : 2; }
//// constants_for_gcc = 1101
int g; int f(void) { int x = g; return __builtin_constant_p("text") + __builtin_constant_p(x) * 10 + __builtin_constant_p(f()) * 10
  + __builtin_constant_p(sizeof x) * 100 + __builtin_constant_p(&g) * 10 + __builtin_constant_p((char *)"a") * 1000; }
//// perhaps_constants_for_gcc: __builtin_constant_p of such an expression
int f(void) { int x = 0; return __builtin_constant_p(x && 0); }
//// length_of_a_parameter_with_effect: the length of an array parameter has an effect
int g(int n, int a[n++]) { return n; }
int f(void) { int t[5]; return g(3, t); }
//// length_of_a_parameter = 5
int g(int n, int a[n + 1]); int g(int n, int a[n + 1]) { int h(int k, int b[k++]); return n + a[0]; }
int f(void) { int t[5] = {2}; return g(3, t); }
//// large_enumerator_has_the_type_of_its_list = 1
enum e { ONE = 1, BIG = 0x100000000 };
int f(void) { return (BIG - 0x100000001 < 0) * 10 + (ONE - 2 < 0); }
//// unsigned_enumerator_beside_negative_one = 188
enum e { LOW = -1, HIGH = 0x80000000u };
int f(void) { return (LOW < HIGH) * 100 + sizeof(LOW) * 10 + sizeof(HIGH) * 6; }
//// enumerator_within_its_list = 18
enum e { F = 3000000000, G = F - 3000000001u < 0, H = 3000000000u, I = H - 3000000001u < 0, J = -1 };
int f(void) { return G * 10 + I + sizeof F; }
//// enumerator_refers_to_earlier = 11
enum { A = 5, B = A * 2, C };
int f(void) { enum { A = 1 }; return C * A; }
//// chained_members_of_a_result = 12
struct in { int x, y; }; struct out { struct in a[2]; struct in b; };
struct out g(int n) { struct out o = {{{n, 2}, {3, 4}}, {5, 6}}; return o; }
int f(void) { return g(1).b.y + g(6).a[0].x; }
//// member_of_assignment = 5
struct s { int x; } a, b = {5};
int f(void) { return (a = b).x; }
//// member_of_conditional = 4
struct s { int x; } a = {3}, b = {4};
int f(void) { return (a.x > 3 ? a : b).x; }
//// array_of_function_pointers = 17
static int add(int a, int b) { return a + b; } static int mul(int a, int b) { return a * b; }
static int (*const op[])(int, int) = {add, [1] = mul};
int f(void) { return op[0](2, 3) + (*op[1])(3, 4); }
//// function_returning_function_pointer = 8
static int twice(int x) { return 2 * x; }
static int (*choose(int n))(int) { return n ? twice : 0; }
int f(void) { return (***choose)(1)(4); }
//// typedef_of_function = 6
typedef int op(int); op g; static op *p = &g; int g(int x) { return x + 1; }
int f(void) { return (****p)(5); }
//// nested_designators = 36
struct s { int a[3]; struct { int x, y; } p[2]; } v = {.p[1].y = 9, .p[0] = {1, 2}, .a = {[2] = 5, [0] = 4}};
int f(void) { return v.a[0] + v.a[2] + v.p[1].y + v.p[0].y * 9; }
//// designators_continue = 123
int v[6] = {[3] = 1, 2, [1] = 3};
int f(void) { return v[3] * 100 + v[4] * 10 + v[1]; }
//// later_designator_wins = 7
int v[3] = {1, 2, 3, [1] = 7};
int f(void) { return v[1]; }
//// range_designator = 23
int v[] = {[0 ... 3] = 5, [6 ... 7] = 1, 2};
int f(void) { return v[0] + v[3] * 2 + v[5] + v[7] + v[8] + sizeof v / sizeof *v - 4; }
//// range_designator_nested = 21
struct s { int x, y; } v[4] = {[1 ... 2] = {.x = 3, .y = 4}, [1 ... 3].y = 6};
int f(void) { return v[0].x + v[1].x * 3 + v[2].y + v[3].y; }
//// old_designators: designators of the form 'x: value' are not supported
struct s { int x, y; } v = {y: 4, x: 5}; int a[3] = {[1] 7};
int f(void) { return v.x + v.y + a[1] - 7; }
//// typedef_shadowed = 6
typedef int T;
int f(void) { T T = 4; { int U = T; return U + 2; } }
//// typedef_as_member_and_label: labels with the name of a type are not supported
typedef int T; struct s { T T; };
int f(void) { struct s x = {5}; goto T; T: return x.T; }
//// typedef_as_parameter = 9
typedef char T; int g(int T) { return T + 1; }
int f(void) { return g(8); }
//// tags_and_names_differ = 3
struct x { int x; } x = {3};
int f(void) { struct x *y = &x; goto x; x: return y->x; }
//// label_at_end_of_block = 2
int f(void) { int i = 2; { if (i) goto end; i = 5; end: } return i; }
//// label_before_declaration = 3
int f(void) { goto l; l:; int i = 3; return i; }
//// label_directly_before_declaration = 3
int f(void) { goto l; l: int i = 3; return i; }
//// labels_in_a_row = 4
int f(void) { int i = 0; a: b: i++; if (i < 3) goto a; if (i < 4) goto b; return i; }
//// label_with_attribute = 4
int f(void) { goto l; l: __attribute__((unused)); return 4; }
//// case_range = 231
int g(int x) { switch (x) { case 1 ... 5: return 1; case 'a' ... 'z': return 2; default: return 3; } }
int f(void) { return g(5) + 10 * g(9) + 100 * g('q') + 1 - 1; }
//// case_range_negative = 12
int g(int x) { switch (x) { case -3 ... -1: return 1; case 0: return 2; case 5 ... 2: return 3; } return 4; }
int f(void) { return g(-2) * 10 + g(0); }
//// case_range_large: cases of more than 1000 values are not supported
int g(unsigned x) { switch (x) { case 10 ... 4000000000u: return 1; } return 2; }
int f(void) { return g(3000000000u); }
//// case_on_declaration_and_end = 6
int f(void) { int x = 0; switch (3) { int y; case 3: y = 6; x = y; default: } return x; }
//// switch_without_block = 3
int f(void) { switch (1) case 1: return 3; return 4; }
//// typeof_expression = 8
int f(void) { long long x = 1; typeof(x) y = 3; __typeof__(int[3]) z = {4}; return sizeof(y) + z[0] * 0; }
//// typeof_type_and_function = 6
int g(int x) { return x; } extern typeof(g) h; int h(int x) { return x + 1; }
int f(void) { typeof(int *) p = 0; typeof(&g) q = h; return q(5) + (p != 0); }
//// auto_type = 4
int f(void) { __auto_type x = 4; return x; }
//// elvis = 14
int n; int g(void) { return ++n; }
int f(void) { int a = g() ?: 7; int *p = 0, x = 3; return a + (0 ?: 10) + *(p ?: &x) + (n - 1); }
//// computed_goto: addresses of labels are not supported
int f(void) { void *t[] = {&&a, &&b}; goto *t[1]; a: return 1; b: return 2; }
//// nested_function: functions inside of functions are not supported
int f(void) { int g(int x) { return x + 1; } return g(1); }
//// local_label: declarations of labels are not supported
int f(void) { __label__ l; goto l; l: return 3; }
//// generic_selection = 213
#define K(x) _Generic((x), int: 1, long: 2, default: 3, char *: 4)
int f(void) { char c = 0; return K(1L) * 100 + K(1) * 10 + K(c); }
//// generic_selection_of_pointers: _Generic of a pointer
#define K(x) _Generic((x), int *: 1, default: 3, char *: 4)
int f(void) { int a[2]; return K("x") * 10 + K(a); }
//// generic_selection_is_not_evaluated = 5
int n = 5; int f(void) { _Generic(n++, int: 0); return n; }
//// generic_selection_of_const: _Generic of a pointer
int f(void) { const int c = 1; return _Generic(&c, int *: 1, const int *: 2); }
//// static_assertions = 1
_Static_assert(sizeof(char) == 1, "char"); struct s { int a; _Static_assert(1, "in"); };
int f(void) { _Static_assert(sizeof(struct s) == 4, "here"); return 1; }
//// static_assertion_without_message = 1
_Static_assert(1); int f(void) { _Static_assert(sizeof(int) == 4); return 1; }
//// alignments = 40
struct s { char c; _Alignas(16) int x; }; _Alignas(long) char b;
int f(void) { return _Alignof(struct s) + __alignof__(int) + _Alignof(long long) * 2 + sizeof(struct s) - 28 + sizeof b * 0 + 0 * b; }
//// statement_expression = 10
int f(void) { int s = 0; return ({ for (int i = 0; i < 5; i++) s += i; s; }); }
//// statement_expression_of_struct = 3
struct s { int x; }; int f(void) { return ({ struct s a = {3}; a; }).x; }
//// statement_expression_ends_in_label = 3
int f(void) { return ({ int a = 2; if (a) goto l; a = 9; l: a + 1; }); }
//// wide_strings = 355
int f(void) { __WCHAR_TYPE__ w[] = L"ab" "c"; return sizeof(w) / sizeof(*w) + w[2] + L'\xfc' + L"\u00fc"[0] % 2 * 0; }
//// unicode_strings = 19
int f(void) { return sizeof(u8"\u00fc") + sizeof(u"\U0001F600") + sizeof(U"xy") - 2 + 0; }
//// universal_character_names: names with letters outside of ASCII are not supported
int f(void) { int \u00fcber = 2, ä = 3; return über + \u00e4; }
//// trigraphs = 63
int f(void) { return '?'; }
//// line_continuations = 12
int f\
(void) { in\
t x = 1\
2; // a comment \
that goes on
return x; }
//// digraphs = 3
int f(void) <% int a<:2:> = <% 1, 2 %>; return a<:0:> + a<:1:>; %>
//// attributes_everywhere = 11
__attribute__((unused)) static int __attribute__((noinline)) g(int x __attribute__((unused)), int y) __attribute__((pure));
static int g(int x, int y) { return y; }
struct __attribute__((aligned(8))) s { int a __attribute__((deprecated)); } __attribute__((unused)) v;
typedef int T __attribute__((unused)); enum __attribute__((unused)) e { A __attribute__((deprecated)) = 1, B };
int __attribute__((unused)) *__attribute__((unused)) p, __attribute__((unused)) q;
int f(void) { __attribute__((unused)) int a = 3; switch (a) { case 3: a++; __attribute__((fallthrough)); case 4: ; }
  if (a) __attribute__((unused)) ; return g(1, a) + sizeof(struct s) - B + 1; }
//// attribute_of_c23 = 3
[[maybe_unused]] static int g(void) { return 3; }
int f(void) { return g(); }
//// int128 = 5
int f(void) { __int128 x = (__int128)1 << 100; unsigned __int128 y = x; return (int)(y >> 98) + (int)(x >> 100); }
//// complex_numbers_that_are_copied = 32
_Complex float g(_Complex float); _Complex double z; struct s { double _Complex a; };
int f(void) { _Complex double y = z; struct s s = { y }; z = s.a; return sizeof z + sizeof s; }
//// complex_numbers: complex numbers are not supported
int f(void) { _Complex double z = 1; return z == 1; }
//// old_complex_numbers: complex numbers are not supported
int f(void) { __complex double z = 1; return z == 1; }
//// parts_of_complex_numbers: complex numbers are not supported: __imag__
int f(void) { double x = 1; return __imag__ (x) == 0; }
//// decimal_numbers: numbers of type _Decimal64 are not supported
int f(void) { _Decimal64 d = 1; return d == 1; }
//// decimal_constants: constants of complex, decimal and wider types are not supported: 0.1DD
int f(void) { return 0.1DD == 1; }
//// complex_constants: constants of complex, decimal and wider types are not supported: 1.0iF
int f(void) { return 1.0iF == 1; }
//// floats_without_effect = 1
int f(void) { float x = 1.5f, y = 0x1p3, z = .5e-3, w = 1.L; (void)x; return 1; }
//// thread_local = 4
static _Thread_local int x = 4; __thread int y;
int f(void) { return x + y; }
//// variable_length_parameter = 6
int g(int n, int a[n], int b[static 2], int c[const], int m[n][n]) { return a[1] + b[0] + c[0] + m[1][1] + sizeof(m[0]) - 8; }
int f(void) { int x[2] = {0, 1}, y[2] = {2}, z[1] = {3}, m[2][2] = {0}; return g(2, x, y, z, m); }
//// variable_length_parameter_star = 3
int g(int n, int a[*]); int g(int n, int a[n]) { return a[n]; }
int f(void) { int x[2] = {0, 3}; return g(1, x); }
//// size_of_variable_length_array = 24
int f(void) { int n = 3; int a[n][2]; n = 9; return sizeof a + sizeof(int[n]) - 36; }
//// size_of_increments_variable_length = 2
int f(void) { int n = 1; int x = sizeof(int[++n]); return n; }
//// qualifiers_anywhere = 6
int const volatile static x = 6; const struct s { int a; } volatile y; const unsigned typedef U;
int f(void) { register int const volatile *restrict p = &x; U const u = 0; return *p + u; }
//// words_of_types_in_any_order = 8
long unsigned long int x = 1; int short signed y = 2; int f(void) { return sizeof x + y - 2; }
//// inline_functions = 9
inline int g(int x) { return x; } extern inline int h(int x) { return x + 1; } static inline int k(void) { return 3; }
int g(int), h(int);
int f(void) { return g(1) + h(4) + k(); }
//// integer_constants = 1
int f(void) { return 0777 == 511 && 0xFFul == 255 && 0b101 == 5 && 0XaBLL == 171 && -2147483648 < 0 && 0 == 00; }
//// types_of_constants = 48
int f(void) { return sizeof(2147483648) + sizeof(0x80000000) * 10; }
//// multi_character_constants = 16707
int f(void) { return 'AB' * 1 + 'ABCD' * 0 + 1; }
//// character_escapes = 1
int f(void) { return '\377' == -1 && '\x41' == 65 && '\e' == 27 && '\?' == 63 && '\0' == 0 && "\1234"[1] == '4' && '"' == 34; }
//// strings_joined = 8
int f(void) { return sizeof("a" "\x1" "b" /* c */ "\0" "de" "") + 1; }
//// string_without_room = 3
char s[3] = "abc"; char t[2] = {"x"}; int f(void) { return s[2] - 'c' + 3 + t[1]; }
//// main_with_arguments = 4
int result; int main(int argc, char *argv[], char **envp) { result = 4; }
//// main_old_style = 4
int result; main() { result = 4; }
//// main_returns_void = 4
int result; void main(void) { result = 4; }
//// main_recurses = 3
int result; int main(void) { if (result < 3) { result++; main(); } return 0; }
//// empty_declarations: declarations of nothing are not supported
;; struct s; enum { A }; int; extern int x; typedef int; int f(void) { ; ; int; return 1; };
//// return_of_void_expression = 5
int x; void g(void) { x = 5; } void h(void) { return g(); }
int f(void) { h(); return x; }
//// comma_in_conditions = 7
int f(void) { int i = 0, n = 0; while (i++, n++, i < 7) ; if (n = 0, i) return i + n; return 0; }
//// compound_literal_in_function = 9
struct s { int x, y; }; int g(struct s *p) { return p->x + p->y; }
int f(void) { int *a = (int[]){1, 2, 3}; return g(&(struct s){.y = 2, .x = 4}) + a[2]; }
//// compound_literal_in_loop = 30
int f(void) { int s = 0; for (int i = 0; i < 3; i++) { int *p = &(int){i * 10}; s += *p; } return s; }
//// compound_literal_at_file_scope = 5
int *p = (int[]){1, 4}; struct s { int x; } *q = &(struct s){1}; struct s z = (struct s){0};
int f(void) { return p[1] + q->x + z.x; }
//// compound_literal_as_value = 3
int f(void) { return (int){3} + (struct { int a; }){0}.a; }
//// bit_fields_of_no_width = 8
struct s { int a : 3; int : 0; int b : 4; };
int f(void) { return sizeof(struct s); }
//// bit_fields_of_bool_and_enum = 4
enum e { A, B, C }; struct s { _Bool b : 1; enum e e : 2; unsigned long long l : 40; signed int i : 2; int : 3; } x;
int f(void) { x.b = 4; x.e = C; x.l = -1; x.i = 3; return x.b + x.e + (x.l == 0xFFFFFFFFFF) + (x.i + 1); }
//// implicit_function = 5
int f(void) { return g(5); } int g(int x) { return x; }
//// implicit_int: declarations without a type are not supported
static x = 4; const y = 5; f(void) { auto z = x; register w = y; return z + w; }
//// unprototyped_calls = 12
int g(); int f(void) { int (*p)() = g; return g(3, 4) + p(2, 3); } int g(int a, int b) { return a + b; }
//// unprototyped_call_of_fewer: g is called with too few arguments
int g(); int f(void) { return g(3); } int g(int a, int b) { return a; }
//// shadowing_and_own_initialiser = 6
int x = 2; int f(void) { int y = x; int x = sizeof x; for (int x = 0; x < 3; x++) { int x = 9; } return x + y; }
//// size_of_forms = 16
int f(void) { int a[3]; char c; return sizeof a + sizeof(c) + sizeof +c - 1 + sizeof c - 1 * sizeof(char){2}; }
//// size_of_is_not_evaluated = 3
int f(void) { int x = 3; (void)sizeof(x++); return x; }
//// cast_of_parenthesised_names = 5
typedef int T; int f(void) { int t = 3, T2 = 2; return (T)+t + (T2) + (T)(-0); }
//// pointers_to_arrays = 6
int f(void) { int a[2][3] = {1, 2, 3, 4, 5, 6}; int (*p)[3] = a; int (*q)[2][3] = &a; return p[1][2] + (*q)[0][0] - 1; }
//// index_before_array = 3
int f(void) { int a[2] = {1, 3}; return 1[a]; }
//// array_typedefs = 7
typedef int row[2]; row m[2] = {{1, 2}, {3, 4}}; int g(row r) { return r[1]; }
int f(void) { return g(m[1]) + sizeof(row) - 5; }
//// self_referring_initialiser = 1
struct s { struct s *self; int x; } v = {&v, 1}; int f(void) { return v.self->self->x; }
//// loops_without_bodies = 3
int f(void) { int i; for (i = 0; i < 3; i++); do ; while (0); for (;;) { break; } return i; }
//// goto_into_loop = 6
int f(void) { int i = 1, s = 0; goto in; while (i < 4) { in: s += i; i++; } return s; }
//// dangling_else = 2
int f(void) { if (1) if (0) return 1; else return 2; return 3; }
//// declarations_in_for = 4
int f(void) { int s = 0; for (struct { int i; char c; } x = {0, 1}; x.i < 4; x.i++) s += x.c; return s; }
//// asm_label_renames: 'g' as another name of 'h' is not supported
int g(void) __asm__("h"); int h(void) { return 1; } int f(void) { return g(); }
//// register_asm: variables in registers of choice are not supported
int f(void) { register int x asm("ebx") = 3; return x; }
//// renamed_by_a_pragma: pragma 'redefine_extname' is not supported
#pragma redefine_extname g h
int g(void); int h(void) { return 1; } int f(void) { return g(); }
//// packed_by_a_pragma: pragma 'pack' is not supported
#pragma pack(push, 1)
struct s { char c; int i; }; int f(void) { return sizeof(struct s); }
//// packed_by_a_pragma_operator: pragma 'pack' is not supported
_Pragma("pack(1)") struct s { char c; int i; }; int f(void) { return sizeof(struct s); }
//// packed_in_preprocessed_text: pragma 'pack' is not supported
#define ONE 1
#pragma pack(1)
struct s { char c; int i; }; int f(void) { return sizeof(struct s) + ONE - 1; }
//// asm_label_in_a_function: variables in registers of choice are not supported
int h(void) { return 1; } int f(void) { extern int g(void) asm("h"); return g(); }
//// asm_label_of_an_object: 'x' as another name of 'y' is not supported
extern int x asm("y"); int y = 3; int f(void) { return x; }
//// asm_label_of_an_array: 'x' as another name of 'y' is not supported
extern int x[2] asm("y"), z; int y[2] = {3}; int f(void) { return x[0]; }
//// asm_label_that_changes_nothing = 4
int g(void) __asm__("" "g"); int g(void) { return 4; } int f(void) { return g(); }
//// other_builtins: __builtin_clrsb is not supported
int f(void) { return __builtin_clrsb(7); }
//// size_of_function_address = 9
int g(void) { return 1; } int f(void) { return sizeof(&g) + sizeof(g); }
//// builtins = 9
int f(void) { return __builtin_expect(5, 1) + __builtin_constant_p(3) + __builtin_choose_expr(1, 3, "x"); }
//// builtin_types_compatible: __builtin_types_compatible_p is not supported
int f(void) { return __builtin_types_compatible_p(int, int) + __builtin_types_compatible_p(int, long); }
//// builtin_offset = 4
struct s { char a; int b[3]; }; int f(void) { return __builtin_offsetof(struct s, b[1]) - 4; }
//// variadic_function = 2
int g(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); int x = __builtin_va_arg(l, int); __builtin_va_end(l); return x; }
int f(void) { return g(1, 2); }
//// transparent_union: a value of type int * as union unnamed is not supported
typedef union { int *i; char *c; } U __attribute__((transparent_union)); int g(U u) { return 3; }
int f(void) { int x; return g(&x); }
//// vector_types: vector types are not supported
typedef int v4 __attribute__((vector_size(16))); int f(void) { v4 x = {1}; return x[0]; }
//// cast_to_union: a value of type int as union u is not supported
union u { int i; char *c; }; int f(void) { union u x = (union u)3; return x.i; }
//// pragma_in_code = 2
#pragma GCC diagnostic push
int f(void) { int x = 2; _Pragma("once") return x;
#pragma omp parallel
}
//// atomics = 3
_Atomic int x = 3; _Atomic(int) y; int f(void) { return x + y; }
//// float128 = 1
int f(void) { __float128 x, *p = &x; return p == &x; }
//// extension_words = 5
__extension__ typedef struct { __extension__ union { int a; }; } s; int f(void) { return __extension__ 5; }
//// struct_declared_in_parameters = 3
int g(struct p { int x; } *q) { return 3; } int f(void) { return g(0); }
//// empty_initialiser = 0
struct s { int a[2]; } x = {}; int f(void) { int v[3] = {}; return v[2] + x.a[1]; }
//// conditional_of_void = 4
int x; void g(void) { x = 4; } int f(void) { x ? (void)0 : g(); return x; }
//// conditional_of_null = 8
int f(void) { int x = 4; return sizeof(*(1 ? 0 : &x)) + *(1 ? &x : (void *)0); }
//// macro_forms = 15
#define CAT(a, b) a##b
#define STR(x) #x
#define V(...) g(__VA_ARGS__)
#define W(x, ...) g(x, ##__VA_ARGS__)
int g(int a, int b) { return a + b; }
int f(void) { int CAT(x, 1) = 3; return x1 + V(1, 2) + W(3, 4) + sizeof(STR(a)) + 0 * __LINE__; }
//// initialiser_of_a_part_then_of_the_whole = 6
struct s { int a, b[3]; };
int f(void) { struct s x = {.b[1] = 3, 4, .a = 1, .b = {5}}; return x.a + x.b[0] + x.b[1] + x.b[2]; }
//// initialiser_that_does_not_count_is_not_evaluated = 21
int n; int g(void) { return n += 1; }
int f(void) { int a[2] = {[0] = g(), [0] = g() + 1}; return n + 10 * a[0]; }
//// initialisers_out_of_order = 12
int g(void) { return 1; } int h(void) { return 2; }
int f(void) { int a[2] = {[1] = g(), [0] = h()}; return 10 * a[1] + a[0]; }
//// initialiser_of_another_member_of_a_union = 5
union u { int i; unsigned char c; };
int f(void) { union u x = {.i = 0x01020304, .c = 5}; return x.i; }
//// initialiser_of_a_part_of_a_value: a value that is overridden in part is not supported
struct s { int a, b; }; struct t { struct s s; };
int f(void) { struct s v = {1, 2}; struct t x = {.s = v, .s.a = 3}; return x.s.b; }
//// offset_of_an_element = 1940
struct v { long long n; struct { int a; short b[3]; } items[]; };
int f(void) { int i = 2; return __builtin_offsetof(struct v, items[i].b[1]) * 50 + __builtin_offsetof(struct v, items[0].b[i - 2]) * 10 - 80; }
