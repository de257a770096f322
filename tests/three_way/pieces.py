"""Pieces with arithmetic, aggregates, control flow and calls; `PIECES` has those of memory and floats too."""

from __future__ import annotations

from collections.abc import Mapping

from tests.three_way.expressions import TYPES, Source
from tests.three_way.float_pieces import FLOAT_PIECES
from tests.three_way.memory_pieces import MEMORY_PIECES
from tests.three_way.piece import ARGUMENTS, Piece, function


def _scalars(s: Source) -> str:
    names = [f"v{k}" for k in range(4)]
    declared = " ".join(f"{s.type()} {name} = {s.expression(ARGUMENTS, 1)};" for name in names)
    body = s.block(names, [*names, *ARGUMENTS], 4, 2)
    return function(s, f"{declared}\n  {body}\n  return v0 + v1 * 3LL - v2 * 5LL + v3;")


def _arrays(s: Source) -> str:
    one, two = s.name("arr"), s.name("mat")
    t, u = s.type(), s.type()
    s.declare(f"static {t} {one}[8] = {{1, 2, {s.number()}}};", f"{u} {two}[3][4] = {{{{1, 2}}, {{3}}}};")
    s.leaves += [f"{one}[3]", f"{two}[1][2]"]
    cells = [f"{one}[a & 7]", f"{two}[i & 1][(b + i) & 3]", "local[i & 3]", f"{one}[i]"]
    return function(
        s,
        f"{s.type()} local[4] = {{0, 5, -1}}; int i; long long r = 0;\n"
        f"  for (i = 0; i < 6; i++) {{ {s.block(cells, [*cells, 'a', 'b', 'i'], 2, 0)} }}\n"
        f"  for (i = 0; i < 3; i++) for (int j = 0; j < 4; j++) r += {two}[i][j] * (i + 2);\n"
        f"  {u} (*row)[4] = {two} + (a & 1); (*row)[b & 3] += 3; row[1][0] = row[0][1] - 2;\n"
        f"  return r + local[1] + {one}[b & 7] + (&{one}[a & 3] - &{one}[5]) + sizeof {two} + sizeof(local[0]);",
    )


def _cube(s: Source) -> str:
    t, name = s.type(), s.name("cube")
    s.declare(f"static {t} {name}[2][3][2];")
    return function(
        s,
        f"int i, j, k; long long r = 0;\n"
        f"  for (i = 0; i < 2; i++) for (j = 0; j < 3; j++) for (k = 0; k < 2; k++)"
        f" {name}[i][j][k] = {s.expression(['i', 'j', 'k', 'a', 'b'])};\n"
        f"  for (i = 1; i >= 0; --i) r = r * 7 + {name}[i][(i + a) & 1][i] + {name}[a & 1][2][b & 1];\n"
        f"  return r + sizeof {name} / sizeof {name}[0];",
    )


def _structs(s: Source) -> str:
    inner, outer, value, table = s.name("in"), s.name("out"), s.name("sv"), s.name("st")
    t = [s.type() for _ in range(5)]
    s.declare(
        f"struct {inner} {{ {t[0]} x; {t[1]} y; }};",
        f"struct {outer} {{ {t[2]} m; struct {inner} i; {t[3]} n[3]; {t[4]} z; }};",
        f"static struct {outer} {value} = {{1, {{2, 3}}, {{4, {s.number()}}}, 7}};",
        f"struct {outer} {table}[2] = {{[1] = {{.i = {{.y = 5}}, .n[2] = 9}}}};",
    )
    make, swap = s.name("make"), s.name("swap")
    s.declare(
        f"static struct {outer} {make}(int a) {{ struct {outer} r = {{a, {{a + 1, 2}}, {{a}}, 3}};"
        f" r.n[a & 1] = 4; return r; }}",
        f"static int {swap}(struct {outer} q, struct {inner} w) {{ q.i = w; q.m += w.x;"
        f" return q.m + q.i.y + q.n[2]; }}",
    )
    s.leaves += [f"{value}.i.x", f"{table}[1].n[2]", f"{value}.m"]
    cells = [f"{value}.i.y", f"{value}.n[a & 1]", f"{table}[b & 1].i.x", f"{table}[0].z", "q.m", "q.n[1]"]
    return function(
        s,
        f"struct {outer} q = {value}, w; w = q; int i;\n"
        f"  {s.block(cells, [*cells, *ARGUMENTS], 3, 1)}\n"
        f"  {table}[a & 1] = q; w = {make}(a); i = {swap}(w, q.i); q = b > 3 ? w : {value};\n"
        f"  w.i = {make}(i).i;\n"
        f"  return q.m + q.i.x * 3LL + w.n[1] + {table}[1].n[2] + i + w.i.x + sizeof(struct {outer});",
    )


