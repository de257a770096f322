"""The features of programs on which the plan of a portfolio rests."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import fields

from core.dataclass import dataclass
from core.parameters import parameter
from core.program import Call, Edge, InputKind, Program
from core.program.linked_fields import linked_fields
from core.program.loops import loop_heads, on_cycles
from core.program.modular import mentioned, recursive_functions
from core.terms import BIT_OPERATORS, ArraySort, Op, Term, Treatment, subterms

OTHER_OPERATORS = Treatment.EXACT

LONG = range(parameter("portfolio.features.shortest-long"), parameter("portfolio.features.longest-long"))  # rounds
FEW = parameter("portfolio.features.few")


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
    repeated: int  # edges in loops, or in functions that loops call or that call themselves, which read such inputs
    checks: int
    bit_operators: int
    float_operators: int  # operations on floating-point numbers
    products: int  # of variables, and divisions by them
    links: int  # pointer fields of records in memory
    indexed: int  # reads and writes of array elements at indices that vary
    long: int  # comparisons with numbers that may be the ends of long loops
    few: int  # arrays with a fixed number of elements, at most `FEW`
    many: int  # other arrays
    moves: int  # writes to arrays of what arrays hold

    def items(self) -> tuple[tuple[str, int], ...]:
        return tuple((field.name, getattr(self, field.name)) for field in fields(self))


def features_of(program: Program) -> Features:
    """The features of a program, in one pass over its edges."""
    terms = list(subterms(*program.terms()))
    arrays = [variable for symbol, variable in program.variables.items() if isinstance(symbol.sort, ArraySort)]
    few = sum(variable.extent is not None and variable.extent <= FEW for variable in arrays)
    return Features(
        edges=len(program.edges),
        loops=len(loop_heads(program)),
        functions=len(program.functions),
        recursive=len(recursive_functions(program)),
        variables=len(program.variables),
        arrays=len(arrays),
        inputs=sum(one.kind is not InputKind.INDETERMINATE for one in program.inputs.values()),
        repeated=_repeated(program),
        checks=len(program.checks),
        bit_operators=sum(term.op in BIT_OPERATORS for term in terms),
        float_operators=sum(term.op is Op.FLOAT for term in terms),
        products=sum(_is_product(term) for term in terms),
        links=linked_fields(program),
        indexed=_indexed(program, terms),
        long=sum(term.is_bound and term.value in LONG for term in terms),
        few=few,
        many=len(arrays) - few,
        moves=sum(term.op is Op.STORE and term.args[2].op is Op.SELECT for term in terms),
    )


def _repeated(program: Program) -> int:
    """The edges that read inputs, and that one execution may take many times."""
    inputs = frozenset(x for x, one in program.inputs.items() if one.kind is not InputKind.INDETERMINATE)
    inside: dict[str, list[Edge]] = {name: [] for name in program.functions}
    for edge in program.edges:
        inside[program.locations[edge.source].function].append(edge)
    cyclic = on_cycles(range(len(program.locations)), lambda at: [edge.target for edge in program.out_edges[at]])
    functions = set(recursive_functions(program))
    waiting = [edge for edge in program.edges if edge.source in cyclic and edge.target in cyclic]
    waiting += [edge for name in functions for edge in inside[name]]
    found: set[int] = set()
    while waiting:
        edge = waiting.pop()
        if not inputs.isdisjoint(mentioned(edge)):
            found.add(edge.id)
        if isinstance(edge.operation, Call) and edge.operation.function not in functions:
            functions.add(edge.operation.function)
            waiting += inside[edge.operation.function]
    return len(found)


def _is_product(term: Term) -> bool:
    if term.op in (Op.DIVIDE, Op.MODULO):
        return not term.args[1].is_constant
    return term.op is Op.MULTIPLY


def _indexed(program: Program, terms: Collection[Term]) -> int:
    """The reads and writes of arrays at indices in which a number varies, not only a pointer."""
    numbers = frozenset(x for x, variable in program.variables.items() if not variable.c_type.is_pointer)
    return sum(t.is_access and not t.args[1].symbols().isdisjoint(numbers) for t in terms)
