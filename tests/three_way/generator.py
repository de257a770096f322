"""Random programs that use every construct of docs/c-semantics.md, without undefined behaviour, from a seed.

A program is a few pieces (see `pieces.py`), each a function over two numbers around some constructs, and a main that
draws inputs, calls the pieces and folds their results into a checksum, on which it depends whether an error is reached.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from frontend.typed.ctype import DataModel
from tests.three_way.expressions import Source
from tests.three_way.pieces import PIECES, UNDECIDED

_DECLARED = """extern void reach_error(void);
extern void abort(void);
extern void exit(int);
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern long long __VERIFIER_nondet_longlong(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern int printf(const char *, ...);
extern void *malloc(SIZE);
extern void *calloc(SIZE, SIZE);
extern void *realloc(void *, SIZE);
extern void free(void *);
extern void *memcpy(void *, const void *, SIZE);
extern void *memmove(void *, const void *, SIZE);
extern void *memset(void *, int, SIZE);
extern int memcmp(const void *, const void *, SIZE);
extern SIZE strlen(const char *);
extern int strcmp(const char *, const char *);
extern char *strcpy(char *, const char *);
"""
_DRAWS = ("int", "uchar", "short", "uint", "longlong", "bool")


@dataclass(frozen=True, slots=True)
class Generated:
    """A generated program.

    `text` is complete; its names outside functions, but for `main` and the library, end in the number.
    """

    number: int
    text: str
    pieces: tuple[str, ...]

    @property
    def checksum(self) -> str:
        return f"checksum_{self.number}"


def generate(
    seed: int, number: int, model: DataModel, chosen: tuple[str, ...] | None = None, among: str = ""
) -> Generated:
    """Program `number` of a seed; `chosen` are the pieces, else random ones with `among` in their names."""
    random = Random(f"{seed}/{number}")
    source = Source(random, str(number))
    known = sorted(name for name in PIECES.keys() - UNDECIDED if among in name)
    names = chosen or tuple(random.sample(known, min(len(known), 3 + random.randrange(3))))
    tag = source.tag
    for k in range(3):
        type_ = source.type()
        source.declare(f"static {type_} g{k}_{tag} = {source.number()};")
        source.leaves.append(f"g{k}_{tag}")
    functions = [PIECES[name](source) for name in names]
    body = "\n".join(
        [
            _DECLARED.replace("SIZE", model.size_type.kind.value),
            f"unsigned long long checksum_{tag};",
            *source.declarations,
        ]
    )
    return Generated(number, f"{body}\n{_main(source, functions)}", names)


def _main(source: Source, functions: list[str]) -> str:
    tag = source.tag
    lines = [
        f"static void fold_{tag}(unsigned long long v) {{ checksum_{tag} = checksum_{tag} * 31 + v; }}",
        "int main(void) {",
    ]
    inputs = []
    for k in range(3):
        draw = source.pick(*_DRAWS)
        lines.append(f"  long long x{k} = __VERIFIER_nondet_{draw}();")
        inputs.append(f"x{k}")
    if source.below(4) == 0:
        lines.append(f"  __VERIFIER_assume({source.expression(inputs, 1)} || x0 < 3);")
    for function in functions:
        for _ in range(1 + source.below(2)):
            a, b = source.expression(inputs, 1), source.expression(inputs, 2)
            lines.append(f"  fold_{tag}({function}({a}, {b}));")
        if source.below(5) == 0:
            lines.append(f"  x0 = __VERIFIER_nondet_{source.pick(*_DRAWS)}();")
    lines += [f"  fold_{tag}({leaf});" for leaf in source.leaves]
    lines += [f"  if (checksum_{tag} % 3 == 0) reach_error();", "  return 0;", "}", ""]
    return "\n".join(lines)
