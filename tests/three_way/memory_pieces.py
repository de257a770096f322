"""Pieces with pointers, the heap, unions, strings and library functions."""

from __future__ import annotations

from collections.abc import Mapping

from tests.three_way.expressions import Source
from tests.three_way.piece import ARGUMENTS, Piece, function


def _struct_pointers(s: Source) -> str:
    node, table = s.name("pn"), s.name("pt")
    t = [s.type() for _ in range(3)]
    s.declare(f"struct {node} {{ {t[0]} u; struct {node} *other; {t[1]} v[2]; {t[2]} w; }};")
    s.declare(f"static struct {node} {table}[3];")
    change = s.name("change")
    s.declare(
        f"static void {change}(struct {node} *p, {t[2]} *w, int k) {{ p->u += k; *w = p->u - 1; p->v[k & 1] = *w + 2;"
        f" if (p->other) p->other->w = k; }}"
    )
    cells = ["p->u", "p->v[a & 1]", "q->w", "(*q).u", "p->other->w"]
    return function(
        s,
        f"struct {node} local = {{1, &{table}[1], {{2, 3}}, 4}}, *p = &{table}[0], *q = a > 2 ? &local : &{table}[2];\n"
        f"  {table}[0].other = q; {table}[1].other = 0; {table}[2].other = &local;\n"
        f"  {s.block(cells, [*cells, *ARGUMENTS], 3, 1)}\n"
        f"  {change}(p, &q->w, a); {change}(q, &{table}[1].w, 3); p = p->other; p->u ^= 0;\n"
        f"  return local.u + local.w * 3LL + {table}[0].v[1] + {table}[1].w + q->v[0] + (q == &local);",
    )


def _unions(s: Source) -> str:
    tag, value = s.name("un"), s.name("uv")
    s.declare(
        f"union {tag} {{ unsigned u; int i; unsigned char c[4]; unsigned short h[2]; }};",
        f"static union {tag} {value} = {{{s.number()}}};",
    )
    return function(
        s,
        f"union {tag} x; x.u = {s.expression(ARGUMENTS)}; long long r = x.i;\n"
        f"  x.c[a & 3] = {s.expression(ARGUMENTS)}; r += x.u; x.h[1] = x.h[0] + 1; r += x.i;\n"
        f"  {value}.h[b & 1] = r; {value}.c[2] += 3; union {tag} y = x, *p = &y; p->i -= {value}.c[a & 3];\n"
        f"  return r * 3 + y.u + {value}.u + sizeof(union {tag});",
    )


def _register(s: Source) -> str:
    tag, value = s.name("rg"), s.name("rv")
    widths = [(s.pick("unsigned", "int", "unsigned char", "short"), s.random.randint(1, 8)) for _ in range(5)]
    members = " ".join(f"{type_} m{k} : {width};" for k, (type_, width) in enumerate(widths))
    members += f" _Bool t : 1; unsigned : {s.random.randint(0, 4)}; int w : {s.random.randint(9, 32)};"
    s.declare(
        f"union {tag} {{ struct {{ {members} }} m; unsigned long long raw; unsigned char c[8]; short h; }};",
        f"static struct {{ char before; union {tag} u[2]; }} {value};",
    )
    return function(
        s,
        f"union {tag} x = {value}.u[0], *p = &{value}.u[a & 1];\n"
        f"  x.raw = {s.expression(ARGUMENTS)}; x.m.m1 = b; p->raw = x.raw * 5;\n"
        f"  p->m.m3 ^= a; p->c[1] = {s.expression(ARGUMENTS)}; p->m.w -= 3; p->m.t = p->m.m0; x.m.m4++;\n"
        f"  {value}.u[b & 1].m.m2 = x.m.m3 - p->m.w; long long r = x.m.w + p->raw; p->h += 7; x = *p;\n"
        f"  return r * 3 + x.m.m0 + x.m.m1 + x.m.m2 * 5 + x.m.m3 + x.m.m4 + x.m.t + {value}.u[1].raw + {value}.before;",
    )


