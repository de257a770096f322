"""The search for classes of a model that satisfy a cube which hypotheses deny.

The variables of the cube get classes one after the other. Each literal about the next variable and earlier ones is a
set of classes; the intersection of the sets is what is left.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.decision.class_models import ClassModel
from core.decision.ground_clauses import GroundClauses
from core.decision.relational import EQUAL, Applied, Argument, CubeLiteral, DeniedCube
from core.terms import Term


class InstanceSearch:
    """The search for one cube, whose elements are known to some clauses."""

    def __init__(self, cube: DeniedCube, ground: GroundClauses) -> None:
        self._ground = ground
        self._elements = {x: ground.element(x) for one in cube.literals for x in one.args if isinstance(x, Term)}
        self._literals = cube.literals
        self._order = _order(cube)
        place = {variable: i for i, variable in enumerate(self._order)}
        self._closed = [one for one in cube.literals if not one.variables()]
        self._cells = [
            [x.cell for x in _applied(cube) if x.variable == variable] for variable in self._order
        ]  # that a class must have
        self._sets: list[list[CubeLiteral]] = [[] for _ in self._order]  # about one variable, by its place
        self._steps: list[list[CubeLiteral]] = [[] for _ in self._order]  # about others, too, or about cells
        for one in cube.literals:
            known = one.variables()
            if known:
                last = max(known, key=lambda x: place[x])
                is_simple = known.count(last) == 1 and last in one.args
                (self._sets if is_simple and len(known) == 1 else self._steps)[place[last]].append(one)
        self._done: set[tuple[int, ...]] = set()

    @property
    def elements(self) -> frozenset[int]:
        """The elements that the cube names."""
        return frozenset[int]().union(*map(self._ground.with_bases, self._elements.values()))

    def clauses(self, model: ClassModel) -> Iterator[list[int]]:
        """The instances that a model violates, and that were not there before."""
        if not all(self._holds(one, model, {}) for one in self._closed):
            return
        allowed = [self._allowed(place, model) for place in range(len(self._order))]
        stack: list[dict[int, int]] = [{}] if all(allowed) else []
        while stack:
            chosen = stack.pop()
            if len(chosen) == len(self._order):
                found = self._instance(chosen, model)
                if found is not None:
                    yield found
                continue
            variable = self._order[len(chosen)]
            left = self._left(allowed[len(chosen)], variable, chosen, model)
            stack += [{**chosen, variable: number} for number in left]

    def _allowed(self, place: int, model: ClassModel) -> int:
        """The classes that a variable may be, whatever the others are."""
        left = model.addresses
        for cell in self._cells[place]:
            left &= sum([1 << number for number in model.cells.get(cell, ())])
        for one in self._sets[place]:
            left &= self._related(one, self._order[place], {}, model)
        return left

    def _left(self, allowed: int, variable: int, chosen: dict[int, int], model: ClassModel) -> Iterator[int]:
        late: list[CubeLiteral] = []
        for one in self._steps[len(chosen)]:
            if one.args.count(variable) == 1 and all(x != variable for x in map(_inside, one.args)):
                allowed &= self._related(one, variable, chosen, model)
            else:
                late.append(one)
        while allowed:
            lowest = allowed & -allowed
            allowed ^= lowest
            number = lowest.bit_length() - 1
            if not late or all(self._holds(one, model, {**chosen, variable: number}) for one in late):
                yield number

    def _related(self, one: CubeLiteral, variable: int, chosen: dict[int, int], model: ClassModel) -> int:
        """The classes that a literal allows for a variable that is one of its arguments."""
        if len(one.args) == 1:
            bits = model.set(one.relation)
        else:
            first, second = one.args
            if first == variable and not isinstance(first, Applied):
                bits = self._row(one, second, chosen, model, is_first=False)
            else:
                bits = self._row(one, first, chosen, model, is_first=True)
        return bits if one.sign else ~bits

    def _row(
        self, one: CubeLiteral, other: Argument, chosen: dict[int, int], model: ClassModel, *, is_first: bool
    ) -> int:
        number = self._class(other, chosen, model)
        if one.relation is EQUAL:
            return 1 << number
        return (model.rows if is_first else model.columns)(one.relation)[number]

    def _holds(self, one: CubeLiteral, model: ClassModel, chosen: dict[int, int]) -> bool:
        classes = tuple([self._class(x, chosen, model) for x in one.args])
        return model.holds(one.relation, classes) == one.sign

    def _class(self, argument: Argument, chosen: dict[int, int], model: ClassModel) -> int:
        if isinstance(argument, int):
            return chosen[argument]
        if isinstance(argument, Applied):
            return model.cells[argument.cell][chosen[argument.variable]][1]
        return model.class_of[self._elements[argument]]

    def _instance(self, chosen: dict[int, int], model: ClassModel) -> list[int] | None:
        """The clause that the cube is not satisfied by the first elements of classes; None if it was there before."""
        first = {variable: model.first[number] for variable, number in chosen.items()}
        bases = {x: model.cells[x.cell][chosen[x.variable]][0] for one in self._literals for x in _applied_in(one)}
        key = (*(first[variable] for variable in self._order), *bases.values())
        if key in self._done:
            return None
        self._done.add(key)
        ground = self._ground
        clause = [-ground.literal(EQUAL, (first[x.variable], base)) for x, base in bases.items()]
        for sign, relation, args in self._literals:
            elements = tuple(
                [
                    first[x]
                    if isinstance(x, int)
                    else ground.cells[x.cell][bases[x]]
                    if isinstance(x, Applied)
                    else self._elements[x]
                    for x in args
                ]
            )
            literal = ground.literal(relation, elements)
            clause.append(-literal if sign else literal)
        return clause


def _inside(argument: Argument) -> int | None:
    return argument.variable if isinstance(argument, Applied) else None


def _applied_in(one: CubeLiteral) -> list[Applied]:
    return [x for x in one.args if isinstance(x, Applied)]


def _applied(cube: DeniedCube) -> list[Applied]:
    return list(dict.fromkeys(x for one in cube.literals for x in _applied_in(one)))


def _order(cube: DeniedCube) -> list[int]:
    """The variables, those with cells first, each behind others with which many literals relate it."""
    order = list(dict.fromkeys(x.variable for x in _applied(cube)))
    while len(order) < cube.variables:
        known = [one for one in cube.literals if sum(x not in order for x in set(one.variables())) == 1]
        left = (x for x in range(cube.variables) if x not in order)
        order.append(max(left, key=lambda x: sum(1 + 2 * one.sign for one in known if x in one.variables())))
    return order
