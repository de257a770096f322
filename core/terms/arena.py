"""The arena of a run: makes terms, shares equal ones, and keeps them in the normal forms that `term` states."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import gcd

from core.terms.interval import Interval
from core.terms.sorts import BOOL, INT, ArraySort, Sort
from core.terms.tables import ConstantTable, NamedFunction
from core.terms.term import Op, Payload, Term

_WIDEST_SHIFT = 4096  # distances of shifts below it become factors

PROOF_SIGN = "\\"
"""The sign with which names of symbols begin that a proof brings along, and no name of a program does."""

_Key = tuple[Op, tuple[Term, ...], Payload, Sort]


class Arena:
    """A factory of terms, which are shared and normalised. The sorts of arguments are the caller's duty."""

    def __init__(self) -> None:
        self._terms: dict[object, Term] = {}
        self._fresh: dict[str, int] = {}
        self._originals: dict[Term, Term] = {}
        self._between: dict[tuple[int, Term, int], Term] = {}  # ranges are stated again for every path
        self.true = self._make(Op.CONSTANT, (), True, BOOL)
        self.false = self._make(Op.CONSTANT, (), False, BOOL)
        self.zero = self.integer(0)
        self.one = self.integer(1)

    def __len__(self) -> int:
        return len(self._terms)

    def _make(self, op: Op, args: tuple[Term, ...], payload: Payload, sort: Sort) -> Term:
        # `True == 1` in Python, so the payload's type belongs to the key.
        key = (op, args, payload, payload.__class__, sort)
        found = self._terms.get(key)
        if found is None:
            found = self._terms[key] = Term(op, args, payload, sort, len(self._terms))
        return found

    # Leaves

    def boolean(self, value: bool) -> Term:
        return self.true if value else self.false

    def integer(self, value: int) -> Term:
        return self._make(Op.CONSTANT, (), value, INT)

    def symbol(self, name: str, sort: Sort) -> Term:
        """The symbol of this name and sort; equal calls give the same symbol."""
        return self._make(Op.SYMBOL, (), name, sort)

    def fresh(self, stem: str, sort: Sort) -> Term:
        """A symbol `stem!n` that is in no term yet: also not in one that was read from a file."""
        while True:
            n = self._fresh[stem] = self._fresh.get(stem, -1) + 1
            before = len(self._terms)
            symbol = self.symbol(f"{stem}!{n}", sort)
            if len(self._terms) > before:
                return symbol

    def proof_symbol(self, stem: str, sort: Sort) -> Term:
        """A symbol of a proof, as what a quantifier binds, that is in no term yet and never stands for a variable."""
        return self.fresh(f"{PROOF_SIGN}{stem}", sort)

    def copy(self, symbol: Term, name: str) -> Term:
        """The symbol `name` that stands for `symbol` in another frame, or at another time."""
        result = self.symbol(name, symbol.sort)
        self._originals[result] = self.original(symbol)
        return result

    def element_copy(self, array: Term, name: str) -> Term:
        """The symbol `name` that stands for an element of the array `array`, whose range it has."""
        assert isinstance(array.sort, ArraySort)
        result = self.symbol(name, array.sort.element)
        self._originals[result] = self.original(array)
        return result

    def original(self, symbol: Term) -> Term:
        """The symbol of which a symbol is a copy, or the copy of an element, in the end; itself where it is none."""
        return self._originals.get(symbol, symbol)

    # Boolean structure

    def not_(self, t: Term) -> Term:
        if t.is_negation:
            return t.args[0]
        if t.is_constant:
            return self.boolean(not t.payload)
        return self._make(Op.NOT, (t,), None, BOOL)

    def and_(self, *args: Term) -> Term:
        return self._junction(Op.AND, args, self.true, self.false)

    def or_(self, *args: Term) -> Term:
        return self._junction(Op.OR, args, self.false, self.true)

    def _junction(self, op: Op, args: Iterable[Term], unit: Term, zero: Term) -> Term:
        flat: dict[Term, None] = {}
        for a in args:
            if a is unit:
                continue
            if a is zero:
                return zero
            for part in a.args if a.op is op else (a,):
                flat[part] = None
        if any(a.is_negation and a.args[0] in flat for a in flat):
            return zero
        if not flat:
            return unit
        if len(flat) == 1:
            return next(iter(flat))
        return self._make(op, tuple(sorted(flat, key=_by_id)), None, BOOL)

    def implies(self, a: Term, b: Term) -> Term:
        return self.or_(self.not_(a), b)

    def iff(self, a: Term, b: Term) -> Term:
        if a is b:
            return self.true
        for x, y in ((a, b), (b, a)):
            if x.is_constant:
                return y if x.is_true else self.not_(y)
        # Negations move out of an equivalence, so that `a ⇔ ¬b` and `¬a ⇔ b` are one term.
        negated = (a.is_negation) != (b.is_negation)
        a = a.args[0] if a.is_negation else a
        b = b.args[0] if b.is_negation else b
        if a is b:
            return self.boolean(not negated)
        first, second = (a, b) if a.id < b.id else (b, a)
        result = self._make(Op.IFF, (first, second), None, BOOL)
        return self.not_(result) if negated else result

    def ite(self, c: Term, a: Term, b: Term) -> Term:
        """The choice `a` if `c` else `b`; both of one sort."""
        if c.is_constant:
            return a if c.is_true else b
        if a is b:
            return a
        if c.is_negation:
            c, a, b = c.args[0], b, a
        if a.sort is BOOL:
            if a.is_constant:
                return self.or_(c, b) if a.is_true else self.and_(self.not_(c), b)
            if b.is_constant:
                return self.or_(self.not_(c), a) if b.is_true else self.and_(c, a)
            if self.not_(a) is b:
                return self.iff(c, a)
        if a.is_choice and a.args[0] is c:
            a = a.args[1]
        if b.is_choice and b.args[0] is c:
            b = b.args[2]
        return a if a is b else self._make(Op.ITE, (c, a, b), None, a.sort)

    def forall(self, bound: Sequence[Term], body: Term) -> Term:
        used = tuple(s for s in bound if s in body.symbols())
        return self._make(Op.FORALL, (body,), used, BOOL) if used else body

    # Integers

    def linear(self, parts: Iterable[tuple[int, Term]], constant: int = 0) -> Term:
        """The sum of `coefficient · term` and a constant, flattened and with equal monomials collected."""
        sums: dict[Term, int] = {}
        for factor, t in parts:
            if t.is_constant:
                constant += factor * t.value
            elif t.is_sum:
                constant += factor * t.constant
                for c, m in zip(t.coefficients, t.args, strict=True):
                    sums[m] = sums.get(m, 0) + factor * c
            else:
                sums[t] = sums.get(t, 0) + factor
        return self._linear([(c, m) for m, c in sums.items() if c], constant)

    def _linear(self, monomials: list[tuple[int, Term]], constant: int) -> Term:
        if not monomials:
            return self.integer(constant)
        if len(monomials) == 1 and monomials[0][0] == 1 and constant == 0:
            return monomials[0][1]
        monomials.sort(key=lambda cm: cm[1].id)
        coefficients = tuple(c for c, _ in monomials)
        return self._make(Op.LINEAR, tuple(m for _, m in monomials), (coefficients, constant), INT)

    def add(self, *args: Term) -> Term:
        return self.linear([(1, a) for a in args])

    def subtract(self, a: Term, b: Term) -> Term:
        return self.linear([(1, a), (-1, b)])

    def negate(self, a: Term) -> Term:
        return self.linear([(-1, a)])

    def multiply(self, a: Term, b: Term) -> Term:
        for x, y in ((a, b), (b, a)):
            if x.is_constant:
                return self.linear([(x.value, y)])
        factors = [f for t in (a, b) for f in (t.args if t.op is Op.MULTIPLY else (t,))]
        return self._make(Op.MULTIPLY, tuple(sorted(factors, key=_by_id)), None, INT)

    def divide(self, a: Term, b: Term) -> Term:
        """The quotient of SMT-LIB `div`: `a = b·q + r` with `0 ≤ r < |b|`. Not to be built where `b` may be 0."""
        if b.is_constant and b.value != 0:
            if a.is_constant:
                return self.integer((a.value - a.value % abs(b.value)) // b.value)
            if b.value == 1:
                return a
        return self._make(Op.DIVIDE, (a, b), None, INT)

    def modulo(self, a: Term, b: Term) -> Term:
        """The remainder of SMT-LIB `mod`: the `r` of `divide`, never negative."""
        if b.is_constant and b.value != 0:
            if a.is_constant:
                return self.integer(a.value % abs(b.value))
            if abs(b.value) == 1:
                return self.zero
            if a.is_sum:
                a = self._residue(a, abs(b.value))
                if a.is_constant:
                    return a
        return self._make(Op.MODULO, (a, b), None, INT)

    def _residue(self, a: Term, modulus: int) -> Term:
        """A sum with the remainder of `a`: its constant is one itself, its coefficients are the smallest there are."""
        low = -((modulus - 1) // 2)
        coefficients = [(c - low) % modulus + low for c in a.coefficients]
        monomials = [(c, m) for c, m in zip(coefficients, a.args, strict=True) if c]
        return self._linear(monomials, a.constant % modulus)

    # Bits of integers: two's complement without a last bit, so `-1` has all bits set

    def bit_and(self, a: Term, b: Term) -> Term:
        a, b = self._bit_operands(a, b)
        if a is b:
            return a
        if a.is_constant:
            if b.is_constant:
                return self.integer(a.value & b.value)
            if a.value == -1:
                return b
            if a.value >= 0 and a.value & (a.value + 1) == 0:  # a mask of lowest bits
                return self.modulo(b, self.integer(a.value + 1))
        return self._make(Op.BIT_AND, (a, b), None, INT)

    def bit_or(self, a: Term, b: Term) -> Term:
        a, b = self._bit_operands(a, b)
        if a is b:
            return a
        if a.is_constant:
            if b.is_constant:
                return self.integer(a.value | b.value)
            if a.value in (0, -1):
                return b if a.value == 0 else a
        return self._make(Op.BIT_OR, (a, b), None, INT)

    def bit_xor(self, a: Term, b: Term) -> Term:
        a, b = self._bit_operands(a, b)
        if a is b:
            return self.zero
        if a.is_constant:
            if b.is_constant:
                return self.integer(a.value ^ b.value)
            if a.value in (0, -1):
                return b if a.value == 0 else self.subtract(a, b)
        return self._make(Op.BIT_XOR, (a, b), None, INT)

    def _bit_operands(self, a: Term, b: Term) -> tuple[Term, Term]:
        """The operands in the order of creation, but a constant first."""
        swap = b.is_constant if (a.is_constant) != (b.is_constant) else b.id < a.id
        return (b, a) if swap else (a, b)

    def shift_left(self, a: Term, distance: Term) -> Term:
        """The product `a · 2^distance`. Not to be built where the distance may be negative or has thousands of bits."""
        if distance.is_constant and 0 <= distance.value < _WIDEST_SHIFT:
            return self.multiply(a, self.integer(1 << distance.value))
        return a if a is self.zero else self._make(Op.SHIFT_LEFT, (a, distance), None, INT)

    def shift_right(self, a: Term, distance: Term) -> Term:
        """The quotient `a / 2^distance`, rounded down. Not to be built where the distance may be negative."""
        if distance.is_constant and 0 <= distance.value < _WIDEST_SHIFT:
            return self.divide(a, self.integer(1 << distance.value))
        return a if a is self.zero else self._make(Op.SHIFT_RIGHT, (a, distance), None, INT)

    def lookup(self, table: ConstantTable, position: Term) -> Term:
        """The number of a table at a position."""
        if position.is_constant:
            return self.integer(table.value(position.value))
        return self._make(Op.LOOKUP, (position,), table, INT)

    def compute(self, function: NamedFunction, *args: Term) -> Term:
        """The value of a function of floating-point numbers, which are their ordinals."""
        constants = [one.value if one.is_constant else None for one in args]
        values = [one for one in constants if one is not None]
        if len(values) == len(args):
            return self.integer(function.value(*values))
        if args[0].op is Op.FLOAT and function.undoes(args[0].function):
            return args[0].args[0]
        found = function.simpler(constants, are_equal=len(set(args)) == 1)
        if isinstance(found, int):
            return args[found]
        if found is not None:
            other, parts = found
            unknown = next(one for one in args if not one.is_constant)
            return self.compute(other, *(unknown if one is None else self.integer(one) for one in parts))
        if function.is_commutative:
            args = tuple(sorted(args, key=_by_id))
        return self._make(Op.FLOAT, args, function, INT)

    def le(self, a: Term, b: Term) -> Term:
        return self._atom(Op.LE, self.subtract(a, b))

    def lt(self, a: Term, b: Term) -> Term:
        return self.not_(self.le(b, a))

    def ge(self, a: Term, b: Term) -> Term:
        return self.le(b, a)

    def gt(self, a: Term, b: Term) -> Term:
        return self.lt(b, a)

    def between(self, low: int, t: Term, high: int) -> Term:
        """The formula `low ≤ t ≤ high`."""
        known = self._between.get((low, t, high))
        if known is None:
            known = self.and_(self.le(self.integer(low), t), self.le(t, self.integer(high)))
            self._between[low, t, high] = known
        return known

    def _atom(self, op: Op, difference: Term) -> Term:
        """The atom `difference ≤ 0` or `difference = 0` in normal form."""
        if difference.is_constant:
            return self.boolean(difference.value <= 0 if op is Op.LE else difference.value == 0)
        if not difference.is_sum:
            return self._canonical(op, difference, 0)
        divisor = gcd(*difference.coefficients)
        bound = -difference.constant
        if op is Op.EQ and bound % divisor:
            return self.false
        sign = 1 if difference.coefficients[0] > 0 else -1
        body = self._linear(
            [(sign * c // divisor, m) for c, m in zip(difference.coefficients, difference.args, strict=True)],
            0,
        )
        if op is Op.EQ:
            return self._canonical(op, body, sign * bound // divisor)
        if sign > 0:
            return self._canonical(op, body, bound // divisor)
        # −body ≤ b  ⇔  body ≥ −b  ⇔  ¬(body ≤ −b − 1), with b rounded down to a multiple of the divisor.
        return self.not_(self._canonical(op, body, -(bound // divisor) - 1))

    def _canonical(self, op: Op, body: Term, bound: int) -> Term:
        """The atom `body ≤ bound` or `body = bound`; of a choice with a constant side, a formula over its condition.

        Such choices stand in one another, as many as a table has entries.
        """
        choices: list[Term] = []
        while body.is_choice and (body.args[1].is_constant or body.args[2].is_constant):
            choices.append(body)
            body = body.args[2 if body.args[1].is_constant else 1]
        if choices:
            limit, compare = self.integer(bound), self.le if op is Op.LE else self.equals
            result = compare(body, limit)
            for c, a, b in (choice.args for choice in reversed(choices)):
                is_first = a.is_constant
                decided = compare(a if is_first else b, limit)
                result = self.ite(c, decided, result) if is_first else self.ite(c, result, decided)
            return result
        if op is Op.EQ and bound == 0:
            same = self._zero(body)
            if same is not None:
                return same
        if body.op is Op.MODULO and body.args[1].is_constant:
            modulus = abs(body.args[1].value)
            if modulus and not 0 <= bound < modulus - (op is Op.LE):
                return self.boolean(op is Op.LE and bound >= 0)
        if body.op is Op.FLOAT:
            return self._computed(op, body, bound)
        return self._make(op, (body,), bound, BOOL)

    def _zero(self, body: Term) -> Term | None:
        """That a term is zero, said of a remainder without a sign: C's remainders have the sign of the dividend."""
        if body.is_choice:
            if body.args[1].is_choice or body.args[2].is_choice:
                return None
            first, second = (self._atom(Op.EQ, case) for case in body.args[1:])
            return first if first is second else None
        if body.op is Op.MODULO and body.args[1].is_constant and body.args[0].is_sum:
            dividend, divisor = body.args
            if dividend.coefficients[0] < 0:
                return self._atom(Op.EQ, self.modulo(self.linear([(-1, dividend)]), divisor))
        return None

    def _computed(self, op: Op, body: Term, bound: int) -> Term:
        """An atom about the value of a function as one about the argument that is no constant, where there is one."""
        limits = body.function.interval(*(Interval(None, None) for _ in body.args))
        if (limits.low is not None and bound < limits.low) or (limits.high is not None and bound > limits.high):
            return self.boolean(op is Op.LE and limits.low is not None and bound >= limits.low)
        values, part = Interval(None if op is Op.LE else bound, bound), body
        while part.op is Op.FLOAT:
            constants = [one.value if one.is_constant else None for one in part.args]
            found = part.function.preimage(constants, values)
            if found is None:
                break
            values, part = found, next(one for one in part.args if not one.is_constant)
        if part is body:
            return self._make(op, (body,), bound, BOOL)
        if values.is_empty:
            return self.false
        ends = (None if end is None else self.integer(end) for end in (values.low, values.high))
        low, high = ends
        return self.and_(
            self.true if low is None else self.le(low, part), self.true if high is None else self.le(part, high)
        )

    # Equality of every sort but arrays, which have no extensional equality

    def equals(self, a: Term, b: Term) -> Term:
        if a is b:
            return self.true
        if a.sort is BOOL:
            return self.iff(a, b)
        if isinstance(a.sort, ArraySort):
            raise TypeError("arrays have no extensional equality")
        return self._atom(Op.EQ, self.subtract(a, b))

    # Arrays

    def select(self, array: Term, index: Term) -> Term:
        """The element at `index`, with reads from stores and choices resolved."""
        assert isinstance(array.sort, ArraySort)
        writes: list[tuple[Term, Term]] = []  # (condition under which the value is read, value)
        is_constant = index.is_constant
        while array.is_store:
            array, written, value = array.args
            if is_constant and written.is_constant and written is not index:
                continue
            same = self.equals(written, index)
            if same.is_true:
                return self._choose(writes, value)
            if not same.is_false:
                writes.append((same, value))
        if array.op is Op.CONST_ARRAY:
            return self._choose(writes, array.args[0])
        if array.is_choice:
            c, a, b = array.args
            return self._choose(writes, self.ite(c, self.select(a, index), self.select(b, index)))
        assert isinstance(array.sort, ArraySort)
        return self._choose(writes, self._make(Op.SELECT, (array, index), None, array.sort.element))

    def _choose(self, writes: list[tuple[Term, Term]], value: Term) -> Term:
        for condition, written in reversed(writes):
            value = self.ite(condition, written, value)
        return value

    def store(self, array: Term, index: Term, value: Term) -> Term:
        if array.is_store and array.args[1] is index:
            array = array.args[0]
        if value.is_select and value.args[0] is array and value.args[1] is index:
            return array
        return self._make(Op.STORE, (array, index, value), None, array.sort)

    def const_array(self, sort: ArraySort, value: Term) -> Term:
        return self._make(Op.CONST_ARRAY, (value,), None, sort)


def _by_id(t: Term) -> int:
    return t.id
