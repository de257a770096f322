"""Cubes under other names of their elements, and clauses that say more than others."""

from __future__ import annotations

from core.program.expansion import At
from core.terms import INT, INT_ARRAY, Arena
from methods.engines.pdr.universal_clauses import (
    EQUAL,
    ElementName,
    HeapAtom,
    HeapField,
    HeapLiteral,
    HeapRelation,
    RelationKind,
    constants_of,
    lemma,
    new_variable,
    renamed,
)

ARENA = Arena()
H, K, J = (ARENA.symbol(name, INT) for name in "hkj")
NULL = ARENA.zero
REACHES = HeapRelation(RelationKind.REACHES, HeapField(ARENA.symbol("n", INT_ARRAY), 0))
AT = At((), 1)


def literal(sign: bool, relation: HeapRelation, *args: ElementName) -> HeapLiteral:
    return HeapLiteral(sign, HeapAtom(relation, args))


CUBE = (literal(True, EQUAL, K, H), literal(False, EQUAL, J, NULL), literal(True, REACHES, H, J))


def test_the_equation_is_gone_when_one_of_its_names_stands_for_both() -> None:
    assert renamed(CUBE, H, K) == (literal(False, EQUAL, J, NULL), literal(True, REACHES, K, J))


def test_a_variable_may_stand_for_constants_that_are_neither_null_nor_equated() -> None:
    assert constants_of(CUBE) == [J]
    freed = renamed(CUBE, J, new_variable(CUBE))
    assert freed == (literal(True, EQUAL, K, H), literal(False, EQUAL, 0, NULL), literal(True, REACHES, H, 0))
    assert new_variable(freed) == 1


def test_a_clause_with_fewer_literals_subsumes_others_up_to_its_level() -> None:
    strong, weak = lemma(1, AT, CUBE[1:], 3), lemma(2, AT, CUBE, 3)
    assert strong.subsumes(weak)
    assert not weak.subsumes(strong)
    assert not strong.subsumes(lemma(3, AT, CUBE, 4))