def _tagged_union(s: Source) -> str:
    tag, kind, make = s.name("tu"), s.name("kind"), s.name("mk")
    s.declare(
        f"enum {kind} {{ I_{kind}, C_{kind} = 5, P_{kind} }};",
        f"struct {tag} {{ enum {kind} k; union {{ int i; signed char c; struct {{ short l, h; }} p; }} u; }};",
        f"static struct {tag} {make}(int a) {{ struct {tag} r; r.k = a & 1 ? I_{kind} : a & 2 ? C_{kind} : P_{kind};"
        f" switch (r.k) {{ case I_{kind}: r.u.i = a; break; case C_{kind}: r.u.c = a; break;"
        f" default: r.u.p.l = a; r.u.p.h = -a; }} return r; }}",
    )
    return function(
        s,
        f"long long r = 0; for (int i = 0; i < 4; i++) {{ struct {tag} t = {make}(a + i);\n"
        f"  if (t.k == I_{kind}) r += t.u.i; else if (t.k == C_{kind}) r -= t.u.c;"
        f" else r += t.u.p.l * 3 + t.u.p.h; }}\n"
        f"  return r + b;",
    )


def _strings(s: Source) -> str:
    table, text = s.name("words"), s.name("text")
    s.declare(
        f'static const char *const {table}[] = {{"one", "two\\n", "", "f\\x6fur\\0hidden", "five" "six"}};',
        f'static char {text}[12] = "abc{s.pick("", "d", "xyz")}";',
    )
    length = s.name("len")
    s.declare(f"static unsigned {length}(const char *p) {{ unsigned n = 0; while (*p++) n++; return n; }}")
    return function(
        s,
        f'char local[] = "local", *p = {text}; const char *w = {table}[(unsigned)a % 5]; long long r = 0;\n'
        f"  while (*w) r = r * 31 + *w++; {text}[b & 3] = 'q'; local[a & 3] = local[4] + 1;\n"
        f"  for (; *p; ++p) r += *p == 'q' ? 100 : *p; for (int i = 0; local[i]; i++) r ^= 0, r += local[i] << i;\n"
        f'  return r + {length}({table}[4]) + {length}({text}) + (p - {text}) + sizeof "wide" + "xyz"[a & 1]'
        f" + sizeof local;",
    )


def _walks(s: Source) -> str:
    t, name = s.type(), s.name("run")
    s.declare(f"static {t} {name}[10] = {{{s.number()}, 2, 3}};")
    total = s.name("sum")
    s.declare(
        f"static long long {total}(const {t} *p, const {t} *end) {{ long long r = 0;"
        f" while (p < end) r = r * 3 + *p++; return r; }}"
    )
    return function(
        s,
        f"{t} local[5] = {{1, 2, 3, 4, 5}}, *p = {name}, *end = {name} + 10, *q = local + 4; long long r = 0;\n"
        f"  while (p != end) *p++ = {s.expression(['a', 'b'])};\n"
        f"  p = {name} + (a & 7); p[1] = p[0] + 1; *(p + 2) -= 3; --p; p += 1; r = p - {name}; *p = 7; -- *p;\n"
        f"  for (; q >= local; q--) {{ r = r * 5 + *q; if (q == local) break; }}\n"
        f"  end = &local[b & 3]; *end += 2; ++*end; (*end)++;\n"
        f"  return r + {total}({name}, {name} + 10) + {total}(local, end + 1) + (p > {name}) + (end - q) + !p;",
    )


