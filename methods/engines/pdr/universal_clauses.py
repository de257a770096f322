"""Universal clauses over heaps: names, predicates, atoms, literals, lemmas.

A name is a variable of the clause (a number), or a constant: the term of a pointer variable, of a cell at a constant
address, or zero for the null pointer. A literal pairs a sign with an atom.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import IntEnum
from typing import NamedTuple, TypeVar

from core.dataclass import dataclass
from core.program.expansion import At
from core.terms import Term

ElementName = Term | int

N = TypeVar("N")
V = TypeVar("V")


class HeapField(NamedTuple):
    """A field of records: its array of memory, and the bytes from the address of a record to it."""

    array: Term
    offset: int


class NumberTest(NamedTuple):
    """A comparison of a number with a constant: an equation, or whether it is at most that."""

    is_equation: bool
    value: int

    def holds(self, element: int) -> bool:
        return element == self.value if self.is_equation else element <= self.value


class RelationKind(IntEnum):
    """The relation of an atom."""

    EQUAL = 0  # of two names
    REACHES = 1  # by pointers of a field, of two names, in any number of steps
    ALLOCATED = 2  # of a name
    WRITTEN = 3  # of a name: its pointer in a field was written since it was allocated
    HOLDS = 4  # of a name: the number in a field passes a test
    PROPOSITION = 5  # a scalar variable passes a test
    DISJOINT = 6  # of two names: no node is reached from both, by pointers of a field (facts alone speak of it)
    AROUND = 8  # of two names: behind the cut pointer at the end of the list at the first; one name alone is both
    AT_MOST = 7  # of two numbers, each in a field of a name or in a scalar variable: the first is at most the second


OrderedPlace = HeapField | Term
"""A place of numbers that are compared: a field of nodes, or a scalar variable."""


class HeapRelation(NamedTuple):
    """The relation of an atom: its kind, and the field, scalar variable, test or compared places that it is about."""

    kind: RelationKind
    field: HeapField | None = None
    scalar: Term | None = None
    test: NumberTest | None = None
    places: tuple[OrderedPlace, ...] = ()

    def operands(
        self, args: Sequence[N], in_field: Callable[[HeapField, N], V], in_scalar: Callable[[Term], V]
    ) -> list[V]:
        """The compared numbers; `args` has the nodes of the places that are fields: one alone is the node of both."""
        nodes = iter(args if len(args) > 1 else (*args, *args))
        return [in_field(one, next(nodes)) if isinstance(one, HeapField) else in_scalar(one) for one in self.places]

    @property
    def is_decided(self) -> bool:
        """Whether a model that has the literal of an atom false shows that the atom is false."""
        return self.kind is not RelationKind.DISJOINT


EQUAL = HeapRelation(RelationKind.EQUAL)
ALLOCATED = HeapRelation(RelationKind.ALLOCATED)


class HeapAtom(NamedTuple):
    """A relation over names."""

    relation: HeapRelation
    args: tuple[ElementName, ...] = ()

    def variables(self) -> list[int]:
        return [x for x in self.args if isinstance(x, int)]

    def renamed(self, names: dict[int, int]) -> HeapAtom:
        return HeapAtom(self.relation, tuple(names[x] if isinstance(x, int) else x for x in self.args))


class HeapLiteral(NamedTuple):
    """An atom or its negation."""

    sign: bool
    atom: HeapAtom

    @property
    def is_equation(self) -> bool:
        """Whether it equates two names, none of which is null."""
        return (
            self.sign
            and self.atom.relation == EQUAL
            and all(isinstance(x, int) or not x.is_constant for x in self.atom.args)
        )


Cube = tuple[HeapLiteral, ...]
"""A conjunction of literals whose variables stand for some elements: a diagram, or a part of one."""


def variables_of(cube: Iterable[HeapLiteral]) -> list[int]:
    return sorted({x for literal in cube for x in literal.atom.variables()})


def constants_of(cube: Iterable[HeapLiteral]) -> list[Term]:
    """The constants of a cube, apart from null and those that it equates with another name."""
    equated = {x for one in cube if one.sign and one.atom.relation == EQUAL for x in one.atom.args}
    names = dict.fromkeys(x for one in cube for x in one.atom.args if not isinstance(x, int))
    return [x for x in names if not x.is_constant and x not in equated]


def new_variable(cube: Iterable[HeapLiteral]) -> int:
    return max(variables_of(cube), default=-1) + 1


def renamed(cube: Iterable[HeapLiteral], old: ElementName, new: ElementName) -> Cube:
    """A cube with another name in place of one, without the literals that are then about one name twice."""
    found = []
    for sign, (relation, args) in cube:
        names = tuple(new if x == old else x for x in args)
        if relation.kind is RelationKind.AROUND and names[0] == names[-1]:
            names = names[:1]
        if relation.kind not in (RelationKind.EQUAL, RelationKind.REACHES) or names[0] != names[1]:
            found.append(HeapLiteral(sign, HeapAtom(relation, names)))
    return tuple(found)


@dataclass(slots=True, eq=False)
class UniversalClause:
    """The universal clause that denies `cube` at a cut, in the frames up to `level`; `variables` is how many it has."""

    id: int
    at: At
    cube: Cube
    variables: int
    level: int

    def subsumes(self, other: UniversalClause) -> bool:
        """Whether it says more than a clause with more literals, in as many frames."""
        return other.level <= self.level and set(self.cube).issubset(other.cube)


def lemma(id: int, at: At, cube: Iterable[HeapLiteral], level: int) -> UniversalClause:
    """The lemma that denies a cube; its variables are numbered anew."""
    names = {x: i for i, x in enumerate(variables_of(cube))}
    renamed = tuple(HeapLiteral(sign, atom.renamed(names)) for sign, atom in cube)
    return UniversalClause(id, at, renamed, len(names), level)