def _bit_fields(s: Source) -> str:
    tag, value = s.name("bf"), s.name("bv")
    s.declare(
        f"struct {tag} {{ unsigned a : {1 + s.below(7)}; int b : {2 + s.below(9)}; unsigned : 0; signed char c : 3;"
        f" unsigned long long d : {20 + s.below(20)}; _Bool e : 1; unsigned short f : 11; }};",
        f"static struct {tag} {value} = {{1, -1, 2, 3}};",
    )
    s.leaves += [f"{value}.b", f"{value}.c"]
    cells = [f"{value}.a", f"{value}.b", "x.c", "x.d", f"{value}.e", "x.f", "p->b"]
    return function(
        s,
        f"struct {tag} x = {value}, *p = &x; {s.block(cells, [*cells, *ARGUMENTS], 4, 1)}\n"
        f"  p->a++; long long r = (x.b = {s.expression(ARGUMENTS)}); r += x.c--; {value} = x; x.a = ~x.a;\n"
        f"  return r + x.a + x.b * 3 + x.c * 5 + x.d * 7LL + x.e + x.f + {value}.a + sizeof(struct {tag});",
    )


def _enums(s: Source) -> str:
    tag = s.name("en")
    low = s.pick("-3", "0", "10")
    s.declare(f"enum {tag} {{ A_{tag} = {low}, B_{tag}, C_{tag} = B_{tag} + 4, D_{tag} }};")
    name = s.name("pick")
    s.declare(
        f"static enum {tag} {name}(int k) {{ switch (k & 3) {{ case 0: return A_{tag}; case 1: return B_{tag};"
        f" default: return D_{tag}; case 2: return C_{tag}; }} }}"
    )
    return function(
        s,
        f"enum {tag} e = {name}(a), t[3] = {{A_{tag}, C_{tag}}}; int r = 0;\n"
        f"  switch (e) {{ case A_{tag}: r = 1; case B_{tag}: r += {s.expression(ARGUMENTS, 1)}; break;"
        f" case C_{tag}: case D_{tag}: r = 7; }}\n"
        f"  t[b & 1] = e + 1; e++; return r + e * 3 + t[0] + t[1] + t[2] + (e < {s.number()}) + sizeof(enum {tag});",
    )


def _recursion(s: Source) -> str:
    one, odd, even, deep = s.name("rec"), s.name("odd"), s.name("even"), s.name("deep")
    t = s.type()
    s.declare(
        f"static {t} {one}({t} n, int k) {{ if (k <= 0) return n; {t} r = {one}(n + 1, k - 1); return r * 2 - n; }}",
        f"static int {even}(int n);",
        f"static int {odd}(int n) {{ return n <= 0 ? 0 : {even}(n - 1); }}",
        f"static int {even}(int n) {{ return n <= 0 ? 1 : {odd}(n - 1); }}",
        f"static int {deep}(int n, int *up) {{ int here = n * 3; if (up) *up += here;"
        f" if (n > 0) {{ int d = {deep}(n - 1, &here); here += d & 3; }}"
        f" return here; }}",
    )
    return function(
        s, f"int r = {odd}(a & 15); int d = {deep}(b & 3, 0); return {one}(b, a & 7) * 5LL + r + d + {even}(7);"
    )


def _statics(s: Source) -> str:
    t, counter = s.type(), s.name("count")
    s.declare(
        f"static {t} {counter}(int k) {{ static {t} n = {s.number()}, t[3]; static int *last; static int first;"
        f" n += k; t[k & 1]++; if (!last) last = &first; ++*last; return n + t[1] + first; }}"
    )
    return function(s, f"long long r = {counter}(a); r = r * 3 + {counter}(b); r += {counter}(1); return r;")