def _pointer_pointers(s: Source) -> str:
    t = s.type()
    swap, table = s.name("swap"), s.name("ptrs")
    s.declare(
        f"static void {swap}({t} **p, {t} **q) {{ {t} *o = *p; *p = *q; *q = o; }}",
        f"static {t} *{table}[3];",
    )
    return function(
        s,
        f"{t} u = a, v = b, w = 3, *p = &u, *q = &v, **pp = a & 1 ? &p : &q;\n"
        f"  {swap}(&p, &q); **pp += 4; *pp = &w; {table}[0] = p; {table}[1] = q; {table}[2] = &u;"
        f" *{table}[a & 1] = 9;\n"
        f"  {swap}(&{table}[0], &{table}[2]); *{table}[0] -= {s.expression(ARGUMENTS)};\n"
        f"  {t} ***ppp = &pp; ***ppp = 5; *({s.leaf(ARGUMENTS)} ? p : q) += 1;\n"
        f"  return u + v * 3LL + w * 5LL + *p * 7LL + *q * 11LL + (*pp == p) + (p == q);",
    )


def _lists(s: Source) -> str:
    node, t = s.name("node"), s.type()
    push, back = s.name("push"), s.name("reverse")
    s.declare(
        f"typedef struct {node} {{ {t} value; struct {node} *next; }} {node}_t;",
        f"static {node}_t *{push}({node}_t *head, long long v) {{ {node}_t *n = malloc(sizeof *n); n->value = v;"
        f" n->next = head; return n; }}",
        f"static {node}_t *{back}({node}_t *p) {{ {node}_t *r = 0; while (p) {{ {node}_t *n = p->next;"
        f" p->next = r; r = p;"
        f" p = n; }} return r; }}",
    )
    return function(
        s,
        f"{node}_t *head = 0, *p, **pp; long long r = 0; int i;\n"
        f"  for (i = 0; i < 3 + (a & 3); i++) head = {push}(head, {s.expression(['a', 'b', 'i'])});\n"
        f"  head = {back}(head); for (p = head; p; p = p->next) r = r * 7 + p->value;\n"
        f"  for (pp = &head; *pp; ) {{ if (((*pp)->value & 1) == 0) {{ p = *pp; *pp = p->next; free(p); }}"
        f" else pp = &(*pp)->next; }}\n"
        f"  while (head) {{ p = head->next; r -= head->value; free(head); head = p; }}\n"
        f"  return r + (p == 0);",
    )


def _tree(s: Source) -> str:
    node = s.name("tree")
    add, total = s.name("add"), s.name("total")
    s.declare(
        f"struct {node} {{ struct {node} *sub[2]; int key; }};",
        f"static struct {node} *{add}(struct {node} *t, int key) {{ if (!t) {{ t = malloc(sizeof(struct {node}));"
        f" t->sub[0] = 0; t->sub[1] = 0; t->key = key; }} else if (key != t->key) {{ int side = key > t->key;"
        f" t->sub[side] = {add}(t->sub[side], key); }} return t; }}",
        f"static long long {total}(const struct {node} *t) {{ if (!t) return 1;"
        f" long long l = {total}(t->sub[0]); return l * 3 + t->key + {total}(t->sub[1]) * 5; }}",
    )
    return function(
        s,
        f"struct {node} *root = 0; for (int i = 0; i < 5; i++) root = {add}(root, {s.expression(['a', 'b', 'i'])});\n"
        f"  return {total}(root);",
    )


