"""Unrollings: paths merge, the formula grows linearly, models are executions, arrays stay chains of stores."""

from __future__ import annotations

from core.limits import Limits
from core.paths.pathformula import check_path
from core.paths.unrolling import Unrolling, chain_of_stores
from core.program.blocks import BlockEncoding
from core.program.expansion import Expansion
from core.solver.contract import Sat, Unsat
from core.solver.z3_solver import Z3Factory
from core.terms import ArraySort, Op, Term, evaluate, subterms
from core.verdict import Unsafe
from tests.contract.test_engines import calling, counting, recursive
from tests.support.random_terms import RandomTerms
from tests.support.small_programs import counting_loop


class Recording:
    """A solver that can be asked how much it was told."""

    def __init__(self) -> None:
        self.factory = Z3Factory()
        self.solver = self.factory()
        self.told: list[Term] = []

    def unrolling(self, expansion: Expansion) -> Unrolling:
        add = self.solver.add

        def tell(*formulas: Term) -> None:
            self.told.extend(formulas)
            add(*formulas)

        self.solver.add = tell  # type: ignore[method-assign]
        return Unrolling(expansion, expansion.start, self.solver, Limits())


def test_a_loop_with_a_constant_bound_unrolls_without_a_solver() -> None:
    recording = Recording()
    unrolling = recording.unrolling(Expansion(counting_loop(10), BlockEncoding.LARGE))
    layers = 0
    while unrolling.frontier:
        assert unrolling.advance() == []
        layers += 1
    assert layers == 12
    assert all(instance.guard.is_true for instance in unrolling.instances)


def test_errors_that_executions_reach_and_others() -> None:
    expansion = Expansion(counting(), BlockEncoding.LARGE)
    recording = Recording()
    unrolling = recording.unrolling(expansion)
    reached: list[tuple[int, int]] = []
    for layer in range(8):
        for error in unrolling.advance():
            answer = recording.solver.check([error.guard])
            check = expansion.check(error.at)
            assert check is not None
            if isinstance(answer, Sat):
                reached.append((layer, check.id))
                path = unrolling.path_to(error, answer.model)
                assert path[-1].target == error.at
                assert isinstance(check_path(expansion, path, recording.factory, None), Unsafe)
            else:
                assert isinstance(answer, Unsat)
    assert reached == [(6, 1)]


def test_layers_are_of_equal_size_however_paths_branch() -> None:
    recording = Recording()
    unrolling = recording.unrolling(Expansion(counting(), BlockEncoding.LARGE))
    sizes: list[int] = []
    for _ in range(6):
        before = len(unrolling.instances)
        unrolling.advance()
        sizes.append(len(unrolling.instances) - before)
    assert len(set(sizes[2:])) == 1


def test_calls_and_recursion_end() -> None:
    for program, last in ((calling(), 1), (recursive(), 4)):
        unrolling = Recording().unrolling(Expansion(program, BlockEncoding.LARGE))
        layers = 0
        while unrolling.frontier and layers < 10:
            unrolling.advance()
            layers += 1
        assert layers == last


def test_what_is_pruned_is_not_followed() -> None:
    unrolling = Recording().unrolling(Expansion(counting(), BlockEncoding.LARGE))
    unrolling.advance()
    unrolling.prune(list(unrolling.frontier))
    assert unrolling.frontier == []
    assert unrolling.advance() == []


def test_arrays_become_chains_of_stores() -> None:
    random = RandomTerms(5)
    arena = random.arena
    for _ in range(60):
        base = random.arrays[0]
        array = base
        for _ in range(4):
            written = arena.store(array, random.integer(1), random.integer(1))
            array = arena.ite(random.formula(1), written, random.random.choice((array, base, written)))
        chain = chain_of_stores(arena, array)
        assert not any(t.op is Op.ITE and isinstance(t.sort, ArraySort) for t in subterms(chain))
        for _ in range(5):
            values = random.values()
            index = arena.integer(random.random.randint(-3, 3))
            expected = evaluate(arena.select(array, index), values)
            assert evaluate(arena.select(chain, index), values) == expected


def test_arrays_without_a_common_one_stay_a_choice() -> None:
    random = RandomTerms(1)
    a, b = random.arrays
    chosen = random.arena.ite(random.booleans[0], a, b)
    assert chain_of_stores(random.arena, chosen) is chosen
