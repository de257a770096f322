"""Implications between formulas whose integer atoms are propositions, decided by one incremental SAT solver.

Formulas become clauses by Tseitin's encoding, each subterm once. Atoms over one body (`x − y ≤ 3`, `x − y = 7`) become
thresholds of that body, whose order is the only arithmetic here: it holds for integers and bit-vectors alike. What
ranges say about single bodies is added in the same way. All other arithmetic must come from lemmas.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from core.analysis.bounds import Intervals
from core.terms import BOOL, Arena, Op, Term, Treatment, atoms, lift_choices
from sat.solver import ConflictLimitReached, Satisfiable, SatSolver

OTHER_OPERATORS = Treatment.OPAQUE

_STRUCTURE = frozenset({Op.NOT, Op.AND, Op.OR, Op.IFF, Op.ITE})

_MAX_LIFTED = 2_000  # atoms that one with choices becomes
_LIFTED_NODES = 100_000  # of them in all


class Propositional:
    """A set of valid formulas, and a decision procedure for what follows from them by propositional reasoning."""

    def __init__(self, arena: Arena, intervals: Intervals, solver: SatSolver, conflicts: int) -> None:
        self._arena = arena
        self._intervals = intervals
        self._solver = solver
        self._conflicts = conflicts
        self._literals: dict[Term, int] = {}
        self._thresholds: dict[Term, list[tuple[int, int]]] = {}  # body -> (bound, literal of body ≤ bound), ascending
        self._valid: dict[int, Term] = {}  # the formulas of groups
        self.lifted: set[Term] = set()  # atoms that came from lifting: not lifted again, for that could go on long
        self._true = 1
        self._variables = 1
        solver.add([self._true])

    def new_group(self) -> int:
        """A literal for a group of valid formulas, which count where the group is used."""
        return self._new()

    def learn(self, formula: Term) -> int:
        """Add a valid formula; returns its group."""
        group = self._new()
        self._valid[group] = formula
        self._solver.add([-group, self.literal(formula)])
        return group

    def include(self, group: int, other: int) -> None:
        """Add the formulas of `other` to `group`."""
        self._solver.add([-group, other])

    def implies(self, hypotheses: Iterable[Term], goal: Term, groups: Sequence[int]) -> bool:
        """Whether `goal` follows from `hypotheses` and the formulas of `groups`; False also where it is not found."""
        return self.used(hypotheses, goal, groups) is not None

    def used(self, hypotheses: Iterable[Term], goal: Term, groups: Sequence[int]) -> tuple[int, ...] | None:
        """The part of `groups` with which `goal` follows from `hypotheses`; None where no proof is found."""
        core = self._core([*groups, *(self.literal(h) for h in hypotheses), -self.literal(goal)])
        return None if core is None else tuple(g for g in groups if g in core)

    def implied(self, hypotheses: Sequence[Term], goal: Term, group: int) -> tuple[Term, ...] | None:
        """Hypotheses, formulas of `group` and the negation of `goal` that contradict each other; None without such."""
        facts = {self.literal(h): h for h in hypotheses} | {-self.literal(goal): self._arena.not_(goal)}
        core = self._core([group, *facts])
        if core is None:
            return None
        if group in core:
            finer = self._core([*self._valid, *(literal for literal in facts if literal in core)])
            core = frozenset((*self._valid, *core)) if finer is None else finer
        return tuple(t for literal, t in (facts | self._valid).items() if literal in core)

    def _core(self, assumptions: Sequence[int]) -> frozenset[int] | None:
        """Assumptions that contradict each other; None where none are found."""
        try:
            answer = self._solver.solve(assumptions, self._conflicts)
        except ConflictLimitReached:
            return None
        return None if isinstance(answer, Satisfiable) else frozenset(answer.core)

    def literal(self, formula: Term) -> int:
        """The literal that is equivalent to `formula`."""
        stack = [formula]
        while stack:
            t = stack[-1]
            if t in self._literals:
                stack.pop()
                continue
            parts = self._parts(t)
            missing = [p for p in parts if p not in self._literals]
            if missing:
                stack.extend(missing)
            else:
                stack.pop()
                self._literals[t] = self._encode(t, parts)
        return self._literals[formula]

    def _parts(self, t: Term) -> tuple[Term, ...]:
        """The formulas of which `t` is made: its arguments, or for an atom with choices inside the lifted formula."""
        if t.op in _STRUCTURE:
            return t.args
        if t in self.lifted or t.op in (Op.CONSTANT, Op.SYMBOL, Op.FORALL):
            return ()
        lifted = lift_choices(self._arena, t, min(_MAX_LIFTED, _LIFTED_NODES // t.size))
        if lifted is t:
            return ()
        self.lifted.update(a for a in atoms(lifted) if a is not t)
        return (lifted,)

    def _encode(self, t: Term, parts: tuple[Term, ...]) -> int:
        args = [self._literals[p] for p in parts]
        match t.op:
            case Op.CONSTANT:
                return self._true if t.is_true else -self._true
            case Op.NOT:
                return -args[0]
            case Op.AND:
                return self._conjunction(args)
            case Op.OR:
                return -self._conjunction([-a for a in args])
            case Op.IFF:
                return self._choice(args[0], args[1], -args[1])
            case Op.ITE:
                return self._choice(args[0], args[1], args[2])
            case _ if args:
                return args[0]
            case Op.LE:
                return self._threshold(t.args[0], t.value)
            case Op.EQ:
                # body = k  ⇔  body ≤ k  ∧  ¬(body ≤ k − 1)
                return self._conjunction(
                    [self._threshold(t.args[0], t.value), -self._threshold(t.args[0], t.value - 1)]
                )
            case _:
                assert t.sort is BOOL
                return self._new()

    def _new(self) -> int:
        self._variables += 1
        return self._variables

    def _conjunction(self, args: list[int]) -> int:
        result = self._new()
        for a in args:
            self._solver.add([-result, a])
        self._solver.add([result, *(-a for a in args)])
        return result

    def _choice(self, c: int, a: int, b: int) -> int:
        result = self._new()
        for clause in ((-c, -a, result), (-c, a, -result), (c, -b, result), (c, b, -result), (-a, -b, result)):
            self._solver.add(clause)
        self._solver.add([a, b, -result])
        return result

    def _threshold(self, body: Term, bound: int) -> int:
        """The literal of `body ≤ bound`, in order with all thresholds of the same body so far."""
        thresholds = self._thresholds.setdefault(body, [])
        position = bisect_left(thresholds, (bound, 0), key=lambda pair: (pair[0], 0))
        if position < len(thresholds) and thresholds[position][0] == bound:
            return thresholds[position][1]
        interval = self._intervals(body)
        if interval.high is not None and interval.high <= bound:
            return self._true
        if interval.low is not None and bound < interval.low:
            return -self._true
        result = self._new()
        if position > 0:
            self._solver.add([-thresholds[position - 1][1], result])
        if position < len(thresholds):
            self._solver.add([-result, thresholds[position][1]])
        thresholds.insert(position, (bound, result))
        return result
