"""The search for elements that satisfy a cube finds what trying all of them finds."""

from __future__ import annotations

import random
from contextlib import closing
from itertools import product

from core.terms import INT, INT_ARRAY, Arena
from methods.engines.pdr.matching import CubeSearch, ModelElements, SatModel
from methods.engines.pdr.universal_clauses import (
    ALLOCATED,
    EQUAL,
    ElementName,
    HeapAtom,
    HeapField,
    HeapLiteral,
    HeapRelation,
    RelationKind,
)
from methods.engines.pdr.universe import NULL, Universe
from sat.solver import Unsatisfiable

ARENA = Arena()
H = ARENA.symbol("h", INT)
FIELD = HeapField(ARENA.symbol("n", INT_ARRAY), 0)
REACHES = HeapRelation(RelationKind.REACHES, FIELD)
VARIABLES = 3


def random_literal(choose: random.Random) -> HeapLiteral:
    names: list[ElementName] = [*range(VARIABLES), H, ARENA.zero]
    relation = choose.choice([EQUAL, REACHES, ALLOCATED])
    args = choose.sample(names, 1 if relation is ALLOCATED else 2)
    return HeapLiteral(choose.random() < 0.5, HeapAtom(relation, tuple(args)))


def test_the_matches_of_random_cubes_are_those_of_all_tuples() -> None:
    choose = random.Random(5)
    some = 0
    with closing(Universe([FIELD], [ALLOCATED])) as universe:
        names: dict[ElementName, int] = {ARENA.zero: NULL, H: universe.element()}
        elements = [universe.element() for _ in range(5)]
        for _ in range(150):
            phases = [choose.choice((-1, 1)) * universe.equal(*choose.sample(elements, 2)) for _ in range(2)]
            phases += [universe.reaches(REACHES, *choose.sample(elements, 2)) for _ in range(3)]
            answer = universe.solver.solve(phases)
            if isinstance(answer, Unsatisfiable):
                continue
            true = {x for x in answer.model if x > 0}
            model = ModelElements(universe, SatModel(answer.model))
            cube = tuple(random_literal(choose) for _ in range(4))
            search = CubeSearch(cube, VARIABLES, names)
            expected = {
                chosen
                for chosen in product(model.first, repeat=VARIABLES)
                if all(holds(universe, one, chosen, names, true) for one in cube if one not in search.closed)
            }
            assert set(search.matches(model)) == expected
            some += bool(expected)
    assert some > 20


def holds(
    universe: Universe, one: HeapLiteral, chosen: tuple[int, ...], names: dict[ElementName, int], true: set[int]
) -> bool:
    args = tuple(chosen[x] if isinstance(x, int) else names[x] for x in one.atom.args)
    literal = universe.literal(one.atom.relation, args)
    return ((abs(literal) in true) == (literal > 0)) == one.sign
