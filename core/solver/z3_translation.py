"""Translation of terms to ASTs of z3; integers are integers."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from typing import Any

from core.limits import SolverUndecided
from core.solver.functions import Boxes, FunctionFact
from core.solver.multiplexers import pieces
from core.solver.z3_library import Handle, Z3Context
from core.terms import (
    INT,
    PROOF_SIGN,
    ArraySort,
    ArrayValue,
    BoolSort,
    IntSort,
    Op,
    Sort,
    Term,
    Treatment,
    integer_function,
    is_uninterpreted,
)
from core.terms.interval import Interval

OTHER_OPERATORS = Treatment.OPAQUE


class Translation:
    """The translation of terms to ASTs of one context, each term once."""

    def __init__(self, context: Z3Context) -> None:
        self.context = context
        self.core = context.core
        self._ref = context.ref()
        self.has_uninterpreted = False
        self.boxes = Boxes()
        self._declarations: dict[str, Any] = {}
        self._asts: dict[Term, Any] = {}
        self._sorts: dict[Sort, Any] = {}
        self._booleans = self.sort(BoolSort())
        self._integers = self.sort(IntSort())

    def __call__(self, term: Term) -> Any:
        asts = self._asts
        found = asts.get(term)
        if found is not None:
            return found
        stack = [term]
        while stack:
            t = stack[-1]
            if t in asts:
                stack.pop()
                continue
            missing = [a for a in t.args if a not in asts]
            if missing:
                stack.extend(missing)
            else:
                stack.pop()
                asts[t] = self.keep(self._node(t, [asts[a] for a in t.args]))
        return asts[term]

    def fact(self, fact: FunctionFact) -> Any:
        """The fact as a native formula."""
        core, ref = self.core, self._ref
        given = [part for t, one in zip(fact.term.args, fact.arguments, strict=True) for part in self._bounds(t, one)]
        denied = [self.keep(core.mk_not(ref, part)) for part in given]
        bounds = list(self._bounds(fact.term, fact.value))
        value = self.keep(core.mk_and(ref, len(bounds), self.array(bounds)))
        known = self.keep(core.mk_or(ref, len(denied) + 1, self.array([*denied, value])))
        if not fact.term.is_commutative:
            return known
        swapped = self.keep(core.mk_eq(ref, self(fact.term), self._swapped(fact.term)))
        return self.keep(core.mk_and(ref, 2, self.array([known, swapped])))

    def _swapped(self, t: Term) -> Any:
        """The value for the arguments in the other order."""
        return self.keep(self._applied(t, [self(argument) for argument in reversed(t.args)]))

    def _bounds(self, t: Term, interval: Interval) -> Iterator[Any]:
        """The bounds of a term, as far as it has any."""
        if interval.low is not None:
            yield self.keep(self.core.mk_not(self._ref, self.at_most(t, interval.low - 1)))
        if interval.high is not None:
            yield self.at_most(t, interval.high)

    def at_most(self, t: Term, bound: int) -> Any:
        """Whether the value of a term that is translated is at most this number."""
        return self.keep(self.core.mk_le(self._ref, self(t), self._number(bound)))

    def numeral(self, ast: Any) -> int:
        """The value of a numeral."""
        return int(self.core.get_numeral_string(self._ref, ast))

    def settled(self, t: Term, value: ArrayValue) -> ArrayValue:
        """The value of the array term `t`, given what a model says."""
        return value

    def keep(self, ast: Any) -> Any:
        """Hold `ast` until the context dies."""
        self.core.inc_ref(self._ref, ast)
        return ast

    def array(self, handles: Sequence[int]) -> ctypes.Array[Any]:
        result: ctypes.Array[Any] = (Handle * len(handles))(*handles)
        return result

    def fresh_proposition(self) -> Any:
        return self.keep(self.core.mk_fresh_const(self._ref, "name", self._booleans))

    def sort(self, sort: Sort) -> Any:
        translated = self._sorts.get(sort)
        if translated is None:
            core = self.core
            match sort:
                case BoolSort():
                    translated = core.mk_bool_sort(self._ref)
                case IntSort():
                    translated = core.mk_int_sort(self._ref)
                case ArraySort(index, element):
                    translated = core.mk_array_sort(self._ref, self.sort(index), self.sort(element))
            self.core.inc_ref(self._ref, core.sort_to_ast(self._ref, translated))
            self._sorts[sort] = translated
        return translated

    def _node(self, t: Term, args: list[Any]) -> Any:
        """The application of the operator of `t`; not yet referenced."""
        core, ref = self.core, self._ref
        match t.op:
            case Op.CONSTANT:
                return self._constant(t)
            case Op.SYMBOL:
                return core.mk_const(ref, core.mk_string_symbol(ref, t.name), self.sort(t.sort))
            case Op.NOT:
                return core.mk_not(ref, args[0])
            case Op.AND:
                return core.mk_and(ref, len(args), self.array(args))
            case Op.OR:
                return core.mk_or(ref, len(args), self.array(args))
            case Op.IFF:
                return core.mk_eq(ref, args[0], args[1])
            case Op.ITE:
                return core.mk_ite(ref, args[0], args[1], args[2])
            case Op.LE:
                return core.mk_le(ref, args[0], self._number(t.value))
            case Op.EQ:
                return core.mk_eq(ref, args[0], self._number(t.value))
            case Op.FORALL:
                bound = self.array([self(s) for s in t.bound])
                return core.mk_forall_const(ref, 0, len(bound), bound, 0, None, args[0])
            case Op.SELECT | Op.STORE | Op.CONST_ARRAY:
                return self._array_node(t, args)
            case Op.LINEAR | Op.MULTIPLY | Op.DIVIDE | Op.MODULO:
                return self._arithmetic(t, args)
            case _ if is_uninterpreted(t):
                return self._applied(t, args)
            case _:
                raise SolverUndecided("z3: bit operations are decided over bit-vectors only")

    def _applied(self, t: Term, args: list[Any]) -> Any:
        """The application of a function of which z3 knows no more than that it is one."""
        self.has_uninterpreted = True
        core, ref, integers = self.core, self._ref, self.sort(INT)
        known = integer_function(t).name
        if t.op is Op.FLOAT and (summed := t.function.doubles([x.value if x.is_constant else None for x in t.args])):
            # Where a symbol stands for a number, the sum of both is congruent to this.
            known, args = summed.name, [next(a for a, x in zip(args, t.args, strict=True) if not x.is_constant)] * 2
        declaration = self._declarations.get(known)
        if declaration is None:
            name = core.mk_string_symbol(ref, f"{PROOF_SIGN}{known}")
            sorts = self.array([integers for _ in args])
            declaration = self._declarations[known] = core.mk_func_decl(ref, name, len(args), sorts, integers)
            self.keep(core.func_decl_to_ast(ref, declaration))
        return core.mk_app(ref, declaration, len(args), self.array(args))

    def all_entries(self, t: Term) -> Any:
        """That a `LOOKUP` has the number of its table, whatever the position: a choice between pieces of the table."""
        core, ref, position = self.core, self._ref, self(t.args[0])
        parts: list[tuple[int, Any]] = []
        for last, slope, constant in pieces(t.table):
            number = self._number(constant)
            summands = self.array([position, number])
            parts.append((last, self.keep(core.mk_add(ref, 2, summands)) if slope else number))
        while len(parts) > 1:
            pairs = zip(parts[::2], parts[1::2], strict=False)
            left_over = parts[len(parts) // 2 * 2 :]
            parts = [
                (last, self._up_to(position, first, low, high)) for (first, low), (last, high) in pairs
            ] + left_over
        return self.keep(core.mk_eq(ref, self(t), parts[0][1]))

    def _up_to(self, position: Any, last: int, low: Any, high: Any) -> Any:
        """`low` up to the last position, `high` behind it."""
        core, ref = self.core, self._ref
        return self.keep(core.mk_ite(ref, self.keep(core.mk_le(ref, position, self._number(last))), low, high))

    def _arithmetic(self, t: Term, args: list[Any]) -> Any:
        core, ref = self.core, self._ref
        if t.is_sum:
            summands = [a if c == 1 else self._scaled(c, a) for c, a in zip(t.coefficients, args, strict=True)]
            if t.constant:
                summands.append(self._number(t.constant))
            return core.mk_add(ref, len(summands), self.array(summands)) if len(summands) > 1 else summands[0]
        if t.op is Op.MULTIPLY:
            return core.mk_mul(ref, len(args), self.array(args))
        return (core.mk_div if t.op is Op.DIVIDE else core.mk_mod)(ref, args[0], args[1])

    def _scaled(self, factor: int, ast: Any) -> Any:
        return self.keep(self.core.mk_mul(self._ref, 2, self.array([self._number(factor), ast])))

    def _array_node(self, t: Term, args: list[Any]) -> Any:
        core, ref = self.core, self._ref
        if t.is_select:
            return core.mk_select(ref, args[0], args[1])
        if t.is_store:
            return core.mk_store(ref, args[0], args[1], args[2])
        assert isinstance(t.sort, ArraySort)
        return core.mk_const_array(ref, self.sort(t.sort.index), args[0])

    def _constant(self, t: Term) -> Any:
        if t.is_true:
            return self.core.mk_true(self._ref)
        if t.is_false:
            return self.core.mk_false(self._ref)
        return self._number(t.value)

    def _number(self, value: int) -> Any:
        return self.keep(self.core.mk_numeral(self._ref, str(value), self._integers))
