"""Obligations with quantifiers, made quantifier-free: goals by fresh constants, hypotheses by instances.

A. Bradley, Z. Manna, H. Sipma, "What's decidable about arrays?", VMCAI 2006: a universal hypothesis about arrays is
used at the indices that are read. Where a hypothesis reads `a[s·k + r]` and the obligation `a[e]`, the instance is
`k = (e - r) / s`; of `a[m·k + l]` with two indices it is the row and the column of e. Reads of instances lead to
further ones.

A goal `∀k. φ` is shown for a constant that occurs nowhere else; whatever stands for `k` in a hypothesis is sound. Which
instances are taken is heuristic: so an obligation that is not proved with them is open, never refuted.

A quantifier is a conjunct of an invariant, binds integers, and has no other in it (`Quantifiers.misplaced`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, product

from core.dataclass import dataclass
from core.decision.justification import Cases, Deduced, Instantiated, Justification, Witnessed
from core.decision.strides import row_and_column
from core.parameters import parameter
from core.terms import Arena, Op, Substitution, Term, Treatment, literals, subterms

OTHER_OPERATORS = Treatment.EXACT

ROUNDS = parameter("decision.instances.rounds")
MAX_INSTANCES = parameter("decision.instances.max-instances")

Reads = Mapping[Term, Iterable[Term]]  # arrays, with the indices at which they are read


@dataclass(frozen=True)
class Ground:
    """An obligation without quantifiers that implies another; `weakened` if a hypothesis was left to its instances."""

    hypotheses: tuple[Term, ...]
    goal: Term
    weakened: bool
    constants: tuple[Term, ...]  # that stand for what the goal says of all indices
    closed: Callable[[Justification], Justification]
    """Makes a justification that closes the other obligation of one that closes this."""


def ground(arena: Arena, hypotheses: Sequence[Term], goal: Term, rounds: int = ROUNDS) -> Ground:
    """An obligation without quantifiers that implies `hypotheses ⇒ goal`; `goal` is one conjunct.

    In each of `rounds`, hypotheses are used where the reads of instances lead; without any, at the goal's constants.
    """
    constants: tuple[Term, ...] = ()
    denial = arena.not_(goal)
    if goal.op is Op.FORALL:
        constants = tuple(arena.fresh("any", s.sort) for s in goal.bound)
        goal = Substitution(arena, dict(zip(goal.bound, constants, strict=True)))(goal.args[0])
    quantified = [h for h in hypotheses if h.op is Op.FORALL]
    plain = [h for h in hypotheses if h.op is not Op.FORALL]
    is_choice = bool(constants) and goal.op is Op.OR
    if is_choice:  # what is false already counts as known
        refuted = [part for part in goal.args if not any(t.op is Op.SELECT for t in subterms(part))]
        plain += [known for part in refuted for known in literals(arena.not_(part))]
    instances = (
        _instances(arena, quantified, [*plain, goal], constants, rounds)
        if rounds
        else _at_constants(arena, quantified, constants)
    )

    def closed(by: Justification) -> Justification:
        by = Deduced(tuple(instances.values()), by)
        if is_choice:
            by = Cases(arena.not_(goal), (by,))
        return Deduced((Witnessed(denial, constants),), by) if constants else by

    return Ground((*plain, *instances), goal, bool(quantified), constants, closed)


def meetings(hypotheses: Sequence[Term], goal: Term) -> int:
    """The number of places at which quantified hypotheses may be used: of these, and of what is read, the product."""
    quantified = sum(h.op is Op.FORALL for h in hypotheses)
    return quantified and quantified * sum(map(len, reads_of([*hypotheses, goal]).values()))


def _at_constants(arena: Arena, quantified: Sequence[Term], constants: Sequence[Term]) -> dict[Term, Instantiated]:
    instances: dict[Term, Instantiated] = {}
    for q in quantified:
        for values in islice(product(constants, repeat=len(q.bound)), MAX_INSTANCES):
            instance = Substitution(arena, dict(zip(q.bound, values, strict=True)))(q.args[0])
            instances[instance] = Instantiated(q, values)
    return instances


def _instances(
    arena: Arena, quantified: Sequence[Term], plain: Sequence[Term], constants: Sequence[Term], rounds: int
) -> dict[Term, Instantiated]:
    instances: dict[Term, Instantiated] = {}
    taken: dict[Term, set[tuple[Term, ...]]] = {q: set() for q in quantified}
    for _ in range(rounds):
        reads = reads_of([*plain, *instances])
        new: dict[Term, Instantiated] = {}
        for q, done in taken.items():
            for values in islice(_choices(arena, q, reads, constants), MAX_INSTANCES):
                if values not in done and len(done) < MAX_INSTANCES:
                    done.add(values)
                    instance = Substitution(arena, dict(zip(q.bound, values, strict=True)))(q.args[0])
                    new[instance] = Instantiated(q, values)
        if new.keys() <= instances.keys():
            break
        instances.update(new)
    return instances


def reads_of(formulas: Iterable[Term]) -> dict[Term, dict[Term, None]]:
    """The arrays that formulas read, with the indices."""
    reads: dict[Term, dict[Term, None]] = {}
    for t in subterms(*formulas):
        if t.op is Op.SELECT:
            reads.setdefault(t.args[0], {})[t.args[1]] = None
    return reads


def _choices(arena: Arena, q: Term, reads: Reads, constants: Sequence[Term]) -> Iterator[tuple[Term, ...]]:
    """The values to take for the symbols that `q` binds: where reads meet, and the constants of the goal."""
    return chain(_places(arena, q, reads), _products(arena, q, reads, constants))


def _places(arena: Arena, q: Term, reads: Reads) -> Iterator[tuple[Term, ...]]:
    """The rows and columns of what is read."""
    if len(q.bound) == 2:
        first, second = q.bound
        for array, patterns in reads_of(q.args).items():
            for pattern in patterns:
                if {first, second} <= pattern.symbols():
                    places = (row_and_column(arena, pattern, first, second, e) for e in reads.get(array, ()))
                    yield from (p for p in places if p is not None and not _mentions(p, q.bound))


def _mentions(values: Iterable[Term], symbols: Iterable[Term]) -> bool:
    return any(not v.symbols().isdisjoint(symbols) for v in values)


def _products(arena: Arena, q: Term, reads: Reads, constants: Sequence[Term]) -> Iterator[tuple[Term, ...]]:
    """The values of each symbol by itself, in all combinations."""
    values: dict[Term, dict[Term, None]] = {s: {} for s in q.bound}
    for array, patterns in reads_of(q.args).items():
        for pattern in patterns:
            for symbol in q.bound:
                if symbol in pattern.symbols():
                    found = (solved(arena, pattern, symbol, e) for e in reads.get(array, ()))
                    values[symbol].update((v, None) for v in found if v is not None)
    for own in values.values():
        own.update(dict.fromkeys(constants))
        for v in [v for v in own if _mentions([v], q.bound)]:
            del own[v]  # another symbol of the same pattern is unknown
        if not own:
            own[arena.zero] = None
    return product(*(values[s] for s in q.bound))


def solved(arena: Arena, pattern: Term, symbol: Term, index: Term) -> Term | None:
    """The value of `symbol` for which `pattern`, linear in it, is `index`: rounded down where none is exact."""
    if pattern is symbol:
        return index
    if pattern.op is not Op.LINEAR or symbol not in pattern.args:
        return None
    factor = pattern.coefficients[pattern.args.index(symbol)]
    rest = arena.linear([(1, pattern), (-factor, symbol)])
    if symbol in rest.symbols():
        return None
    return quotient(arena, arena.subtract(index, rest), factor)


def quotient(arena: Arena, t: Term, divisor: int) -> Term:
    """`t / divisor`, rounded down; where coefficients show its value, without a division."""
    if divisor < 0:
        t, divisor = arena.negate(t), -divisor
    parts = list(zip(t.coefficients, t.args, strict=True)) if t.op is Op.LINEAR else [(1, t)]
    constant = t.constant if t.op is Op.LINEAR else 0
    if t.op is not Op.CONSTANT and all(c % divisor == 0 for c, _ in parts):
        return arena.linear([(c // divisor, m) for c, m in parts], constant // divisor)
    return arena.divide(t, arena.integer(divisor))
