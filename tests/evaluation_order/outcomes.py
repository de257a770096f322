"""The outcomes of expressions: by gcc, and by the Program and the interpreter in each order that is tried."""

from __future__ import annotations

import subprocess
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

from core.program import Input, InputKind
from core.program.orders import ORDER
from core.program.span import Span
from core.terms import Value
from core.verdict import InputValue
from frontend.api import parse_program
from frontend.interpreter import Budget, Inputs
from frontend.lowering import UnreachCall, lower
from frontend.lowering.sequencing.rewriting import MAX_ORDERS, with_orders
from frontend.properties.errors import policy
from frontend.source import Unsupported
from frontend.typed.ctype import DataModel
from tests.evaluation_order.expressions import DECLARED, Expression
from tests.evaluation_order.legal import legal
from tests.support.compiled import Compiled
from tests.three_way.interpreted import interpret, simulate

Outcome = tuple[int, int, int]
"""The value of an expression, and what the variables `n` and `m` then are."""

STEPS = 1_000_000
TOGETHER = 20
"""Expressions in one program, whose results are few enough to be compared."""
CONFIGURATIONS = tuple((model, level) for model in ("-m32", "-m64") for level in ("-O0", "-O2"))


def program(expressions: Sequence[Expression], rounds: int, end: str = "") -> str:
    """A program that evaluates the expressions, one in each line behind the declarations, in some rounds."""
    count = len(expressions)
    lines = [f"static void e{i}(void) {{ v[at] = {one.text()}; }}" for i, one in enumerate(expressions)]
    calls = [f"n = m = 0; e{i}(); ns[at] = n; ms[at] = m; at++;" for i in range(count)]
    head = f"{DECLARED}int at; long long v[{count * rounds}]; int ns[{count * rounds}], ms[{count * rounds}];\n"
    loop = f"int main(void) {{ for (int i = 0; i < {rounds}; i++) {{"
    return head + "\n".join([*lines, loop, *calls, f"}} {end} return 0; }}", ""])


def line_of(number: int) -> int:
    """The line in which an expression stands."""
    return DECLARED.count("\n") + 2 + number


def native(expressions: Sequence[Expression], folder: Path) -> list[set[Outcome]]:
    """The outcomes of the programs that gcc makes, on both machines, at two levels."""
    end = f'for (int i = 0; i < {len(expressions)}; i++) printf("%lld %d %d\\n", v[i], ns[i], ms[i]);'
    source, found = folder / "native.c", [set[Outcome]() for _ in expressions]
    source.write_text(f"int printf(const char *, ...);\n{program(expressions, 1, end)}")
    for configuration in CONFIGURATIONS:
        target = folder / "native"
        subprocess.run(["gcc", "-w", "-fwrapv", *configuration, "-o", target, source], check=True)
        printed = subprocess.run([target], check=True, capture_output=True, text=True).stdout
        for outcomes, line in zip(found, printed.splitlines(), strict=True):
            value, n, m = map(int, line.split())
            outcomes.add((value, n, m))
    return found


def tried(expressions: Sequence[Expression], model: DataModel) -> Mapping[int, set[Outcome]]:
    """The outcomes in each order, by the number of the expression; those that are refused are left out.

    Raises AssertionError where the Program and the interpreter differ.
    """
    asked = dict(enumerate(expressions))
    while True:
        unit = parse_program(program(list(asked.values()), MAX_ORDERS), "order.c", model)
        try:
            lowered = lower(unit, UnreachCall())
            break
        except Unsupported as refused:
            del asked[list(asked)[refused.span.line - line_of(0)]]
    counts = {place: len(texts) for place, texts in lowered.orders.expressions.items()}
    rounds: Counter[Span] = Counter()

    def supply(one: Input) -> Value:
        rounds[one.span] += 1
        return rounds[one.span] - 1 if rounds[one.span] <= counts[one.span] else 0

    run = simulate(Compiled(lowered), unit, supply, STEPS)
    recorded = [InputValue(InputKind.EXTERN, ORDER, place, i, i) for place in counts for i in range(counts[place])]
    explicit, errors = with_orders(unit, lowered.orders.conflicts, {}), policy(UnreachCall(), frozenset())
    other = interpret(explicit, errors, Inputs.of(recorded), Budget())
    assert (run.end, run.globals) == (other.end, other.globals)
    values = [one for one in (run.globals[name] for name in ("v", "ns", "ms")) if isinstance(one, tuple)]
    found = {number: set[Outcome]() for number in asked}
    for number, outcome in zip(cycle(asked), zip(*values, strict=True)):
        found[number].add(outcome)
    return found


@dataclass(frozen=True, slots=True)
class Comparison:
    """The outcomes of one expression that differ.

    `lost` are outcomes of gcc that are not tried, `illegal` are tried and C has no order for them, `missed` are in an
    order of C that is not tried, `odd` those of gcc that C has no order for.
    """

    text: str
    is_refused: bool = False
    lost: frozenset[Outcome] = frozenset()
    illegal: frozenset[Outcome] = frozenset()
    missed: frozenset[Outcome] = frozenset()
    odd: frozenset[Outcome] = frozenset()

    @property
    def verdict(self) -> str:
        """In a word; `odd` is where the reference or gcc is wrong."""
        if self.lost or self.illegal or self.missed:
            return "wrong"
        return "refused" if self.is_refused else "odd" if self.odd else "right"


def compared(expressions: Sequence[Expression], model: DataModel, folder: Path) -> list[Comparison]:
    """Each expression with what gcc, C and the front end say about it."""
    by_gcc, here = native(expressions, folder), dict[int, set[Outcome]]()
    for first in range(0, len(expressions), TOGETHER):
        found_here = tried(expressions[first : first + TOGETHER], model)
        here.update({first + number: outcomes for number, outcomes in found_here.items()})
    found: list[Comparison] = []
    for number, one in enumerate(expressions):
        if number not in here:
            found.append(Comparison(one.text(), is_refused=True))
            continue
        allowed, own, gcc = legal(one), here[number], by_gcc[number]
        found.append(
            Comparison(
                one.text(),
                lost=frozenset(gcc - own),
                illegal=frozenset(own - allowed),
                missed=frozenset(allowed - own),
                odd=frozenset(gcc - allowed),
            )
        )
    return found
