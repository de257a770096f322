"""The laws of refutations and their interpolants, on random clauses, against truth tables."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from random import Random

import pytest

from sat import raising
from sat.circuit import Circuit, InputLiteral
from sat.interpolants import interpolant, sequence_interpolants, symmetric_interpolants
from sat.raising import raised
from sat.refutation import refute
from sat.resolution import Proof, Resolution
from tests.contract.test_sat import pigeons
from tests.support.resolution_checker import check_refutation

VARIABLES = range(1, 8)
ROWS = 1 << len(VARIABLES)
ALL = (1 << ROWS) - 1
TRUE_IN = {v: sum(1 << row for row in range(ROWS) if row >> (v - 1) & 1) for v in VARIABLES}
PARTITIONS = range(4)

Tagged = list[tuple[int, list[int]]]


def column(literal: int) -> int:
    """The truth table of a literal: bit r is its value in row r."""
    return TRUE_IN[literal] if literal > 0 else ALL & ~TRUE_IN[-literal]


def conjunction(tables: Sequence[int]) -> int:
    result = ALL
    for table in tables:
        result &= table
    return result


def disjunction(tables: Sequence[int]) -> int:
    result = 0
    for table in tables:
        result |= table
    return result


def table_of(circuit: Circuit) -> int:
    return circuit.fold(column, conjunction, disjunction)


def table(clauses: Sequence[Sequence[int]]) -> int:
    return conjunction([disjunction([column(x) for x in clause]) for clause in clauses])


def variables(clauses: Sequence[Sequence[int]]) -> set[int]:
    return {abs(x) for clause in clauses for x in clause}


@dataclass(frozen=True)
class Refuted:
    """Unsatisfiable clauses in four partitions, with the refutation as logged and as rewritten."""

    tagged: Tagged
    proofs: tuple[Proof[int], Proof[int]]

    def part(self, tags: set[int]) -> list[list[int]]:
        return [clause for tag, clause in self.tagged if tag in tags]

    def is_interpolant(self, circuit: Circuit, tags: set[int]) -> bool:
        a, b = self.part(tags), self.part(set(PARTITIONS) - tags)
        over_shared = circuit.variables() <= variables(a) & variables(b)
        return over_shared and table(a) & ~table_of(circuit) == 0 and table_of(circuit) & table(b) == 0


def random_clauses(random: Random) -> Tagged:
    """About as many as decide satisfiability; each partition has variables of its own and shares others."""
    tagged = Tagged()
    for _ in range(random.randint(10, 36)):
        tag = random.choice(PARTITIONS)
        near = [v for v in VARIABLES if v % len(PARTITIONS) == tag or random.random() < 0.4] or [1]
        width = min(random.randint(1, 3), len(near))
        tagged.append((tag, [v if random.random() < 0.5 else -v for v in random.sample(near, width)]))
    return tagged


@cache
def refutations() -> tuple[Refuted, ...]:
    found = []
    for seed in range(400):
        tagged = random_clauses(Random(seed))
        proof = refute(tagged)
        if proof is not None:
            found.append(Refuted(tagged, (proof, raised(proof))))
    return tuple(found)


def test_what_is_unsatisfiable_and_nothing_else_is_refuted() -> None:
    answers = set()
    for seed in range(400):
        tagged = random_clauses(Random(seed))
        refuted = refute(tagged) is not None
        assert refuted == (table([clause for _, clause in tagged]) == 0)
        answers.add(refuted)
    assert answers == {True, False}


def test_refutations_and_rewritten_ones_check() -> None:
    for case in refutations():
        logged, rewritten = case.proofs
        check_refutation(logged, case.tagged)
        check_refutation(rewritten, case.tagged)
        assert set(rewritten.hypotheses()) <= set(logged.hypotheses())


def test_the_interpolant_of_a_pair_is_one() -> None:
    for number, case in enumerate(refutations()):
        tags = {tag for tag in PARTITIONS if number >> tag & 1}
        for proof in case.proofs:
            assert case.is_interpolant(interpolant(proof, frozenset(tags)), tags)


def test_interpolants_of_a_sequence_follow_from_each_other() -> None:
    for case in refutations():
        for proof in case.proofs:
            cuts = sequence_interpolants(proof, PARTITIONS)
            assert all(case.is_interpolant(cut, set(range(i + 1))) for i, cut in enumerate(cuts))
            reached = [ALL, *map(table_of, cuts), 0]
            for i in PARTITIONS:
                assert reached[i] & table(case.part({i})) & ~reached[i + 1] == 0


def test_symmetric_interpolants_contradict_each_other() -> None:
    for case in refutations():
        for proof in case.proofs:
            symmetric = symmetric_interpolants(proof)
            assert conjunction([table_of(circuit) for circuit in symmetric.values()]) == 0
            for tag, circuit in symmetric.items():
                assert case.is_interpolant(circuit, {tag})
                assert table_of(circuit) == table_of(interpolant(proof, frozenset({tag})))


def test_a_circuit_where_literals_are_false() -> None:
    for case in refutations():
        for circuit in symmetric_interpolants(case.proofs[0]).values():
            literals = [1, -2]
            restricted = circuit.where_false(literals)
            assert inputs(restricted).isdisjoint(literals)
            rows = conjunction([column(-x) for x in literals])
            assert table_of(restricted) & rows == table_of(circuit) & rows


def inputs(circuit: Circuit) -> set[int]:
    return {gate.literal for gate in circuit.gates if isinstance(gate, InputLiteral)}


def test_a_proof_that_rewriting_makes_too_large_stays_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(raising, "GROWTH", 1)
    kept = 0
    for case in refutations():
        rewritten = raised(case.proofs[0])
        check_refutation(rewritten, case.tagged)
        kept += rewritten == case.proofs[0] != case.proofs[1]
    assert kept > 0


def test_a_circuit_in_normal_form_is_its_clauses() -> None:
    normal = [0, 0]
    for case in refutations():
        for which, proof in enumerate(case.proofs):
            for circuit in symmetric_interpolants(proof).values():
                clauses = circuit.clauses()
                assert conjunction([table_of(part) for part in circuit.conjuncts()]) == table_of(circuit)
                if clauses is not None:
                    normal[which] += 1
                    assert table(clauses) == table_of(circuit)
    assert normal[0] < normal[1]


def test_the_example_of_figure_3() -> None:
    """{p ∨ q, ¬p, ¬q}: where p is local to the first two clauses, its resolution is raised above that on q."""
    tagged: Tagged = [(0, [1, 2]), (0, [-1]), (1, [-2])]
    proof = refute(tagged)
    assert proof is not None
    rewritten = raised(proof)
    pivots = [v.pivot for v in rewritten.vertices if isinstance(v, Resolution)]
    assert pivots == [1, 2]
    assert symmetric_interpolants(rewritten)[0].clauses() == ((2,),)


@pytest.mark.parametrize("partitions", [1, 2, 7])
def test_a_longer_proof(partitions: int) -> None:
    tagged = [(i % partitions, clause) for i, clause in enumerate(pigeons(5))]
    proof = refute(tagged)
    assert proof is not None
    check_refutation(proof, tagged)
    rewritten = raised(proof)
    check_refutation(rewritten, tagged)
    assert refute(tagged) == proof
    assert raised(proof) == rewritten


def test_a_long_chain_of_implications() -> None:
    n = 2_000
    tagged = [(0, [1]), *((i, [-i, i + 1]) for i in range(1, n)), (n, [-n])]
    proof = refute(tagged)
    assert proof is not None
    check_refutation(proof, tagged)
    symmetric = symmetric_interpolants(raised(proof))
    assert [symmetric[i].clauses() for i in (0, 7, n)] == [((1,),), ((-7, 8),), ((-n,),)]


def test_the_empty_clause_is_its_own_refutation() -> None:
    proof = refute([(0, [1]), (3, []), (1, [-1])])
    assert proof is not None
    assert symmetric_interpolants(proof)[3].clauses() == ((),)
    assert interpolant(proof, frozenset({0})).clauses() == ()


def test_zero_is_no_literal() -> None:
    with pytest.raises(ValueError, match="0 is not a literal"):
        refute([(0, [0])])