def _indirect_calls(s: Source) -> str:
    t, u = s.type(), s.type()
    names = [s.name("op") for _ in range(3)]
    for name in names:
        s.declare(f"static {t} {name}(int a, {u} b) {{ return {s.expression(ARGUMENTS)}; }}")
    table, apply, ops = s.name("table"), s.name("apply"), s.name("ops")
    s.declare(
        f"typedef {t} {table}_t(int, {u});",
        f"static {table}_t *const {table}[] = {{{names[0]}, {names[1]}, &{names[2]}}};",
        f"static long long {apply}({t} (*f)(int, {u}), int k) {{ return f ? f(k, k + 1) : -1; }}",
        f"struct {ops} {{ {table}_t *run; int k; }};",
        f"static struct {ops} {ops}_v = {{{names[1]}, 3}};",
    )
    return function(
        s,
        f"long long r = {table}[(unsigned)a % 3](a, b); {table}_t *f = a > 0 ? {names[0]} : {names[2]};\n"
        f"  struct {ops} o = {ops}_v, *p = &{ops}_v; if (b & 1) p->run = {table}[b & 1];\n"
        f"  r = r * 3 + f(1, a); r = r * 3 + (*f)(2, b); r += {apply}(f, a); r += {apply}(0, b);"
        f" r += p->run(p->k, 2);\n"
        f"  r += o.run(o.k, b);\n"
        f"  return r + (f == {names[0]}) + (o.run != p->run);",
    )


def _contexts(s: Source) -> str:
    tag, call = s.name("ctx"), s.name("each")
    add, mark = s.name("cbadd"), s.name("cbmark")
    s.declare(
        f"struct {tag} {{ long long sum; int count; }};",
        f"static void {add}(void *c, int v) {{ struct {tag} *x = c; x->sum += v; x->count++; }}",
        f"static void {mark}(void *c, int v) {{ struct {tag} *x = (struct {tag} *)c;"
        f" if (v > x->count) x->count = v; }}",
        f"static void {call}(const int *p, int n, void (*f)(void *, int), void *c) {{ for (int i = 0; i < n;"
        f" i++) f(c, p[i]); }}",
    )
    return function(
        s,
        f"int v[4] = {{a, 2, {s.expression(ARGUMENTS)}, -4}}; struct {tag} x = {{b, 0}}, y = {{0}};\n"
        f"  {call}(v, 4, {add}, &x); {call}(v + 1, 2, a & 1 ? {mark} : {add}, &y);\n"
        f"  return x.sum * 3 + x.count + y.sum * 5 + y.count;",
    )


def _copies(s: Source) -> str:
    t, tag = s.type(), s.name("cp")
    s.declare(f"struct {tag} {{ {t} x; int y[3]; }};", f"static {t} {tag}_g[6] = {{1, 2, 3}};")
    return function(
        s,
        f"{t} u[6], w[6] = {{a, 2, b}}; struct {tag} p = {{a, {{1, 2, b}}}}, q; long long r = 0;\n"
        f"  memcpy(u, w, sizeof u); memset(w, 0, sizeof w); memcpy(&q, &p, sizeof q);"
        f" memmove({tag}_g, u + 1, 3 * sizeof(u[0]));\n"
        f"  memset(&p, 0, sizeof(struct {tag})); p.y[1] = 5; memcpy(&p.y[0], &p.y[1], sizeof(int));\n"
        f"  for (int i = 0; i < 6; i++) r = r * 3 + u[i] + w[i] + {tag}_g[i];\n"
        f"  return r + q.x + q.y[2] + p.y[0] + p.x;",
    )


def _string_library(s: Source) -> str:
    return function(
        s,
        f'char t[16] = "start", *p = t; long long r = strlen(t); strcpy(t + 5, "-{s.pick("one", "second", "x")}");\n'
        f'  r = r * 3 + strlen(p) + strlen("literal"); r += strcmp(t, "start-one") == 0; t[a & 3] = 0;\n'
        f'  r += strcmp("abc", "abd") < 0; r += strlen(t) * 7; return r + memcmp("abcd", "abce", 3) + b;',
    )


def _heap_arrays(s: Source) -> str:
    t = s.type()
    return function(
        s,
        f"int n = (a & 3) + 3, i; {t} *p = malloc(n * sizeof *p), *q = calloc(n, sizeof({t})); long long r = 0;\n"
        f"  for (i = 0; i < n; i++) p[i] = {s.expression(['i', 'a', 'b'])}; q[1] = p[0]; q[n - 1]++;\n"
        f"  for (i = 0; i < n; i++) r = r * 3 + p[i] + q[i] * (i + 1);\n"
        f"  free(p); free(q); return r;",
    )


