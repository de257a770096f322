"""Stages of the search for proofs, broken one by one, and what the prover then proves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from random import Random
from typing import Any

from core.decision.justification import Contradiction
from core.decision.prover import DEFAULT_EFFORT, Open, Proved, Prover, Refuted
from core.limits import Limits, SolverUndecided
from core.program import Range
from core.solver.contract import BitMethod, IntervalOf, Sat, Solver, Unsat
from core.terms import INT, Arena, Term, Value, evaluate
from sat.proof_trace import ProvingSolver
from tests.seeded_bugs.laws import Function
from tests.support.random_terms import RandomTerms
from tests.unit.core.decision import test_cases
from tests.unit.core.decision.test_polynomials import wrapped

BOUNDS = Range(-8, 7)

Obligation = tuple[Sequence[Term], Term]


class _Undecided:
    """A solver without answers."""

    def add(self, *formulas: Term) -> None:
        pass

    def scope(self) -> AbstractContextManager[None]:
        return nullcontext()

    def check(self, assumptions: Sequence[Term] = ()) -> Sat | Unsat:
        raise SolverUndecided("is not asked")


class WithoutSolvers:
    """Solvers that leave everything to the stages before them. Implements `WideningFactory`."""

    def __call__(self, effort: int | None = None) -> Solver:
        return _Undecided()

    def interrupt(self) -> None:
        pass

    def refutes(self, formulas: Sequence[Term], effort: int | None = None) -> bool:
        raise SolverUndecided("is not asked")

    def refutes_widened(
        self, formulas: Sequence[Term], width: int, effort: int | None = None, method: BitMethod = BitMethod.BITS
    ) -> bool:
        raise SolverUndecided("is not asked")

    def refutes_exactly(
        self, formulas: Sequence[Term], width: int, bounds_of: IntervalOf, effort: int | None = None
    ) -> bool:
        raise SolverUndecided("is not asked")


def _range_of(symbol: Term) -> Range | None:
    return BOUNDS if symbol.sort is INT and symbol.name in "xyz" else None


def _prover(arena: Arena, solver: ProvingSolver) -> Prover:
    return Prover(arena, _range_of, WithoutSolvers(), solver, Limits(), DEFAULT_EFFORT)


class Answers:
    """What a prover said of many obligations."""

    def __init__(self) -> None:
        self.false: list[Obligation] = []
        """Those that it proved and that do not hold."""
        self.proved = 0
        self.rejected = 0
        """Those of which something was found that the kernel rejects."""

    def ask(self, prover: Prover, obligation: Obligation, states: Sequence[dict[Term, Value]]) -> None:
        hypotheses, goal = obligation
        match prover.prove(hypotheses, goal):
            case Proved():
                self.proved += 1
                holds = (evaluate(goal, s) for s in states if all(evaluate(h, s) for h in hypotheses))
                if not all(holds):
                    self.false.append(obligation)
            case Open(reason):
                self.rejected += reason == "what was found is no proof"
            case Refuted():
                pass


def of_formulas(answers: Answers) -> None:
    """Implications between random formulas."""
    for seed in range(25):
        draw = RandomTerms(seed)
        states = [dict(draw.values()) for _ in range(25)]
        with ProvingSolver() as solver:
            prover = _prover(draw.arena, solver)
            for _ in range(15):
                answers.ask(prover, ([draw.formula(1) for _ in range(3)], draw.formula(1)), states)


def of_partitions(answers: Answers) -> None:
    """Steps between disjunctions of conjunctions."""
    draw = Random(1)
    with ProvingSolver() as solver:
        prover = Prover(test_cases.ARENA, lambda _: None, WithoutSolvers(), solver, Limits(), DEFAULT_EFFORT)
        for _ in range(250):
            hypotheses = [test_cases.partitions(draw), test_cases.literal(draw)]
            goal = test_cases.partitions(draw) if draw.random() < 0.6 else test_cases.literal(draw)
            answers.ask(prover, (hypotheses, goal), test_cases.STATES)  # type: ignore[arg-type]


def of_quantifiers(answers: Answers) -> None:
    """What follows of single elements from what holds of all, and the other way round."""
    for seed in range(40):
        draw = RandomTerms(seed)
        arena, a, k = draw.arena, draw.arrays[0], draw.arena.proof_symbol("k", INT)
        x, y, _ = draw.integers
        states = [dict(draw.values()) for _ in range(25)]
        bound = arena.integer(draw.random.randint(-2, 2))
        each = arena.forall([k], arena.or_(arena.lt(k, x), arena.le(arena.select(a, k), bound)))
        one = arena.le(arena.select(a, y), arena.integer(draw.random.randint(-2, 3)))
        with ProvingSolver() as solver:
            prover = _prover(arena, solver)
            answers.ask(prover, ([arena.ge(y, x)], one), states)
            if isinstance(prover.prove([one, each], each), Proved):
                answers.proved += 1
            for goal in (each, arena.forall([k], arena.le(arena.select(a, k), bound))):
                if isinstance(prover.prove([one], goal), Proved):
                    answers.false.append(([one], goal))


def of_products(answers: Answers) -> None:
    """Equations between machine integers of few bits."""
    for seed in range(12):
        draw, random = RandomTerms(seed), Random(seed)
        arena = draw.arena
        x, y, z = draw.integers
        states = [dict(draw.values()) for _ in range(40)]
        for one in states:
            one.update({s: random.randint(-8, 7) for s in draw.integers})
        product = wrapped(arena, arena.multiply(x, y), 4)
        with ProvingSolver() as solver:
            prover = _prover(arena, solver)
            for _ in range(6):
                other = random.choice((x, y, arena.add(x, arena.integer(random.randint(0, 2)))))
                same = [
                    arena.equals(z, wrapped(arena, other, 4)),
                    *([draw.formula(1)] if random.random() < 0.5 else []),
                ]
                goal = arena.equals(product, wrapped(arena, arena.multiply(z, random.choice((x, y))), 4))
                answers.ask(prover, (same, goal), states)


# Changes


def one_nearer(original: Function) -> Function:
    def shortest(*given: object) -> object:
        paths: Any = original(*given)
        return replace(paths, lengths={place: length - 1 for place, length in paths.lengths.items()})

    return shortest


def without_first(original: Function) -> Function:
    """Without the first antecedent, or with another literal where there is none."""

    def replayed(self: Any, logged: Any) -> object:
        return original(self, replace(logged, clause=logged.clause[1:], antecedents=logged.antecedents[1:]))

    return replayed


def claimed(original: Function) -> Function:
    def follows(self: Any, bits: int, denied: Sequence[Term]) -> object:
        return original(self, bits, denied) or Contradiction(denied[0])

    return follows


def always(value: object) -> Callable[[Function], Function]:
    return lambda _: lambda *__: value


def not_renamed(original: Function) -> Function:
    def ground(arena: Any, hypotheses: Sequence[Term], goal: Any) -> object:
        body = goal.args[0] if goal.symbols() != goal.args[0].symbols() else goal
        return original(arena, hypotheses, body)

    return ground


def counted(change: Callable[[Function], Function], calls: list[int]) -> Callable[[Function], Function]:
    """A change that notes in `calls` how often the function is called."""

    def changed(original: Function) -> Function:
        function = change(original)

        def called(*given: Any) -> object:
            calls.append(1)
            return function(*given)

        return called

    return changed


def questions() -> Iterator[Callable[[Answers], None]]:
    yield from (of_formulas, of_partitions, of_quantifiers, of_products)
