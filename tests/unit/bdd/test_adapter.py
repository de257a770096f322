"""Tests of single backends, and of the moment when the libraries are loaded."""

import gc
import subprocess
import sys

import pytest

from bdd import BackendMissing, Bdd, Manager, autoref_manager, best_manager, cudd_manager


@pytest.fixture
def cudd() -> Manager:
    try:
        return cudd_manager()
    except BackendMissing:
        pytest.skip("CUDD is not installed")


def chain(manager: Manager, pairs: int) -> Bdd:
    """x0 ∧ x_pairs ∨ x1 ∧ x_(pairs+1) ∨ …: exponential in the order of declaration."""
    return manager.disjoin(*(manager.cube({i: True, i + pairs: True}) for i in range(pairs)))


def test_importing_loads_no_library() -> None:
    code = "import sys, bdd; sys.exit(any(m == 'dd' or m.startswith('dd.') for m in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_best_is_cudd_where_it_is_installed(cudd: Manager) -> None:
    assert type(best_manager()) is type(cudd)


def test_best_falls_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "dd.cudd", None)
    with pytest.raises(BackendMissing):
        cudd_manager()
    assert type(best_manager()) is type(autoref_manager())


def test_a_missing_library_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "dd.autoref", None)
    with pytest.raises(BackendMissing):
        autoref_manager()


def test_reordering_shrinks_and_is_explicit(cudd: Manager) -> None:
    for index in range(20):
        cudd.declare(index)
    u = chain(cudd, 10)
    before = cudd.size(u)
    cudd.reorder()
    assert before > 1_000
    assert cudd.size(u) < 50


def test_a_near_variable_makes_a_smaller_diagram(cudd: Manager) -> None:
    for index in range(10):
        cudd.declare(index)
    for index in range(10):
        cudd.declare(index + 10, near=index)
    assert cudd.size(chain(cudd, 10)) < 50


def test_copies_stay_together_when_reordered(cudd: Manager) -> None:
    for index in range(6):
        cudd.declare(index)
    for index in range(6):
        cudd.declare(index + 6, near=index // 2)
    # Nothing but the frame is at stake, so its diagram is linear exactly if the copies stayed adjacent.
    u = cudd.conjoin(chain(cudd, 6), cudd.to_next(range(12), chain(cudd, 6)))
    cudd.reorder()
    frame = cudd.conjoin(*(cudd.iff(cudd.var(i), cudd.next_var(i)) for i in range(12)))
    assert cudd.size(frame) <= 3 * 12
    assert not cudd.is_false(u)


def test_managers_in_reference_cycles_are_released() -> None:
    for _ in range(20):
        manager = best_manager()
        manager.declare(0)
        cycle: list[object] = [manager, manager.var(0), manager.next_var(0)]
        cycle.append(cycle)
        del cycle, manager
    gc.collect()
