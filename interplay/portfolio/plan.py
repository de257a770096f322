"""The plan of a portfolio: the engines to run on a program, their order, their shares of the time, and the reasons.

A plan is plain data. The rules are heuristic: they affect how soon there is an answer, never which. They come from runs
of each engine alone on a sample of SV-COMP tasks. Most decided tasks are decided within seconds, so each engine gets
some seconds before any gets many.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import fields

from core.dataclass import dataclass
from core.program import InputKind, MemoryLayout, Program
from core.program.loops import loop_heads
from core.program.modular import recursive_functions
from core.terms import BIT_OPERATORS, ArraySort, Op, Term, Treatment, subterms
from methods.registry import ENGINES

OTHER_OPERATORS = Treatment.EXACT

SLICE = 1.0  # CPU seconds
LONG = range(1_000, 1 << 24)  # numbers of rounds
CONTROL = 100  # edges; programs with more are about control, others about numbers


@dataclass(frozen=True)
class Features:
    """Features of a program on which the plan rests; all are cheap to compute."""

    edges: int
    loops: int
    functions: int
    recursive: int  # functions that may call themselves
    variables: int
    arrays: int
    inputs: int  # without storage that was never written
    checks: int
    bit_operators: int
    products: int  # of variables, and divisions by them
    links: int  # pointer fields of records in memory
    indexed: int  # reads and writes of array elements at indices that vary
    long: int  # comparisons with numbers that may be the ends of long loops

    def items(self) -> tuple[tuple[str, int], ...]:
        return tuple((field.name, getattr(self, field.name)) for field in fields(self))


@dataclass(frozen=True)
class Turn:
    """The time of one engine: `first_slice` CPU seconds in its turn, then a `share` of the rest."""

    engine: str
    first_slice: float
    share: float
    reason: str
    options: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class _Out:
    """An engine that is left out, with the reason."""

    engine: str
    reason: str


@dataclass(frozen=True)
class Plan:
    """The turns in their order, and the engines left out, each with the reason. `features` are the basis of both."""

    turns: tuple[Turn, ...]
    left_out: tuple[tuple[str, str], ...] = ()
    features: tuple[tuple[str, int], ...] = ()


Planner = Callable[[Program], Plan]
"""Decides what the portfolio does about a program."""


def features_of(program: Program) -> Features:
    """The features of a program, in one pass over its edges."""
    terms = list(subterms(*program.terms()))
    return Features(
        edges=len(program.edges),
        loops=len(loop_heads(program)),
        functions=len(program.functions),
        recursive=len(recursive_functions(program)),
        variables=len(program.variables),
        arrays=sum(isinstance(symbol.sort, ArraySort) for symbol in program.variables),
        inputs=sum(one.kind is not InputKind.INDETERMINATE for one in program.inputs.values()),
        checks=len(program.checks),
        bit_operators=sum(term.op in BIT_OPERATORS for term in terms),
        products=sum(_is_product(term) for term in terms),
        links=_links(program.memory),
        indexed=_indexed(program, terms),
        long=sum(term.is_bound and term.value in LONG for term in terms),
    )


def _links(memory: MemoryLayout | None) -> int:
    """The pointer fields of records."""
    if memory is None:
        return 0
    return sum(bool(cell.record) for array in memory.cells if array in memory.pointers for cell in memory.cells[array])


def _is_product(term: Term) -> bool:
    if term.op in (Op.DIVIDE, Op.MODULO):
        return not term.args[1].is_constant
    return term.op is Op.MULTIPLY


def _indexed(program: Program, terms: Collection[Term]) -> int:
    """The reads and writes of arrays at indices in which a number varies, not only a pointer."""
    numbers = frozenset(x for x, variable in program.variables.items() if not variable.c_type.is_pointer)
    return sum(t.is_access and not t.args[1].symbols().isdisjoint(numbers) for t in terms)


def plan(features: Features, engines: Collection[str]) -> Plan:
    """The turns of those of `engines` that fit a program with these features."""
    chosen = (
        *_first(features),
        *_lists(features),
        *(_control if features.edges >= CONTROL else _numbers)(features),
        *_last(features),
    )
    turns = tuple(one for one in chosen if isinstance(one, Turn) and one.engine in engines)
    left_out = tuple((one.engine, one.reason) for one in chosen if isinstance(one, _Out) and one.engine in engines)
    named = {one.engine for one in chosen}
    unnamed = tuple((engine, "no rule of the plan names it") for engine in engines if engine not in named)
    return Plan(turns, (*left_out, *unnamed), features.items())


def plan_for(program: Program) -> Plan:
    """The turns of all engines on `program`."""
    return plan(features_of(program), ENGINES)


def _decides_soon(features: Features) -> bool:
    return not features.inputs or bool(features.recursive)


def _first(features: Features) -> Iterator[Turn]:
    if not features.inputs:
        yield Turn("concrete", 2 * SLICE, 1, "it has no inputs: one execution says it all")
    elif features.recursive:
        yield Turn("concrete", SLICE, 0.5, "calls that repeat are run once")


def _lists(features: Features) -> Iterator[Turn | _Out]:
    if features.links and not features.recursive:
        yield Turn("pdr", 4 * SLICE, 24, "records are linked by pointers: it finds what holds of lists of any length")
    else:
        yield _Out("pdr", "it has functions that call themselves" if features.links else "it has no linked records")


def _arrays(features: Features, first_slice: float, share: float) -> Iterator[Turn | _Out]:
    """The turn of the engine for properties of all elements."""
    if _goes_through_arrays(features):
        reason = "errors behind long loops are reached by executions alone"
        if features.inputs and not features.long:
            yield Turn("concrete", SLICE / 10, 3, reason)
        yield Turn("acsar", first_slice, share, "loops go through arrays: what holds of all elements needs quantifiers")
        if features.inputs and features.long:
            yield Turn("concrete", 3 * SLICE / 2, 3, reason)
    else:
        yield _Out("acsar", "no loop goes through an array, or calls are recursive")


def _goes_through_arrays(features: Features) -> bool:
    return bool(features.indexed and features.loops and not features.recursive)


def _last(features: Features) -> Iterator[Turn]:
    if not _decides_soon(features) and not _goes_through_arrays(features):
        yield Turn("concrete", 0, 0.5, "some errors are reached by many executions")


def _control(features: Features) -> Iterator[Turn | _Out]:
    """The plan for control-dominated programs: much code, often one large loop over a few states."""
    yield Turn("explicit", SLICE, 3, "much code is controlled by the values of a few variables")
    yield Turn("transition", SLICE, 3, "it finds the predicates where values are not enough")
    yield Turn("bmc", SLICE, 2, "the error may be near the start")
    yield from _arrays(features, SLICE, 2)
    if _suits_horn_clauses(features):
        yield Turn("chc", 0, 0.5, "some programs of this size have simple invariants")
    else:
        yield _no_horn_clauses(features)
    yield _Out("eureka", "much code has many states that it would keep apart")


def _numbers(features: Features) -> Iterator[Turn | _Out]:
    """The plan for numeric programs: little code, with loops or recursion that need numeric invariants or end soon."""
    if not features.loops and not features.recursive:
        yield Turn("transition", 3 * SLICE, 3, "without loops and recursion a few paths say it all")
        yield Turn("bmc", 3 * SLICE, 2, "without loops and recursion it can be unrolled completely")
        yield Turn("explicit", 0, 1, "the values that count may be few")
        yield _no_horn_clauses(features)
        yield _no_elements()
        yield from _arrays(features, 4 * SLICE, 5)
        return
    # Of programs with lists, hardly any is about arrays, too.
    arrays = tuple(_arrays(features, *((SLICE, 2) if features.links else (4 * SLICE, 5))))
    # Before proofs about arrays, which take less than a whole first slice, there is a look for errors near the start.
    first_slice = SLICE / 2 if any(isinstance(one, Turn) for one in arrays) else SLICE
    yield Turn("bmc", first_slice, 2, "loops may end after a few rounds, or have invariants that executions suggest")
    yield from arrays
    if features.bit_operators or features.links or not (features.arrays or features.recursive):
        yield _no_elements()
    elif features.recursive:
        yield Turn("eureka", 2 * SLICE, 2, "functions that call themselves have linear relations as their summaries")
    else:
        yield Turn("eureka", 2 * SLICE, 2, "few elements of its arrays may count, and linear relations between them")
    if _suits_horn_clauses(features):
        yield Turn("chc", SLICE, 2, "loops over numbers and recursion need invariants: it finds them soon or never")
    else:
        yield _no_horn_clauses(features)
    yield Turn("transition", SLICE, 3, "it finds the predicates that loops need")
    yield Turn("explicit", SLICE, 1, "the values that count may be few")


def _no_elements() -> _Out:
    return _Out("eureka", "there are no loops or recursive functions that do nothing but linear arithmetic on arrays")


def _suits_horn_clauses(features: Features) -> bool:
    return not features.bit_operators and bool(features.loops or features.recursive)


def _no_horn_clauses(features: Features) -> _Out:
    if features.bit_operators:
        return _Out("chc", "bit operators make it read all numbers as bit-vectors, over which it rarely has an answer")
    return _Out("chc", "there is no loop and no recursion that needs an invariant")
