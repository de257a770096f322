"""Floating-point numbers in memory where other scalars lie, too: there they are their bits, elsewhere ordinals."""

from __future__ import annotations

from dataclasses import replace

from core.dataclass import dataclass
from core.program import Assign, Function, InputKind, Range
from core.program.span import Span
from core.terms import Term
from frontend.lowering.arithmetic import Arithmetic, BoundedTerm
from frontend.lowering.control_flow import GraphBuilder
from frontend.lowering.ordinals import Ordinals
from frontend.lowering.storage import Variables
from frontend.typed.ctype import Integer, IntegerKind
from frontend.typed.floats import NAN_BITS


@dataclass(frozen=True, slots=True)
class FloatBits:
    """Makes bits of the ordinals of a type, at a place in the text, and ordinals of bits."""

    type: Ordinals
    variables: Variables
    span: Span

    def number(self, arithmetic: Arithmetic, scalar: BoundedTerm) -> BoundedTerm:
        """The bits of a number; of NaN any that are one."""
        arena, ordinal, bits = arithmetic.arena, scalar.term, self.type.bits
        half, infinity = 1 << (bits - 1), self.type.infinity
        unsigned = Integer(IntegerKind.UINT128, bits, signed=False)
        negative = arena.subtract(arena.integer(half - 1), ordinal)
        number = arena.ite(arena.lt(ordinal, arena.zero), negative, ordinal)
        is_nan = arena.equals(ordinal, arena.integer(infinity + 1))
        if is_nan.is_false:
            return arithmetic.of_type(number, unsigned)
        count = half - 1 - infinity  # of the patterns with a sign
        choice = self._choice(ordinal, Range(0, 2 * count - 1))
        first = arena.add(choice, arena.integer(infinity + 1))
        signed = arena.add(first, arena.integer(half - count))
        pattern = arena.ite(arena.lt(choice, arena.integer(count)), first, signed)
        return arithmetic.of_type(arena.ite(is_nan, pattern, number), unsigned)

    def _choice(self, ordinal: Term, patterns: Range) -> Term:
        """The pattern that a NaN has: of a variable the same until it is assigned again, anything else any."""
        unsigned, variables = Integer(IntegerKind.UINT128, self.type.bits, signed=False), self.variables
        variable = variables.variables.get(ordinal)
        if variable is None or variable.scope is None:
            return variables.input(InputKind.EXTERN, NAN_BITS, self.span, unsigned, bounds=patterns)
        if ordinal not in variables.nan_patterns:
            pattern = variables.hidden(f"{variable.name}!nan", variable.scope, unsigned, bounds=patterns)
            variables.nan_patterns[ordinal] = pattern
        return variables.nan_patterns[ordinal]

    def pointer(self, arithmetic: Arithmetic, bits: BoundedTerm) -> BoundedTerm:
        """The ordinal of bits."""
        arena, number, infinity = arithmetic.arena, bits.term, self.type.infinity
        half = 1 << (self.type.bits - 1)
        nan = arena.integer(infinity + 1)
        negative = arena.subtract(arena.integer(half - 1), number)
        with_sign = arena.ite(arena.le(number, arena.integer(half + infinity)), negative, nan)
        positive = arena.ite(arena.le(number, arena.integer(infinity)), number, nan)
        ordinal = arena.ite(arena.lt(number, arena.integer(half)), positive, with_sign)
        return arithmetic.of_type(ordinal, self.type)


def with_nan_patterns(function: Function, graph: GraphBuilder, variables: Variables) -> Function:
    """The function, in which each assignment to a variable gives it some pattern of NaN, if memory has its bits."""
    found = {x: one for x, one in variables.nan_patterns.items() if variables.variables[x].scope == function.name}
    if not found:
        return function
    whole = function.span
    assert whole is not None  # of the start alone, which has no variables

    def any_pattern(x: Term, span: Span | None) -> tuple[Term, Term]:
        pattern = variables.variables[found[x]]
        unsigned = Integer(IntegerKind.UINT128, 64, signed=False)
        return found[x], variables.input(InputKind.EXTERN, NAN_BITS, span or whole, unsigned, bounds=pattern.range)

    graph.also_assign(found, any_pattern)
    passed = [any_pattern(x, whole) for x in function.parameters if x in found]
    entry = graph.before(function.entry, Assign(tuple(passed)), whole) if passed else function.entry
    return replace(function, entry=entry, locals=(*function.locals, *found.values()))