def _compound_literals(s: Source) -> str:
    tag, take = s.name("cl"), s.name("take")
    t = s.type()
    s.declare(
        f"struct {tag} {{ {t} x, y; int z[2]; }};",
        f"static int {take}(const struct {tag} *p, const int *q) {{ return p->x + p->z[1] * 3 + q[0] - q[1]; }}",
    )
    return function(
        s,
        f"struct {tag} v = (struct {tag}){{.y = 3, .z = {{1, a}}}}; int *p = (int[3]){{1, 2}}; long long r = 0;\n"
        f"  for (int i = 0; i < 3; i++) {{ p[i] += i; v = (struct {tag}){{p[i], i}}; r = r * 3 + v.x + (int){{a}}; }}\n"
        f"  r += {take}(&(struct {tag}){{a, .z[1] = b}}, (int[]){{a, 5}});\n"
        f"  return r + v.y + p[2];",
    )


def _gotos(s: Source) -> str:
    names = ["u", "v"]
    return function(
        s,
        f"int u = a & 15, v = 3, n = 0;\n"
        f"again: n++; {s.block(names, [*names, *ARGUMENTS], 1)} if (n < 4) goto again;\n"
        f"  if (u > v) goto inside;\n"
        f"  while (n < 9) {{ v--; inside: n++; if (v == 2) goto out; {s.block(names, names, 1, 0)} }}\n"
        f"out: return u + v * 3LL + n;",
    )


def _duff(s: Source) -> str:
    return function(
        s,
        f"unsigned n = (a & 7) + 1, c = (n + 3) / 4; long long r = b;\n"
        f"  switch (n & 3) {{ case 0: do {{ r += {s.expression(ARGUMENTS, 1)}; case 3: r = r * 3; case 2: r++;"
        f" case 1: r -= 2;"
        f" }} while (--c > 0); }}\n"
        f"  for (int i = 0; i < 6; i++) switch (i ^ (a & 1)) {{ case 1: continue;"
        f" case 2: if (b > 5) case 4: r += 5; break;"
        f" default: r += i; if (r == 77) goto end; }}\n"
        f"end: return r;",
    )


def _variable_length(s: Source) -> str:
    t = s.type()
    return function(
        s,
        f"int n = (a & 3) + 2, i; {t} v[n]; long long r = sizeof v / sizeof v[0]; int m[n][3];\n"
        f"  for (i = 0; i < n; i++) {{ v[i] = {s.expression(['i', 'a', 'b'])}; m[i][0] = i; m[i][1] = v[i];"
        f" m[i][2] = a; }}\n"
        f"  for (i = n; i-- > 0; ) r = r * 3 + v[i] + m[i][i % 3]; n = 1;\n"
        f"  return r + sizeof m / sizeof(int);",
    )


def _initialisers(s: Source) -> str:
    tag, value, more = s.name("ini"), s.name("iv"), s.name("im")
    t = s.type()
    s.declare(
        f"struct {tag} {{ {t} a; struct {{ int x, y[2]; }} in[2]; const char *s; char c[4]; }};",
        f'static struct {tag} {value}[2] = {{[1].in[1].y = {{5, 6}}, [0] = {{.c = "abc", .a = 2, .s = "st"}}}};',
        f"static int {more}[] = {{[3] = 4, 5, [1] = 2, 3}};",
    )
    s.leaves += [f"{value}[0].a", f"{more}[3]"]
    return function(
        s,
        f"struct {tag} v = {{1, {{{{a, {{2}}}}, {{3}}}}, \"w\", {{'x'}}}}, w = {{0}};"
        f" int m[2][3] = {{1, 2, 3, a}}, z = {{7}};\n"
        f"  v.in[0].y[1] += m[1][0]; w.in[1] = v.in[0]; {value}[1].a++;\n"
        f"  return {value}[1].in[1].y[0] + {value}[0].c[2] + *{value}[0].s + v.in[0].x * 3 + v.in[0].y[1] + w.in[1].x"
        f" + v.c[0] + v.c[3] + m[0][2] + m[1][1] + z + sizeof {more} / sizeof(int) + {more}[4] + w.c[1];",
    )


