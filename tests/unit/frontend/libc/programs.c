// Functions `long long F(int a, int b)` that use the library, each below a line with its name.
//! zero_and_copy_arrays
long long F(int a, int b) { int x[100], y[100]; memset(x, 0, sizeof x); x[3] = a; memcpy(y, x, sizeof(y)); x[3] = b; return (long long) y[3] * 2 + y[99] + x[3]; }
//! zero_and_copy_structs
struct s { int x; short y[3]; char c; };
long long F(int a, int b) { struct s m, n; memset(&m, 0, sizeof m); m.y[1] = (short) a; m.c = 7; memcpy(&n, &m, sizeof(struct s)); m.y[1] = 0; return n.y[1] * 10ll + n.c + n.x + m.c; }
//! copy_through_pointers
struct s { int x; struct s *next; };
static void copy(struct s *to, const struct s *from) { memcpy(to, from, sizeof *to); }
long long F(int a, int b) { struct s m = {a, 0}, n = {b, &m}, o; copy(&o, &n); return (long long) o.x * 3 + o.next->x; }
//! copy_part_of_array
long long F(int a, int b) { int x[8] = {1, 2, 3, 4, 5, 6, 7, 8}, y[4] = {a, b}; memcpy(x + 2, y, 2 * sizeof(int)); memcpy(&x[6], &y[1], 4); return x[1] + x[2] * 3ll + x[3] * 5ll + x[4] + x[6]; }
//! copy_of_variable_size
static void copy(int *to, int *from, int n) { memcpy(to, from, n * sizeof(int)); }
long long F(int a, int b) { int x[5] = {1, 2, 3, 4, 5}, y[5] = {0}; int n = a > 0 ? 2 : 4; copy(y, x + 1, n); return y[0] + y[1] * 10 + y[2] * 100 + y[3] * 1000 + y[4]; }
//! move_within_array
long long F(int a, int b) { int x[6] = {1, 2, 3, 4, 5, 6}; int n = a > 3 ? 3 : 2; memmove(x + 1, x, n * sizeof *x); memmove(x + 2, x + 4, 2 * sizeof *x); memmove(x, x + 1, (size_t) n * 4); return x[0] + x[1] * 10 + x[2] * 100 + x[3] * 1000 + x[4] * 10000 + x[5] * 100000; }
//! move_constant_overlap
long long F(int a, int b) { char t[8] = "abcdefg"; memmove(t + 2, t, 5); return t[2] + t[3] * 10 + t[6] * 100 + t[7]; }
//! set_bytes
long long F(int a, int b) { char t[6] = {0}; int w[3]; unsigned short h[4] = {1, 2, 3, 4}; memset(t, a, 4); memset(w, -1, sizeof w); memset(h, b, 3 * sizeof *h); return t[0] + t[3] * 2 + t[4] + w[2] * 5ll + h[0] + h[2] + h[3]; }
//! set_bytes_in_memory
static void fill(unsigned *p, int n, int v) { memset(p, v, n * sizeof(unsigned)); }
long long F(int a, int b) { unsigned w[4] = {1, 2, 3, 4}; fill(w, 3, b); return w[0] + w[2] * 3ll + w[3]; }
//! heap_copy
struct p { int x; int y; };
long long F(int a, int b) { struct p *p = malloc(sizeof *p), *q = malloc(sizeof(struct p)); memset(p, 0, sizeof *p); p->y = a; memcpy(q, p, sizeof *q); p->y = b; int *v = malloc(4 * sizeof(int)), *w = malloc(16); memset(v, 0, 16); v[2] = 5; memcpy(w, v, 4 * sizeof *v); return q->x + q->y * 2ll + p->y + w[2] + w[3]; }
//! compare_blocks
static int sign(int x) { return (x > 0) - (x < 0); }
long long F(int a, int b) { char s[4] = {1, 2, (char) a, 4}, t[4] = {1, 2, (char) b, 4}; int v[2] = {a, b}, w[2] = {b, b}; return sign(memcmp(s, t, 4)) * 100 + sign(memcmp(v, w, sizeof v)) * 10 + memcmp(s, t, 2); }
//! lengths
long long F(int a, int b) { char t[] = "hello world"; const char *s = a > 0 ? t + 6 : "no"; t[8] = a == 7 ? 0 : 'x'; return strlen(s) * 100 + strlen("four") * 10 + strnlen(t, 3) + strnlen(s, 9); }
//! copies_of_strings
long long F(int a, int b) { char s[20], t[20]; strcpy(s, "abc"); strcat(s, a > 0 ? "def" : "g"); strcpy(t, s); strncat(t, "xyz", 2); long long r = strlen(s) * 100 + t[3] + t[strlen(s) + 1]; return r + (stpcpy(s, "hi") - s); }
//! bounded_copy
long long F(int a, int b) { char t[8] = "1234567"; strncpy(t, "ab", a > 0 ? 5 : 2); return t[0] + t[1] * 2ll + t[2] * 3ll + t[3] * 5ll + t[4] * 7ll + t[5] * 11ll; }
//! compare_strings
static int sign(int x) { return (x > 0) - (x < 0); }
long long F(int a, int b) { char t[4] = "abc"; t[1] = (char) ('a' + (a & 3)); return sign(strcmp(t, "abc")) * 1000 + sign(strncmp(t, "abd", 2)) * 100 + sign(strncmp("a", t, 1)) * 10 + sign(strcasecmp("ABC", t)) + 5 * sign(strncasecmp("aB", t, 2)); }
//! compare_signed_characters
long long F(int a, int b) { char s[2] = {(char) a, 0}, t[2] = {(char) b, 0}; return (strcmp(s, t) < 0) + 2 * (strcmp(t, s) < 0) + 4 * (memcmp(s, t, 1) > 0) + 8 * !strcmp(s, s); }
//! search_in_strings
long long F(int a, int b) { const char *s = "a,b,c"; char *first = strchr(s, a > 0 ? ',' : 'c'), *last = strrchr(s, ','); return (first - s) * 100 + (last - s) * 10 + (strchr(s, 'x') == 0) + (strchr(s, 0) - s) + (memchr(s, 'b', 4) == s + 2) + (memchr(s, 'c', 3) == 0); }
//! search_for_strings
long long F(int a, int b) { const char *s = "key = value"; return (strstr(s, a > 0 ? "va" : "key") - s) * 1000 + (strstr(s, "vx") == 0) + strspn(s, "yek") * 10 + strcspn(s, b > 0 ? "= " : "v") * 100 + (strpbrk(s, "=v") - s) + (strpbrk(s, "#") == 0); }
//! duplicate
long long F(int a, int b) { char t[6] = "abcde"; char *d = strdup(t), *e = strndup(t, a > 0 ? 2 : 9); t[0] = 'x'; d[1] = 'y'; return d[0] * 3ll + d[1] + strlen(e) * 1000 + e[1] + t[1]; }
//! characters
long long F(int a, int b) { int c = a & 127; return !!isdigit(c) + 2 * !!isalpha(c) + 4 * !!isspace(c) + 8 * !!isupper(c) + 16 * !!islower(c) + 32 * !!isalnum(c) + 64 * !!isxdigit(c) + 128 * !!ispunct(c) + 256 * !!isprint(c) + 512 * !!isgraph(c) + 1024 * !!iscntrl(c) + 2048 * !!isblank(c) + 4096ll * toupper(c) + (tolower(c) << 20); }
//! every_character
long long F(int a, int b) { long long s = 0; for (int c = 0; c < 128; c++) s = (s * 3 + !!isalpha(c) + 2 * !!ispunct(c) + 4 * !!isspace(c) + 8 * !!isxdigit(c) + 16 * !!isprint(c) + toupper(c)) % 1000003; return s; }
//! magnitudes
long long F(int a, int b) { return abs(a) + labs((long) b) * 2 + llabs(-5ll); }
//! numbers
long long F(int a, int b) { char t[8] = " -120"; t[2] = (char) ('0' + (b & 7)); return atoi(t) * 10ll + atoi("+7x") + atol("\t42") + atoi("none"); }
//! value_of_copy
long long F(int a, int b) { int x[2] = {a, b}, y[2]; int *p = memcpy(y, x, sizeof y); char t[4]; return p[1] + (long long) y[0] + strlen(strcpy(t, "ab")) + (p == y); }
//! own_definition_wins
static int calls; int isdigit(int c) { calls++; return c == 'x'; }
long long F(int a, int b) { calls = 0; int r = isdigit('5'); r += 2 * isdigit('x'); return r + 10 * calls; }
//! copy_of_pointers
long long F(int a, int b) { int x = a, y = b; int *p[2] = {&x, &y}, *q[2]; memcpy(q, p, sizeof q); *q[0] = 5; memset(p, 0, sizeof p); return x + 2ll * *q[1] + (p[1] == 0); }
//! copy_between_signs
long long F(int a, int b) { unsigned x[3] = {(unsigned) a, (unsigned) b, 7}; int y[3]; memcpy(y, x, sizeof x); unsigned char c[4] = "xyz"; char d[4]; memcpy(d, c, 4); return (long long) y[0] + y[1] + y[2] + d[1]; }
//! fields_of_structs
struct s { char name[6]; int v[3]; };
long long F(int a, int b) { struct s m[2], *p = &m[1]; strcpy(p->name, "abc"); memset(p->v, 0, sizeof p->v); p->v[1] = a; memcpy(&m[0], p, sizeof m[0]); p->name[1] = 'z'; return m[0].name[1] + m[0].v[1] * 2ll + strlen(m[0].name) + m[0].v[2]; }
//! builtins
long long F(int a, int b) { char t[4]; int x[2]; __builtin_memset(x, 0, sizeof x); x[1] = __builtin_abs(a / 2); __builtin_strcpy(t, "ab"); return x[0] + x[1] + (long long) __builtin_strlen(t); }
//! bytes_of_structs
struct s { int x; short y; char z[2]; };
static int sign(int x) { return (x > 0) - (x < 0); }
long long F(int a, int b) { struct s m[2], n = {a, 3, {4, 5}}, o = {b, 3, {4, 5}}; memset(m, 0x81, sizeof m); memset(&m[1], a, sizeof m[1]); m[0].y = (short) b; return m[0].x + m[0].y * 3ll + m[0].z[1] * 5 + m[1].x * 7ll + m[1].y + sign(memcmp(&n, &o, sizeof n)) * 11 + memcmp(&n, &n, sizeof n); }
//! bytes_of_truth_values
struct s { char c; _Bool b; short m; _Bool r[2]; };
long long F(int a, int b) { struct s s = {1, 1, 2, {1, 0}}, t = s; unsigned char d[6] = {3, a > b, 1, 2, b > 0, 1}, e[6]; memset(&s, a & 1, 2); memcpy(&t, d, sizeof t); memcpy(&s.r, t.r, 2); memcpy(e, &t, 6); memset(t.r, b & 1, 1); return s.c + s.b * 2ll + s.r[0] * 4 + s.r[1] * 8 + t.c * 16 + t.b * 100 + t.m * 1000ll + t.r[0] * 50000ll + (t.r[1] ? 7 : 9) * 100000ll + e[1] + e[4] * 11; }
//! tokens_of_strings
long long F(int a, int b) { char t[10] = ",a;;bc,d"; t[4] = a > 0 ? ';' : 'x'; char *p = strtok(t, ",;"), *r; long long s = p[0]; while ((p = strtok(0, ",;")) != 0) s = s * 3 + strlen(p) + p[0]; char u[6] = "1 2 3"; p = strtok_r(u, b > 0 ? " " : "2", &r); s = s * 10 + strlen(p) + r[0]; return s + (strtok(0, ";") == 0); }
//! separated_strings
long long F(int a, int b) { char t[8] = "a,,b"; char *r = t, *p; long long s = 0; t[1] = a > 0 ? ',' : 'y'; while ((p = strsep(&r, ",")) != 0) s = s * 4 + strlen(p) + 1; return s + (r == 0); }
//! bytes_from_the_end
long long F(int a, int b) { char t[8] = "abcabc", u[8] = "-------"; char *p = memrchr(t, a > 0 ? 'b' : 'x', 6); char *q = mempcpy(u, t, 3), *c = memccpy(u + 4, t, b > 0 ? 'b' : 'z', 3); return (p ? p - t : 9) + (q - u) * 10 + (c ? c - u : 99) * 100 + u[3] + u[5] + u[6]; }
//! parts_of_blocks
long long F(int a, int b) { char t[6] = "xabab"; char *p = memmem(t, 5, a > 0 ? "ab" : "bb", 2), *q = memmem(t, 5, t, 0); return (p ? p - t : 7) + (q - t) * 10 + (strcasestr(t, "BA") - t) * 100 + (strchrnul(t, 'z') - t) + (strchrnul(t, 'b') - t); }
//! bounded_strings
long long F(int a, int b) { char t[4] = "xyz", u[6] = "ab"; size_t n = strxfrm(t, "pq", a > 0 ? 4 : 2); return n + t[0] * 2ll + t[a > 0 ? 2 : 1] + (strcoll(t, u) > 0) + isascii(200) + toascii(200); }
//! numbers_of_every_base
long long F(int a, int b) { char t[8] = " -7f"; char *e; t[2] = (char) ('0' + (a & 7)); long x = strtol(t, &e, b > 0 ? 16 : 0), s = e - t; s += strtoll("zz", &e, 36) ; s += *e; s += (long) strtoull("0x", &e, 16) * 3; s += *e; s += strtol("08", &e, 0); return x * 100 + s + *e + (long long) strtoul("077", 0, 0) * 3 + atoll("-12"); }
//! numbers_outside
long long F(int a, int b) { char *e; char t[] = "99999999999999999999999999x"; t[26] = a > 0 ? 'x' : 0; int big = strtol(t, &e, 10) > 2147483646; return big + *e + (strtoll("-99999999999999999999999", 0, 10) < -9223372036854775807ll) * 2 + (strtoul("-1", 0, 10) > 4000000000u) * 4 + (strtoull(t, 0, 10) == -1ull) * 8; }
//! quotients_with_remainders
long long F(int a, int b) { div_t d = div(a / 2, b ? b : 3); ldiv_t l = ldiv(a / 3, 7); lldiv_t m = lldiv(-17, b > 0 ? 5 : -5); return d.quot * 10ll + d.rem + l.quot * 100ll + l.rem + m.quot * 1000 + m.rem; }
//! sorted_numbers
static int order(const void *x, const void *y) { int a = *(const int *) x, b = *(const int *) y; return (a > b) - (a < b); }
long long F(int a, int b) { int v[5] = {3, a, b, 7, 1}, k = 7; qsort(v, 5, sizeof *v, order); int *f = bsearch(&k, v, 5, sizeof(int), order); return v[0] + v[1] * 3ll + v[2] * 5ll + v[3] * 7ll + v[4] * 11ll + *f + (v[0] <= v[1] && v[3] <= v[4]); }
//! sorted_structs
struct p { short key; char *name; };
static int order(const void *x, const void *y) { return ((const struct p *) x)->key - ((const struct p *) y)->key; }
long long F(int a, int b) { struct p v[3] = {{3, "c"}, {(short) (a & 15), "a"}, {20, "b"}}, k = {21, 0}; qsort(v, 3, sizeof v[0], order); return v[0].name[0] * 100 + v[1].name[0] * 10 + v[2].name[0] + (bsearch(&k, v, 3, sizeof k, order) == 0); }
//! variable_arguments
static int sum(int n, ...) { __builtin_va_list l, again; int s = 0; __builtin_va_start(l, n); __builtin_va_copy(again, l); for (int i = 0; i < n; i++) s += __builtin_va_arg(l, int); if (n) s = s * 3 + __builtin_va_arg(again, int); __builtin_va_end(l); __builtin_va_end(again); return s; }
long long F(int a, int b) { int x = a & 1023, y = b & 1023; return sum(0) + sum(2, x, y) * 3ll + sum(3, y, sum(1, x), sum(1, 5)); }
//! variable_arguments_of_many_types
struct r { short s; long l; }; enum e { A = 1, B = -5 };
static long long all(const char *f, __builtin_va_list l) { long long s = 0; for (; *f; f++) switch (*f) { case 'i': s = s * 5 + __builtin_va_arg(l, int); break; case 'u': s = s * 5 + __builtin_va_arg(l, unsigned); break; case 'l': s = s * 5 + __builtin_va_arg(l, long); break; case 'q': s = s * 5 + __builtin_va_arg(l, unsigned long long); break; case 's': s = s * 5 + *__builtin_va_arg(l, const char *); break; case 'p': s = s * 5 + ++*__builtin_va_arg(l, int *); break; case 'v': s = s * 5 + (__builtin_va_arg(l, void *) == 0); break; case 'r': s = s * 5 + __builtin_va_arg(l, struct r).l; break; case 'd': __builtin_va_arg(l, double); break; case 'e': s = s * 5 + __builtin_va_arg(l, enum e); break; } return s; }
static long long of(const char *f, ...) { __builtin_va_list l; __builtin_va_start(l, f); long long s = all(f, l); __builtin_va_end(l); return s; }
long long F(int a, int b) { int x = b & 255, t[2] = {3, 4}; struct r r = {1, a & 15}; long long s = of("iulqsdprve", (char) a, a + 0u, (long) b, (unsigned long long) b, "xy", 1.5, &t[1], r, (void *) 0, x > 7 ? A : B) * 7; s += of("ps", &x, x > 100 ? "a" : (void *) "b"); return s + x + t[1]; }
//! variable_arguments_of_pointers_to_functions
static int sum(int n, ...) { __builtin_va_list l; int s = 0; __builtin_va_start(l, n); while (n--) s = s * 3 + __builtin_va_arg(l, int); __builtin_va_end(l); return s; }
static int first(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); int s = __builtin_va_arg(l, int); __builtin_va_end(l); return s + n; }
static int none(int n, ...) { return n; }
long long F(int a, int b) { int (*f[3])(int, ...) = {sum, first, none}; long long s = 0; for (int i = 0; i < 3; i++) s = s * 7 + f[i](2, a & 255, b & 255); return s; }
//! variable_arguments_in_recursion
static int deep(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); int x = __builtin_va_arg(l, int); int y = n > 0 ? deep(n - 1, x + 1, 0) : 0; int z = __builtin_va_arg(l, int); __builtin_va_end(l); return x + 2 * y + 3 * z; }
long long F(int a, int b) { return deep(3, a & 255, b & 255); }
//! variable_arguments_by_address
static int next(__builtin_va_list *l) { return __builtin_va_arg(*l, int); }
static int two(int n, ...) { struct { int n; __builtin_va_list l; } s; __builtin_va_start(s.l, n); int x = next(&s.l); x = x * 3 + next(&s.l); __builtin_va_end(s.l); return x; }
static void none(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); *__builtin_va_arg(l, int *) = n; __builtin_va_end(l); }
static int lost(int n, ...) { if (n) return n; __builtin_va_list l; __builtin_va_start(l, n); *__builtin_va_arg(l, int *) += 1; }
long long F(int a, int b) { int x = 1; none(5, &x); lost(0, &x); (void) lost(0, &x); for (int i = 0; i < 2; i++, lost(0, &x)) ; return two(2, a & 255, b & 255) + x; }
//! printed_numbers
long long F(int a, int b) { char t[32]; int n = 0, k = snprintf(t, 12 + (a & 3), "%d%%<%5x|%-3u>%n%s", a, b & 65535, 7u, &n, "ab"); long long s = k * 100 + n; for (int i = 0; t[i]; i++) s = s * 3 + t[i]; k = sprintf(t, "%+hd%c%#llo%.3ld", (short) a, 'x', (unsigned long long) (b & 511), (long) (b & 15)); for (int i = 0; i < k; i++) s = s * 3 + t[i]; return s + (t[k] == 0); }
//! scanned_text
long long F(int a, int b) { char t[16] = "x=-12, 7f q", u[4] = "..", c; int x = 1, y = 2, n = 0; unsigned z = 3; t[3] = a > 0 ? '-' : '4'; t[7] = b > 0 ? ' ' : 'a'; int k = sscanf(t, "x=%d,%x%n %c%3[a-f]", &x, &z, &n, &c, u); y = sscanf("", "%d", &y); return k * 1000ll + x * 7 + z * 3ll + n + y + (k > 2 ? c : 0) + u[0]; }
//! formatted_by_functions
static int put(char *t, int n, const char *f, ...) { __builtin_va_list l; __builtin_va_start(l, f); int k = vsnprintf(t, n, f, l); __builtin_va_end(l); return k; }
static int get(const char *t, const char *f, ...) { __builtin_va_list l; __builtin_va_start(l, f); int k = vsscanf(t, f, l); __builtin_va_end(l); return k; }
long long F(int a, int b) { char t[20], *m; int x, k = put(t, 20, a > 0 ? "%d:%s" : "%04d %s", b & 255, "xyz"); long long s = k * 31 + t[2] + t[3]; k = get(t, "%d", &x); asprintf(&m, "<%i>", x); return s * 31 + k + x + m[1] + strlen(m); }
//! printed_by_every_directive
static long long sum(const char *t, int k) { long long s = k; for (int i = 0; i < k; i++) s = s * 3 + t[i]; return s + (t[k] == 0); }
long long F(int a, int b) { char t[80]; int n = 3, w = b % 7; short h = (short) a; long l = a / 3; long long ll = a * 5000000000ll; int k = sprintf(t, "%5.3d|%-6x|%#o|%+ld|%zu|%hhd|%hu", a, b & 4095, b & 63, l, (size_t) n, a, h); long long s = sum(t, k); k = snprintf(t, 40 + (b & 15), "%lld|%c%-4c|%.2s|%*d|%-*.*s|%%%n|%i% d|%X", ll, 'x', 'y', "abc", w, a & 255, w, 2, "pqr", &n, 5, b & 7, a & 65535); s = s * 5 + sum(t, k < 40 ? k : 39) + n; s += snprintf(t, 0, "%d%s", a, "x"); k = sprintf(t, "%%"); return s + k + t[0]; }
//! printed_with_other_signs
static long long sum(const char *t, int k) { long long s = k; for (int i = 0; i < k && t[i]; i++) s = s * 3 + t[i]; return s; }
long long F(int a, int b) { char t[60]; unsigned u = a; int k = snprintf(t, 60, "%x|%u|%d|%llx", b, a, u, -1ll - (b & 3)); return sum(t, k); }
//! functions_through_pointers
struct hooks { size_t (*length)(const char *); int (*order)(const char *, const char *); int (*change)(int); void *(*get)(size_t); };
static struct hooks h = { strlen, strcmp, toupper, malloc };
static int each(char *t, int (*f)(int)) { int s = 0; for (int i = 0; t[i]; i++) s = s * 3 + (f(t[i]) != 0); return s; }
long long F(int a, int b) { char *t = h.get(4); if (!t) return 0; t[0] = 'a' + (a & 7); t[1] = '0' + (b & 15); t[2] = 'z'; t[3] = 0; long long s = h.length(t) * 5 + (h.order(t, "c5") < 0); h.change = a & 1 ? tolower : toupper; s = s * 300 + h.change(t[0]); s = s * 31 + each(t, isdigit); return s * 7 + (h.change == toupper) + (h.length == strlen); }

//! copies_of_bits_as_bytes
struct s { unsigned x : 5, y : 11, : 3, z : 13; unsigned char c; };
long long F(int a, int b) { struct s m, n; unsigned short w; unsigned v = a; memset(&m, 0, sizeof m); memcpy(&m, &v, 4); m.y += b; memcpy(&w, &m, 2); memset(&n, 255, sizeof n); memcpy(&n, &m, sizeof v); return w + m.z * 65536ll + n.y * 3 + n.c; }
