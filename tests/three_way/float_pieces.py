"""Pieces with floating-point numbers wherever an integer may be; NaN has one value, since its bits are left open.

Numbers are told to the checksum by their bits (`bits_TAG`), so that a result that is rounded otherwise is noticed, and
become integers where these hold them (`whole_TAG`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.three_way.expressions import TYPES, Source
from tests.three_way.piece import ARGUMENTS, Piece, function

FLOATS = ("float", "double", "long double")
_SUFFIX = {"float": "f", "double": "", "long double": "l"}
_NUMBERS = (
    *(
        "0.1f",
        "0.1",
        "0.1L",
        "-0.0",
        "-0.0f",
        "1.0",
        "0.5f",
        "-1.5",
        "3.0L",
        "1e10",
        "1e-10f",
        "16777217.0",
        "1e300",
        "1e38f",
    ),
    *(
        "1e-45f",
        "4.9e-324",
        "1e-310",
        "0x1.fffffep+127f",
        "0x1.8p-3",
        "9007199254740993.0L",
        "1e-4940L",
        "2147483647.5",
    ),
    *(
        "1.00000017881393421514957253748434595763683319091796875001f",
        "(1.0 / 3)",
        "(1.0f / 3)",
        "1e4000L",
        "(0.0 / 0.0)",
    ),
)
_TABLE = "0.1, -0.0, 3, 1e30f, -1e-40f, 0x1p-1074, 1.0 / 3, 16777217, -2.5, 0.5, 1e308, -1e300, 7, 0, 1e19, -123.456"


def _helpers(s: Source) -> tuple[str, str, str]:
    """The names of the functions `bits`, `whole` and `hard` of this program, which are declared once."""
    bits, whole, hard = (f"{stem}_{s.tag}" for stem in ("bits", "whole", "hard"))
    if not any(f" {bits}(" in one for one in s.declarations):
        s.declare(
            f"static unsigned long long {bits}(long double x)\n"
            f"{{\n  unsigned long long b; double d = x, e = x - d; long long r;\n"
            f"  if (x != x) return 77;\n  memcpy(&b, &d, 8); r = b * 31;\n"
            f"  if (e != e) return r;\n  memcpy(&b, &e, 8); return r + b;\n}}",
            f"static int {whole}(double x) {{ return x > -2147483649.0 && x < 2147483648.0 ? (int) x : 5; }}",
            f"static double {hard}(int k) {{ static const double t[16] = {{{_TABLE}}}; return t[k & 15]; }}",
        )
    return bits, whole, hard


def _expression(s: Source, names: Sequence[str], depth: int = 2) -> str:
    """A number of any arithmetic type, most often of a floating-point type."""
    if depth == 0:
        return _leaf(s, names)
    x, y, z = (_expression(s, names, depth - 1) for _ in range(3))
    match s.below(13):
        case 0:
            return f"(({s.pick(*FLOATS)}) {x})"
        case 1:
            return f"({s.pick('-', '+')}{x})"
        case 2:
            return f"({x} {s.pick('<', '<=', '==', '!=', '>', '>=')} {y} ? {z} : {x})"
        case 3:
            return f"({x} {s.pick('&&', '||', '<', '>=', '==')} {y})"
        case 4:
            return f"(({s.type()}) whole_{s.tag}({x}))"
        case 5:
            return f"({x} + ({s.expression(ARGUMENTS, 1)}))"
        case 6:
            return f"(!{x} * {y})"
        case _:
            return f"({x} {s.pick('+', '-', '*', '* 1.0f /')} {y})"


def _leaf(s: Source, names: Sequence[str]) -> str:
    roll = s.below(10)
    if names and roll < 6:
        return s.random.choice(list(names))
    if roll == 6:
        return f"hard_{s.tag}({s.pick(*ARGUMENTS)})"
    return s.pick(*ARGUMENTS) if roll == 7 else f"({s.random.choice(_NUMBERS)})"


def _assignments(s: Source, targets: Sequence[str], names: Sequence[str], count: int) -> str:
    found = list[str]()
    for _ in range(count):
        x = s.random.choice(list(targets))
        match s.below(6):
            case 0:
                found.append(s.pick(f"++{x};", f"{x}--;", f"{x}++;", f"--{x};"))
            case 1 | 2:
                found.append(f"{x} {s.pick('+', '-', '*', '/')}= {_expression(s, names, 1)};")
            case 3:
                condition = f"{_expression(s, names, 1)} {s.pick('<', '>', '!=', '<=')} {_expression(s, names, 1)}"
                found.append(f"if ({s.pick('!', '')}({condition})) {x} = {_expression(s, names, 1)};")
            case _:
                found.append(f"{x} = {_expression(s, names)};")
    return " ".join(found)


def _folded(s: Source, *names: str) -> str:
    """Statements that add numbers to `r`; as operands of one expression they would have many orders."""
    return " ".join(f"r = r * 3 + bits_{s.tag}({name});" for name in names)


def _float_scalars(s: Source) -> str:
    _helpers(s)
    names = ("x", "y", "z", "g", "h")
    return function(
        s,
        f"float x = {_expression(s, (), 1)}, g = a; double y = {_expression(s, ['x'], 1)}, h = b;"
        f" long double z = {_expression(s, ['x', 'y'], 1)};\n"
        f"  {_assignments(s, names, names, 7)}\n"
        f"  long long r = 0; {_folded(s, *names)}\n"
        f"  return r + sizeof(x + g) + sizeof(x * a) + sizeof(x + h) + sizeof(z - a);",
    )


def _float_arrays(s: Source) -> str:
    bits, whole, hard = _helpers(s)
    t, u, one, two = s.pick(*FLOATS), s.pick(*FLOATS), s.name("farr"), s.name("fmat")
    s.declare(
        f"static {t} {one}[6] = {{1, 0.1, {s.random.choice(_NUMBERS)}, [4] = -2}};",
        f"static const {u} {two}[2][3] = {{{{1, 0.3f}}, {{{s.random.choice(_NUMBERS)}, 2, 1e-3}}}};",
    )
    cells = [f"{one}[a & 3]", f"{one}[i]", "l[i & 3]", "(*p)"]
    return function(
        s,
        f"{u} l[4] = {{0, {hard}(a), b}}, *p = l + (b & 3), sum = 0; int i, j; long long r = 0;\n"
        f"  for (i = 0; i < 4; i++) {{ {_assignments(s, cells, [*cells, f'{two}[i & 1][a & 1]'], 2)} }}\n"
        f"  for (i = 0; i < 5; i++) for (j = 0; j < 5 - i; j++) if ({one}[j] > {one}[j + 1])"
        f" {{ {t} h = {one}[j]; {one}[j] = {one}[j + 1]; {one}[j + 1] = h; }}\n"
        f"  for (p = l; p != l + 4; ++p) {{ sum = sum * 0.5 + *p; r = r * 3 + {bits}(*p); }}\n"
        f"  for (i = 0; i < 6; i++) r = r * 5 + {bits}({one}[i]) + {whole}({two}[i & 1][i % 3]);\n"
        f"  return r + {bits}(sum) + (p - l) + sizeof {two};",
    )


def _float_structs(s: Source) -> str:
    bits, whole, _ = _helpers(s)
    tag, value, make = s.name("fs"), s.name("fv"), s.name("fm")
    t, u, v = (s.pick(*FLOATS) for _ in range(3))
    s.declare(
        f"struct {tag} {{ {t} x; unsigned k : 5; int m : 3; {u} y[2]; struct {{ char c; {v} z; }} in; }};",
        f"static struct {tag} {value} = {{1.5, 7, -1, {{0.1, 2}}, {{3, {s.random.choice(_NUMBERS)}}}}};",
        f"static struct {tag} {make}(struct {tag} q, {u} w)"
        " { q.y[1] = q.y[0] - w; q.k += 3; q.in.z *= w; return q; }",
    )
    cells = [f"{value}.x", "q.y[0]", "q.y[a & 1]", "q.in.z", f"{value}.in.z", "p->x"]
    told = ("q.x", "q.y[0]", "q.y[1]", "q.in.z", "w[0].y[1]", "w[1].y[1]", f"{value}.in.z")
    return function(
        s,
        f"struct {tag} q = {value}, w[2] = {{{{a, 1}}}}, *p = &w[b & 1];\n"
        f"  {_assignments(s, cells, cells, 4)}\n"
        f"  w[0] = {make}(q, p->x); {value} = a < b ? w[0] : q; q.k = {whole}(q.x) & 31; q.m = {whole}(w[1].x) & 3;\n"
        f"  w[1] = (struct {tag}){{.y = {{[1] = q.x}}, .in.z = a}};\n"
        f"  long long r = 0; {_folded(s, *told)}\n"
        f"  return r + q.k + q.m * 3 + w[0].k + {bits}({make}(w[1], 2).y[1]) + sizeof(struct {tag});",
    )


def _float_bytes(s: Source) -> str:
    bits, _, hard = _helpers(s)
    order = s.pick("1", "0")
    return function(
        s,
        f"union {{ float f; unsigned u; unsigned char b[4]; short h[2]; }} v; double d = {hard}(b), e; float g = a;"
        f" unsigned long long l; unsigned char *p = (unsigned char *) &d, t[8]; int i; long long r = 0;\n"
        f"  v.f = {_expression(s, ['d', 'g'], 1)}; if (v.f != v.f) v.f = 1; r = v.u + v.b[3] * 3 + v.h[{order}];\n"
        f"  v.b[{s.below(4)}] ^= {s.pick('0x80', '1', '0x40', '0x7f')}; r = r * 3 + {bits}(v.f);\n"
        f"  v.u = a; r += {bits}(v.f);\n"
        f"  for (i = 0; i < 8; i++) {{ t[i] = p[i]; r = r * 5 + p[i]; }} t[7] ^= 0x80; t[b & 3] += 1;\n"
        f"  memcpy(&e, t, 8); r += {bits}(e) + (memcmp(&d, &e, 8) == 0); memcpy(&l, &d, sizeof l); l += a & 15;\n"
        f"  e = *(double *) &l; r = r * 3 + {bits}(e); memset(&g, {s.pick('0', '0x3f', '0x80', '1')}, sizeof g);\n"
        f"  r += {bits}(g) + *(int *) &g; memset(&d, 0, sizeof d); r += (d == 0) + {bits}(d);\n"
        f"  p[7] = 0x3f; p[6] = a; return r + {bits}(d);",
    )


def _float_calls(s: Source) -> str:
    _, whole, hard = _helpers(s)
    t, u = s.pick(*FLOATS), s.pick(*FLOATS)
    power, apply, total, swap, old = (s.name(stem) for stem in ("pw", "ap", "tot", "sw", "old"))
    s.declare(
        f"static {t} {power}({t} x, int n)"
        f" {{ return n <= 0 ? 1 : n % 2 ? x * {power}(x, n - 1) : {power}(x * x, n / 2); }}",
        f"static {u} {apply}({t} (*f)({t}, int), {u} x) {{ return f(x, 3) - x; }}",
        f"static {u} {total}(int n, ...) {{ __builtin_va_list l; {u} r = 0; __builtin_va_start(l, n);"
        f" while (n-- > 0) {{ r = r * 2 + __builtin_va_arg(l, double); r -= __builtin_va_arg(l, int);"
        f" r += __builtin_va_arg(l, long double); }} __builtin_va_end(l); return r; }}",
        f"static void {swap}({t} *x, {t} *y) {{ {t} h = *x; *x = *y; *y = h; }}",
        f"static int {old}(x, c) float x; char c; {{ return x * 4 == c; }}",
    )
    return function(
        s,
        f"{t} x = {_expression(s, (), 1)}, y = {hard}(b), *q = &y, **qq = &q; float w = {hard}(a);\n"
        f"  {swap}(&x, *qq); **qq /= 3; {u} z = {apply}({power}, y);\n"
        f"  z += {total}(2, w, a, 0.3L, {hard}(a), 2, (long double) x); z -= {power}(a & 7, b & 7);\n"
        f"  long long r = {old}(w, 3); {_folded(s, 'x', 'y', 'z', f'{apply}({power}, w)')}\n"
        f"  return r + {whole}({power}(1.5, a & 7));",
    )


def _float_conversions(s: Source) -> str:
    bits, _, hard = _helpers(s)
    lines = list[str]()
    for k, kind in enumerate(TYPES):
        low = -1 if kind.startswith("unsigned") or kind == "char" else -129
        high = 256 if kind.startswith("unsigned") else 128
        n, x = f"i{k}", f"x{k}"
        lines.append(
            f"{kind} {n} = {s.expression(ARGUMENTS, 1)}; {s.pick(*FLOATS)} {x} = {n}; r = r * 3 + {bits}({x});"
        )
        if kind != "_Bool":
            source = s.pick("y", f"({x} * 0.001)", "(float) y")
            lines.append(f"if ({source} > {low}.0 && {source} < {high}.0) {n} = {source};")
        lines.append(f"r += {n} + ({n} {s.pick('<', '==', '>=')} y) + ({x} {s.pick('!=', '>', '<=')} {n});")
        update = f"{n} = 5; {n} {s.pick('*', '+')}= {s.pick('0.5', '1.25f', '2')};"
        lines.append(f"{n} = {x} != {x};" if kind == "_Bool" else update)
        lines.append(f"r = r * 3 + {n};")
    body = "\n  ".join(lines)
    return function(
        s,
        f"double y = {hard}(a) / 4; long long r = 0; _Bool z = y;\n"
        f"  enum {{ E = (int) 3.99, F = (int) -1.5 }};\n  {body}\n"
        f"  switch (y > 0 && y < 9 ? (int) y : -1) {{ case 0: r += 1; break; case E: r += 2; case 1: r += F; break;"
        f" default: r *= 3; }}\n"
        f"  z += 0.25; return r * 2 + z + (_Bool) 0.3f + (unsigned char) 200.9 + (0.1f + a > b) + (b == (double) b);",
    )


_UNARY = ("sqrt", "floor", "ceil", "trunc", "round", "rint", "nearbyint", "fabs", "logb")
_BINARY = ("fmod", "remainder", "copysign", "nextafter", "fdim", "fmin", "fmax")


def _float_math(s: Source) -> str:
    bits, _, hard = _helpers(s)
    t = s.pick(*FLOATS)
    f = _SUFFIX[t]
    names = [*_UNARY, *_BINARY]
    for name in names:
        line = f"extern {t} {name}{f}({t}{', ' + t if name in _BINARY else ''});"
        if line not in s.declarations:
            s.declare(line)
    more = f"extern {t} fma{f}({t}, {t}, {t}); extern {t} ldexp{f}({t}, int); extern {t} frexp{f}({t}, int *);"
    more += f" extern {t} modf{f}({t}, {t} *); extern long lrint{f}({t}); extern long long llround{f}({t});"
    if more not in s.declarations:
        s.declare(more)
    lines = list[str]()
    for name in s.random.sample(names, 6):
        x = _expression(s, ["x", "y"], 1)
        y = f", {_expression(s, ['x', 'y'], 1)}" if name in _BINARY else ""
        # which of two zeros is the least, and whose sign NaN gives, is left open
        guard = f"y = {name}{f}({x}{y}); " + ("if (y == 0) y = 0;" if name in ("fmin", "fmax") else "")
        if name == "copysign":
            guard = f"y = {name}{f}({x}, x == x ? x : 1);"
        lines.append(f"{guard} r = r * 3 + {bits}(y);")
        lines.append(f"x = {_expression(s, ['x', 'y'], 1)};")
    body = "\n  ".join(lines)
    return function(
        s,
        f"{t} x = {hard}(a), y = {hard}(b) + a; long long r = 0; int e = 0;\n  {body}\n"
        f"  r += {bits}(fma{f}(x, y, {s.random.choice(_NUMBERS)}));\n"
        f"  r += {bits}(ldexp{f}(x, {s.pick('3', '-1050', 'a & 63', '200')}));\n"
        f"  if (x - x == 0) {{ y = frexp{f}(x, &e); r += {bits}(y) + e; x = modf{f}(x, &y); {_folded(s, 'x', 'y')} }}\n"
        f"  if (x > -1e9 && x < 1e9) r += lrint{f}(x) + 3 * llround{f}(x) + 5 * lrint{f}(-x * 0.5);\n"
        f"  return r;",
    )


def _float_lists(s: Source) -> str:
    bits, whole, hard = _helpers(s)
    tag, t = s.name("fl"), s.pick(*FLOATS)
    s.declare(f"struct {tag} {{ {t} v; struct {tag} *next; }};")
    return function(
        s,
        f"struct {tag} *head = 0, *p; long double sum = 0; int i; long long r = 0;\n"
        f"  for (i = 0; i < 4; i++) {{ if (!(p = malloc(sizeof *p))) return 1;"
        f" p->v = {hard}(a + i) * (i + 0.5); p->next = head; head = p; }}\n"
        f"  for (p = head; p; p = p->next) {{ {_assignments(s, ['p->v'], ['p->v', 'sum'], 1)}"
        f" if (p->v > sum) sum = p->v; r = r * 3 + {bits}(p->v); }}\n"
        f"  {t} *m = calloc(3, sizeof *m); if (!m) return 2; r += !m[a & 1] + {bits}(m[2]);\n"
        f"  m[b & 1] = sum; m[2] = m[0] + m[1];\n"
        f"  r = r * 5 + {bits}(m[2]) + {whole}(m[1]); free(m);\n"
        f"  while (head) {{ p = head->next; free(head); head = p; }}\n  return r + {bits}(sum);",
    )


def _float_loops(s: Source) -> str:
    bits, _, hard = _helpers(s)
    t, u = s.pick(*FLOATS), s.pick(*FLOATS)
    step = s.pick("0.1", "0.1f", "0.25", "1e-3L", "x / 65536")
    return function(
        s,
        f"{t} x = {hard}(a), e = 1; {u} y = 100, last = 0; volatile {t} v = 0.25f; int n = 0; long long r = 0;\n"
        f"  for ({u} k = 0; k < 1 && n < 40; k += {step}, n++) r += {bits}(k);\n"
        f"  while (1 + e / 2 != 1 && n < 120) {{ e /= 2; n++; }}\n"
        f"  do {{ last = y; y = (y + {hard}(b) / y) / 2; n++; }} while (n < 130 && y != last);\n"
        f"  for (; x && n < 150; n++) x /= {s.pick('1e9', '65536', '-1e30f', '3')};\n"
        f"  v += x; v *= 2; if (!(v < e)) r++; if (-e) n++; {_folded(s, 'x', 'y', 'e', 'v')} return n + r;",
    )


FLOAT_PIECES: Mapping[str, Piece] = {
    "float scalars": _float_scalars,
    "float arrays": _float_arrays,
    "float structs": _float_structs,
    "float bytes": _float_bytes,
    "float calls": _float_calls,
    "float conversions": _float_conversions,
    "float math": _float_math,
    "float lists": _float_lists,
    "float loops": _float_loops,
}