def _reallocation(s: Source) -> str:
    t = s.type()
    return function(
        s,
        f"int n = (a & 3) + 3, i; {t} *p = malloc(n * sizeof *p); long long r = 0;\n"
        f"  for (i = 0; i < n; i++) p[i] = {s.expression(['i', 'a', 'b'])};\n"
        f"  p = realloc(p, (n + 2) * sizeof *p); p[n] = 3; p[n + 1] = p[0];\n"
        f"  for (i = 0; i < n + 2; i++) r = r * 3 + p[i];\n"
        f"  free(p); return r;",
    )


def _heap_matrix(s: Source) -> str:
    t = s.type()
    return function(
        s,
        f"int i, j; {t} **m = malloc(3 * sizeof *m); long long r = 0;\n"
        f"  for (i = 0; i < 3; i++) {{ m[i] = malloc(2 * sizeof **m); for (j = 0; j < 2; j++)"
        f" m[i][j] = {s.expression(['i', 'j', 'a', 'b'])}; }}\n"
        f"  for (i = 0; i < 3; i++) for (j = 0; j < 2; j++) r = r * 3 + *(*(m + i) + j);\n"
        f"  m[0] = m[a & 1]; r += m[0][1]; return r;",
    )


def _out_parameters(s: Source) -> str:
    t, u = s.type(), s.type()
    divide, low = s.name("divide"), s.name("lows")
    s.declare(
        f"static _Bool {divide}(int n, int d, {t} *q, {t} *r) {{ if (!d || d == -1) return 0; *q = n / d;"
        f" *r = n % d; return 1; }}",
        f"static void {low}({u} v[], int n) {{ for (int i = 0; i + 1 < n; i++) if (v[i] > v[i + 1]) {{ {u} o = v[i];"
        f" v[i] = v[i + 1]; v[i + 1] = o; }} }}",
        f"static {u} {low}_g[4];",
    )
    return function(
        s,
        f"{t} q = 1, r = 2; {u} v[4] = {{a, 3, b, 1}}; _Bool ok = {divide}(a, (int)b, &q, &r); {low}(v, 4);"
        f" {low}({low}_g, 3);\n"
        f"  {low}_g[a & 3] = v[0]; volatile int k = q; const int *const kp = (const int *)&k;"
        f" return ok + q * 3LL + r * 5LL + v[0] + v[3] * 7LL + *kp + {low}_g[2];",
    )


def _equal_addresses(s: Source) -> str:
    t = s.type()
    return function(
        s,
        f"{t} u = 1, v[3] = {{1, 2, 3}}, *p = a & 1 ? &u : &v[1], *q = b & 1 ? v : p; long long r = p == q;\n"
        f"  r = r * 2 + (p == &u); r = r * 2 + (v + 1 == p); r = r * 2 + (p != 0); r = r * 2 + (&v[2] > &v[a & 1]);\n"
        f"  void *w = p; r = r * 2 + (w == (void *)&v[1]); {t} *back = w; *back = 9; if (p && *p == 9) r++;\n"
        f"  return r + u * 3 + v[1] * 5;",
    )


MEMORY_PIECES: Mapping[str, Piece] = {
    "struct pointers": _struct_pointers,
    "unions": _unions,
    "register": _register,
    "tagged union": _tagged_union,
    "strings": _strings,
    "walks": _walks,
    "pointers to pointers": _pointer_pointers,
    "lists": _lists,
    "tree": _tree,
    "function pointers": _indirect_calls,
    "contexts": _contexts,
    "copies": _copies,
    "string library": _string_library,
    "heap arrays": _heap_arrays,
    "reallocation": _reallocation,
    "heap matrix": _heap_matrix,
    "out parameters": _out_parameters,
    "equal addresses": _equal_addresses,
}
