"""Integers as exact bit-vectors of z3: for bit operators, which z3 does not have on integers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from core.program import Range
from core.solver.exact_vectors import ARRAY_WIDTH, ExactVectors, bits
from core.solver.z3_library import Z3Context
from core.solver.z3_translation import Translation
from core.terms import INT, ArrayValue, Sort, Term


class BitTranslation(ExactVectors, Translation):
    """The translation of terms to ASTs of one context. `range_of` bounds symbols; copies of a symbol have its range."""

    def __init__(self, context: Z3Context, range_of: Callable[[Term], Range | None]) -> None:
        self._vector_sorts: dict[int, Any] = {}
        ExactVectors.__init__(self, range_of)
        Translation.__init__(self, context)
        core = self.core
        self._operations: dict[str, Callable[..., Any]] = {
            "ite": core.mk_ite,
            "=": core.mk_eq,
            **{f"bv{name}": getattr(core, f"mk_bv{name}") for name in _VECTOR_OPERATIONS},
        }

    def make(self, name: str, *args: Any) -> Any:
        return self.keep(self._operations[name](self._ref, *args))

    def number(self, value: int, width: int) -> Any:
        return self.keep(self.core.mk_numeral(self._ref, str(value % (1 << width)), self._vector_sort(width)))

    def constant(self, name: str, width: int) -> Any:
        symbol = self.core.mk_string_symbol(self._ref, name)
        return self.keep(self.core.mk_const(self._ref, symbol, self._vector_sort(width)))

    def lower(self, node: Any, high: int, low: int) -> Any:
        return self.keep(self.core.mk_extract(self._ref, high, low, node))

    def longer(self, node: Any, bits: int, signed: bool) -> Any:
        extend = self.core.mk_sign_ext if signed else self.core.mk_zero_ext
        return self.keep(extend(self._ref, bits, node))

    def is_same(self, a: Any, b: Any) -> bool:
        return bool(self.core.is_eq_ast(self._ref, a, b))

    def other(self, t: Term, args: list[Any]) -> Any:
        return self.keep(self._node(t, args))

    def applied(self, t: Term, args: list[Any]) -> Any:
        return self.keep(self._applied(t, args))

    def sort(self, sort: Sort) -> Any:
        return self._vector_sort(ARRAY_WIDTH) if sort == INT else super().sort(sort)

    def _vector_sort(self, width: int) -> Any:
        found = self._vector_sorts.get(width)
        if found is None:
            found = self._vector_sorts[width] = self.core.mk_bv_sort(self._ref, width)
            self.core.inc_ref(self._ref, self.core.sort_to_ast(self._ref, found))
        return found

    def at_most(self, t: Term, bound: int) -> Any:
        width = self.exact(t)
        least, most = -(1 << (width - 1)), (1 << (width - 1)) - 1
        if not least <= bound <= most:
            return self.keep((self.core.mk_true if bound > most else self.core.mk_false)(self._ref))
        return self.make("bvsle", self(t), self.number(bound, width))

    def _swapped(self, t: Term) -> Any:
        wide = [self._exactly(argument, ARRAY_WIDTH) for argument in reversed(t.args)]
        return self._fit(self.applied(t, wide), ARRAY_WIDTH, self.exact(t))

    # Models

    def numeral(self, ast: Any) -> int:
        width = self.core.get_bv_sort_size(self._ref, self.core.get_sort(self._ref, ast))
        value = super().numeral(ast)
        return value - (1 << width) if value >> (width - 1) else value

    def settled(self, t: Term, value: ArrayValue) -> ArrayValue:
        width = bits(self._intervals(t))

        def element(index: int) -> int:
            rest = index % (1 << width)
            return rest - (1 << width) if rest >> (width - 1) else rest

        return ArrayValue(element(value.default), {i: element(v) for i, v in value.entries.items()})


_VECTOR_OPERATIONS = ("add", "mul", "neg", "sle", "slt", "and", "or", "xor", "shl", "ashr", "sdiv", "srem")
