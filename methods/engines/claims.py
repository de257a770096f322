"""The engine `claims`: offers the claims of a correctness witness, with interval bounds, as the certificate.

The engine proves nothing: the certificate check examines what is claimed. Between claims, paths are
walked through; a loop head on a cycle without a claim gets its bounds alone. Limitation: where a proof needs more than
the claims say, another engine has to find it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from core.analysis.intervals import simplify
from core.parameters import parameter
from core.program import Assign, Assume, Edge, Program
from core.program.blocks import BlockEncoding
from core.program.expansion import At, Expansion
from core.program.loops import loop_heads
from core.program.witness_marks import CLAIM
from core.terms import Substitution, Term
from core.verdict import Certificate, Outcome, Safe, Unknown
from methods.engine import Context, NotSupported, Supported

MAX_PLACES = parameter("claims.max-places")


class ClaimsEngine:
    """The engine of claims; implements `methods.engine.Engine`."""

    name = "claims"

    def supports(self, program: Program) -> Supported | NotSupported:
        return Supported()

    def run(self, program: Program, checks: Sequence[int], context: Context) -> Mapping[int, Outcome]:
        claims = claimed(program)
        heads = uncut_heads(program, claims)
        expansion = Expansion(program, BlockEncoding.STATEMENTS)
        bounds = simplify(program)
        invariants: dict[At, Term] = {}
        for number, at in enumerate(expansion.reached()):
            context.limits.check()
            if at.location in claims or at.location in heads:
                claim = claims.get(at.location, program.arena.true)
                invariants[at] = program.arena.and_(expansion.in_frame(at)(claim), bounds.invariant(expansion, at))
            if number == MAX_PLACES:
                return dict.fromkeys(checks, Unknown("calls lead to too many places"))
        safe = Safe(Certificate(invariants))
        return dict.fromkeys(checks, safe)


def claimed(program: Program) -> dict[int, Term]:
    """The conjunction of the claims at each location that has any."""
    errors = frozenset(program.checks_at)
    found: dict[int, Term] = {}
    for edge in program.edges:
        if edge.text == CLAIM:
            holds = program.arena.not_(_failing(program, edge.target, errors))
            found[edge.source] = program.arena.and_(found.get(edge.source, program.arena.true), holds)
    return found


def _failing(program: Program, start: int, errors: Collection[int]) -> Term:
    """The states at `start` from which an error is reached over the loop-free edges of a claim."""
    arena = program.arena
    fails: dict[int, Term] = {}
    stack = [start]
    while stack:
        location = stack[-1]
        missing = [e.target for e in program.out_edges[location] if e.target not in fails]
        if location not in fails and location not in errors and missing:
            stack.extend(missing)
            continue
        stack.pop()
        ways = (_before(program, edge, fails[edge.target]) for edge in program.out_edges[location])
        fails[location] = arena.true if location in errors else arena.or_(*ways)
    return fails[start]


def _before(program: Program, edge: Edge, after: Term) -> Term:
    match edge.operation:
        case Assume(condition):
            return program.arena.and_(condition, after)
        case Assign(updates):
            return Substitution(program.arena, dict(updates))(after)
        case _:
            raise AssertionError("a claim calls nothing")


def uncut_heads(program: Program, claims: Collection[int]) -> frozenset[int]:
    """The loop heads on a cycle, within their function, that passes no claim."""
    return frozenset(head for head in loop_heads(program) - set(claims) if _returns(program, head, claims))


def _returns(program: Program, head: int, claims: Collection[int]) -> bool:
    seen = {head}
    stack = [head]
    while stack:
        for edge in program.out_edges[stack.pop()]:
            if edge.target == head:
                return True
            if edge.target not in seen and edge.target not in claims:
                seen.add(edge.target)
                stack.append(edge.target)
    return False