def _output(s: Source) -> str:
    return function(
        s,
        f'int n = 3; if (a > 100) printf("%d %s %lld\\n", a, "text", b); if (a == 12345) exit(3);\n'
        f'  printf("%c%%\\n", n++); return n + {s.expression(ARGUMENTS)};',
    )


def _statement_expressions(s: Source) -> str:
    return function(
        s,
        f"long long r = ({{ int t = a; t += 2; t * 3; }}); int u = ({{ int m = a & 7; while (m > 3) m--; m; }});\n"
        f"  r += __extension__ ({{ {s.type()} x = {s.expression(ARGUMENTS)}; x; }});"
        f" r += u; r += (u++, u * 2); return r;",
    )


def _effects(s: Source) -> str:
    t, name, bump = s.type(), s.name("eff"), s.name("bump")
    s.declare(
        f"static {t} {name};",
        f"static int {bump}(int k) {{ {name} += k; return {name}; }}",
        f"static int {bump}_q(int k) {{ return k > 0 ? k : -k; }}",
    )
    return function(
        s,
        f"int i = a & 7, j, r = 0; j = i++; r = (j = 3, j + i); if (i > 2 && {bump}(i) > 3) r++;\n"
        f"  r += a < 0 || {bump}(2) ? {bump}_q(a) : {bump}(5); r += i ? {bump}(1) : 0; j = r = i; j -= (r += 2) > 5;\n"
        f"  int t[4] = {{0}}; t[i & 3] = {bump}(1); t[j & 3]++; while (i-- > 0 && r < 100) r += {bump}_q(i);\n"
        f"  for (i = 0, j = 9; i < j; i++, --j) r ^= 0; return r + i * 3 + j + t[1] + {name};",
    )


def _conversions(s: Source) -> str:
    names = ["c", "uc", "h", "uh", "i", "u", "l", "ul", "ll", "ull", "z"]
    kinds = [t for t in TYPES if t != "signed char"]
    declared = " ".join(f"{t} {name} = {s.leaf(ARGUMENTS)};" for t, name in zip(kinds, names, strict=True))
    pairs = " ".join(
        f"r = r * 3 + ({s.random.choice(names)} {s.pick('<', '==', '>=')} {s.random.choice(names)});" for _ in range(4)
    )
    mixed = " ".join(f"{s.random.choice(names)} = {s.expression(names)};" for _ in range(3))
    return function(
        s,
        f"{declared} long long r = 0; {pairs}\n  {mixed} {pairs}\n"
        f"  return r + c + uc * 3 + h * 5 + uh * 7 + i * 11LL + u * 13LL + l + ul + ll + ull + z + sizeof(c"
        f" + h) + sizeof(1 ? u : l);",
    )


def _typedefs(s: Source) -> str:
    word, vec, fn = s.name("word"), s.name("vec"), s.name("twice")
    s.declare(
        f"typedef {s.type()} {word}; typedef {word} {vec}[3];",
        f"static {word} {fn}(const {vec} v, {word} k) {{ return v[0] + v[2] * k; }}",
    )
    return function(
        s,
        f"{vec} v = {{a, 2, b}}, m[2] = {{{{1, 2, 3}}}}; typedef struct {{ {vec} in; int n; }} local;"
        f" local t = {{{{4, 5, a}}, 6}}, o = t;\n"
        f"  {word} r = {fn}(v, 3); r += {fn}(m[0], b); r += {fn}(o.in, t.n); {{ int v = 3; r += v;"
        f" }} return r + sizeof(local) + o.in[a & 1];",
    )


PIECES: Mapping[str, Piece] = {
    "scalars": _scalars,
    "arrays": _arrays,
    "cube": _cube,
    "structs": _structs,
    "bit-fields": _bit_fields,
    "enums": _enums,
    "recursion": _recursion,
    "statics": _statics,
    "compound literals": _compound_literals,
    "gotos": _gotos,
    "duff": _duff,
    "variable length": _variable_length,
    "initialisers": _initialisers,
    "output": _output,
    "statement expressions": _statement_expressions,
    "effects": _effects,
    "conversions": _conversions,
    "typedefs": _typedefs,
    **MEMORY_PIECES,
    **FLOAT_PIECES,
}

UNDECIDED = frozenset({"reallocation"})
"""Pieces that the lowering does not take as C has them; only programs made for them have them."""
