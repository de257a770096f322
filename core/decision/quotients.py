"""Quotients and remainders of addresses as functions of these, with laws that hold of them.

The lowering keeps what it knows of objects in arrays over the numbers of blocks: `sizes[x / B]` is about the object at
`x`. Instances (`grounding`) know functions of elements, and no arithmetic. So for one constant divisor `B`, `x / B`,
`x % B` and `a[x / B]` become what fresh arrays have at `x`, and `B·t` becomes a fresh symbol. Whatever satisfies
formulas satisfies them so, if these arrays and symbols get the values that they stand for; and then it satisfies all
laws here. Hence what is refuted with the laws is refuted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from core.terms import INT, INT_ARRAY, Arena, Op, Term, Treatment, rebuild, subterms

OTHER_OPERATORS = Treatment.EXACT


def divisor_of(hypotheses: Iterable[Term]) -> int | None:
    """The constant by which formulas about all addresses divide them first; None if they do not."""
    every = subterms(*(one for one in hypotheses if one.is_quantified))
    found = (t.args[1].value for t in every if t.op is Op.DIVIDE and t.args[1].is_constant)
    return next((value for value in found if value > 1), None)


class Quotients:
    """The functions for one divisor, and the laws about the addresses that formulas speak of."""

    def __init__(self, arena: Arena, divisor: int) -> None:
        self._arena, self._divisor = arena, divisor
        self._quotient = arena.fresh("quotient", INT_ARRAY)
        self._remainder = arena.fresh("remainder", INT_ARRAY)
        self._entries: dict[Term, Term] = {}  # of arrays over quotients: the function of an address
        self._multiples: dict[Term, Term] = {}  # the symbols for products, by what is multiplied
        self._indices: dict[tuple[Term, Term], None] = {}  # of arrays: where they are read otherwise
        self._rewritten: dict[Term, Term] = {}
        self._addresses: dict[Term, dict[tuple[Term, int], None]] = {}
        """The addresses of which each formula reads something, as others and what is added to them."""
        self._laws: dict[tuple[Term, int], tuple[int, tuple[Term, ...]]] = {}  # with what was known then

    def with_laws(self, formulas: Sequence[Term]) -> list[Term]:
        """Formulas in which the functions stand for divisions, and laws about the addresses in them."""
        found = [self._rewrite(one) for one in formulas]
        ground = [one for one in found if not one.is_quantified]
        addresses = dict.fromkeys(address for one in ground for address in self._read_by(one))
        laws = dict.fromkeys(law for one in addresses for law in self._laws_about(*one))
        return [*found, *(one for one in laws if not one.is_true)]

    def _rewrite(self, formula: Term) -> Term:
        bound = frozenset(formula.bound if formula.is_quantified else ())
        done: dict[Term, Term] = {} if bound else self._rewritten
        if formula not in done:
            for t in subterms(formula):
                if t not in done:
                    done[t] = self._replaced(t, tuple(done[a] for a in t.args), bound)
        return done[formula]

    def _replaced(self, t: Term, args: tuple[Term, ...], bound: frozenset[Term]) -> Term:
        if self._divides(t):
            return self._arena.select(self._quotient if t.op is Op.DIVIDE else self._remainder, args[0])
        is_entry = t.is_select and t.sort is INT and t.args[0].is_symbol and t.args[1].op is Op.DIVIDE
        if is_entry and self._divides(t.args[1]):
            return self._arena.select(self._entry(t.args[0]), args[1].args[1])
        if t.is_sum and any(abs(c) == self._divisor for c in t.coefficients):
            return self._sum(t, args, bound)
        return rebuild(self._arena, t, args)

    def _divides(self, t: Term) -> bool:
        return t.op in (Op.DIVIDE, Op.MODULO) and t.args[1].is_constant and t.args[1].value == self._divisor

    def _sum(self, t: Term, args: tuple[Term, ...], bound: frozenset[Term]) -> Term:
        parts: list[tuple[int, Term]] = []
        for c, x in zip(t.coefficients, args, strict=True):
            is_multiple = abs(c) == self._divisor and bound.isdisjoint(x.symbols())
            parts.append((c // self._divisor, self._multiple(x)) if is_multiple else (c, x))
        return self._arena.linear(parts, t.constant)

    def _multiple(self, x: Term) -> Term:
        """The symbol for the product of a number and the divisor."""
        if x not in self._multiples:
            self._multiples[x] = self._arena.fresh("multiple", INT)
        return self._multiples[x]

    def _entry(self, array: Term) -> Term:
        if array not in self._entries:
            self._entries[array] = self._arena.fresh(array.name, INT_ARRAY)
        return self._entries[array]

    def _read_by(self, formula: Term) -> Iterable[tuple[Term, int]]:
        if formula not in self._addresses:
            found: dict[tuple[Term, int], None] = {}
            products = frozenset(self._multiples.values())
            for t in subterms(formula):
                if t in products:
                    found[t, 0] = None
                if t.is_select:
                    base, distance = _split(t.args[1])
                    found[base, distance if self._is_function(t.args[0]) else 0] = None
                    if t.args[0] in self._entries:
                        self._indices[t.args[0], t.args[1]] = None
            self._addresses[formula] = found
        return self._addresses[formula]

    def _is_function(self, array: Term) -> bool:
        return array in (self._quotient, self._remainder) or array in self._entries.values()

    # Laws

    def laws(self) -> Iterator[Term]:
        """Formulas that hold of the functions at all addresses, and at null."""
        arena, (x, y) = self._arena, (self._arena.fresh("address", INT) for _ in range(2))
        of, rest, equals, both = self._of, self._rest, arena.equals, arena.and_
        whole = both(equals(rest(x), arena.zero), equals(rest(y), arena.zero))
        yield arena.forall((x, y), arena.implies(both(whole, equals(of(x), of(y))), equals(x, y)))
        for array, entry in self._entries.items():
            same = equals(arena.select(entry, x), arena.select(entry, y))
            yield arena.forall((x, y), arena.implies(equals(of(x), of(y)), same))
            yield equals(arena.select(entry, arena.zero), arena.select(array, arena.zero))
        yield from (equals(of(arena.zero), arena.zero), equals(rest(arena.zero), arena.zero))

    def _laws_about(self, base: Term, distance: int) -> tuple[Term, ...]:
        """The laws about an address to which a constant is added, in the light of all that was read so far."""
        known = len(self._multiples) + len(self._entries) + len(self._indices)
        found = self._laws.get((base, distance))
        if found is None or found[0] != known:
            laws = self._about(base) if distance == 0 else self._moving(base, distance)
            found = self._laws[base, distance] = known, tuple(laws)
        return found[1]

    def _of(self, address: Term) -> Term:
        return self._arena.select(self._quotient, address)

    def _rest(self, address: Term) -> Term:
        return self._arena.select(self._remainder, address)

    def _about(self, base: Term) -> Iterator[Term]:
        """Bounds of an address by its quotient and remainder, and the entries that it has."""
        arena, divisor = self._arena, self._arena.integer(self._divisor)
        quotient, rest = self._of(base), self._rest(base)
        yield arena.implies(
            arena.equals(rest, arena.zero), arena.or_(arena.le(base, arena.zero), arena.le(divisor, base))
        )
        for product, symbol in self._multiples.items():
            if symbol is base:
                yield from (arena.equals(quotient, product), arena.equals(rest, arena.zero))
            yield arena.implies(arena.equals(quotient, product), arena.le(symbol, base))
        for array, index in self._indices:
            has_index, entry = arena.equals(quotient, index), arena.select(self._entries[array], base)
            yield arena.implies(has_index, arena.equals(entry, arena.select(array, index)))
            if index.is_constant:
                first = arena.integer(index.value * self._divisor)
                within = arena.and_(arena.le(first, base), arena.lt(base, arena.add(first, divisor)))
                yield arena.implies(has_index, within)

    def _moving(self, base: Term, distance: int) -> Iterator[Term]:
        """Within the block that begins at an address, quotients and entries are those of the address."""
        yield from self._about(base)
        if 0 < distance < self._divisor:
            arena, moved = self._arena, self._arena.add(base, self._arena.integer(distance))
            same = [arena.equals(self._rest(moved), self._arena.integer(distance))]
            for function in (self._quotient, *self._entries.values()):
                same.append(arena.equals(arena.select(function, moved), arena.select(function, base)))
            yield arena.implies(arena.equals(self._rest(base), arena.zero), arena.and_(*same))


def _split(address: Term) -> tuple[Term, int]:
    """An address as another one and a constant that is added to it."""
    is_moved = address.is_sum and address.coefficients == (1,)
    return (address.args[0], address.constant) if is_moved else (address, 0)
