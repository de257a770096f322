"""The clauses of a program in SMT-LIB 2.6, for other solvers: `sat` means that no check can fail, `unsat` that one can.

They are those that the engine `chc` solves, with what interval analysis found out put in, but with every quotient and
remainder as the program has it: solvers that do not know those of a divisor that varies may give up.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.analysis.intervals import simplify
from core.program import Program
from core.program.blocks import BlockEncoding
from core.program.expansion import At, Expansion
from core.program.modular import ModularView, recursive_functions
from methods.clauses.clause_graph import Entries
from methods.clauses.encoding import Encoding, Operators, Wraps, encode
from methods.discovery.horn import horn_problem


def to_clauses(program: Program) -> str:
    """The clauses of a program without bit operators, all checks together."""
    simplified = simplify(program)
    view = ModularView(Expansion(simplified.program, BlockEncoding.LARGE), recursive_functions(simplified.program))
    checks = [check.id for check in program.checks]
    encoding = encode(view, checks, Entries.ANY, Wraps.VALUES, Operators.KEPT, simplified, _never)
    logic, *rest = horn_problem(encoding.system).splitlines()
    return "\n".join([*_comments(encoding, view), logic, *rest, "(check-sat)", ""])


def _never() -> None:
    """The hook for an encoding that nothing ends early."""


def _comments(encoding: Encoding, view: ModularView) -> Iterator[str]:
    yield "; sat: no check can fail; unsat: one can"
    for number, (at, arguments) in enumerate(zip(encoding.places, encoding.system.arguments, strict=True)):
        variables = ", ".join(x.name for x in arguments)
        yield f"; R{number}: {_described(view, at)}: {variables}"


def _described(view: ModularView, at: At) -> str:
    location = view.program.locations[at.location]
    if view.entered(at) is not None:
        return f"{location.function} is entered"
    if not at.stack and location.function in view.contracted and at == view.exit(location.function):
        return f"{location.function} returns"
    place = "" if location.span is None else f", {location.span.file}:{location.span.line}"
    return f"{location.function}{place}"
