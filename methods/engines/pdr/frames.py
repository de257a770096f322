"""Property-directed reachability with diagrams: algorithms 1 to 3 of the paper, with frames per cut.

`F_i` at a cut is the conjunction of the lemmas there whose level is at least `i`; `F_0` is the start alone. A state
that leads to an error is generalised to its *diagram*, the set of all states that extend it; a diagram without
predecessor in the frame before is denied by a universal clause. A chain of diagrams back to the start is an abstract
trace: if the program cannot follow it, no universal invariant exists (Proposition 1).

Deviations: the chain is unrolled by the engine, with all paths of its length. Obligations keep their whole diagrams
(clauses alone are generalised), else that proposition would not hold. A diagram names elements by constants, where the
paper has a variable for each element and equations with constants, which cores leave out: so generalisation tries
other names. A clause may need itself before a step, as in IC3 (A. Bradley, VMCAI 2011): without that, clauses hold in
one frame and are lost in the next. A lemma that a stronger one contains is forgotten.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace

from core.dataclass import dataclass
from core.program.expansion import At, Step
from methods.engines.pdr.query import Blocked, PathQuery
from methods.engines.pdr.universal_clauses import (
    Cube,
    HeapLiteral,
    UniversalClause,
    constants_of,
    lemma,
    new_variable,
    renamed,
    variables_of,
)
from methods.engines.pdr.view import CutPath, HeapView, KnownPointers
from methods.inference.cores import minimal
from methods.inference.houdini import Connection, Houdini


@dataclass(frozen=True)
class InductiveClauses:
    """The lemmas are inductive and exclude all errors."""

    lemmas: tuple[UniversalClause, ...]


@dataclass(frozen=True)
class AbstractTrace:
    """An abstract trace from the start to an error: the paths that it takes, the last of which ends in the error.

    `diagrams` are those of the states between the paths; `obligation` is the number of that of its first state.
    """

    queries: tuple[PathQuery, ...]
    diagrams: tuple[Cube, ...] = ()
    obligation: int = -1

    def after(self, query: PathQuery, diagram: Cube) -> AbstractTrace:
        """The trace with one more path before it, which leads to a state of `diagram`."""
        return AbstractTrace((query, *self.queries), (diagram, *self.diagrams), self.obligation)


@dataclass(frozen=True)
class ProofObligation:
    """The states of `diagram` at a cut lead to an error, through those of obligation `towards` (-1: at once)."""

    id: int
    at: At
    diagram: Cube
    towards: int


@dataclass(frozen=True)
class _Enough:
    """Literals that suffice on a path not to lead to a cube: from outside of the cube `outside`, if it is given."""

    core: frozenset[HeapLiteral]
    outside: frozenset[HeapLiteral] | None

    def is_so_in(self, cube: frozenset[HeapLiteral]) -> bool:
        """Whether they suffice for another cube, too: a part of `outside` has more states, so that fewer are left."""
        return self.core <= cube and (self.outside is None or cube <= self.outside)


class Frames:
    """The lemmas so far, and the solvers of all paths. Close it: it holds native memory."""

    def __init__(
        self,
        view: HeapView,
        pointers: KnownPointers,
        tick: Callable[[], None],
        on_frame: Callable[[int], None],
        on_lemma: Callable[[UniversalClause], None],
        on_obligation: Callable[[ProofObligation], None] = lambda _: None,
        on_pushed: Callable[[Sequence[UniversalClause]], None] = lambda _: None,
        *,
        recorded: bool = False,
    ) -> None:
        self._recorded = recorded
        self._view, self.pointers = view, pointers
        self._tick, self._on_frame, self._on_lemma = tick, on_frame, on_lemma
        self._on_obligation, self._on_pushed, self._obliged = on_obligation, on_pushed, 0
        self.last = 1
        """The number of the last frame."""
        self.lemmas: dict[At, list[UniversalClause]] = {}
        self._made = 0
        self._into: dict[At, list[PathQuery]] = {}
        self._likely: dict[At, PathQuery] = {}
        """The path into each cut on which the last attempt to learn a clause failed: asked first by the next."""
        self._failed: dict[UniversalClause, tuple[PathQuery, list[UniversalClause]]] = {}
        """The path on which a clause was not inductive, and the frame before it."""
        self.errors: list[PathQuery] = []
        """The paths to errors, and those on which an obligation fails."""
        self._closing: list[PathQuery] = []
        self._obligations: set[tuple[At, tuple[Step, ...], int]] = set()
        for path in view.paths:
            tick()
            self._add(path)

    def close(self) -> None:
        for query in self._closing:
            query.close()

    @property
    def calls(self) -> int:
        """The number of calls of solvers."""
        return sum(query.calls for query in self._closing)

    @property
    def queries(self) -> Iterator[PathQuery]:
        yield from (query for queries in self._into.values() for query in queries)

    def _query(self, path: CutPath, target: At | None, length: int, failing: int | None = None) -> PathQuery:
        steps = path.steps[:length]
        query = PathQuery(self._view, self.pointers, path.source, steps, target, failing, recorded=self._recorded)
        self._closing.append(query)
        return query

    def _add(self, path: CutPath) -> None:
        """Make the queries of a path: how it ends, and how its obligations fail."""
        is_error = path.target in self._view.errors
        query = self._query(path, None if is_error else path.target, len(path.steps))
        for number, obligation in enumerate(query.execution.obligations):
            length = obligation.step + 1
            prefix = path.steps[:length]
            if (path.source, prefix, number) not in self._obligations:
                self._obligations.add((path.source, prefix, number))
                self._keep_error(self._query(path, None, length, number))
        if is_error:
            self._keep_error(query)
        elif query.is_possible():
            self._into.setdefault(path.target, []).append(query)

    def _keep_error(self, query: PathQuery) -> None:
        if query.is_possible():
            self.errors.append(query)

    def drop(self, errors: Iterable[PathQuery]) -> None:
        """Forget about errors that are decided."""
        gone = set(errors)
        self.errors = [query for query in self.errors if query not in gone]

    def confirms(self, trace: AbstractTrace) -> bool:
        """Whether each step of an abstract trace is possible, asked anew: of states that consist of a diagram alone."""
        diagrams = [None, *trace.diagrams, None]
        for query, before, after in zip(trace.queries, diagrams, diagrams[1:], strict=False):
            self._tick()
            again = PathQuery(self._view, self.pointers, query.source, query.steps, query.target, query.failing)
            with closing(again):
                if not again.confirms(before, after):
                    return False
        return True

    # The main loop

    def check(self) -> InductiveClauses | AbstractTrace:
        """Strengthen frames until one is inductive, or an abstract trace is found (algorithm 1)."""
        while True:
            while (found := self._bad_state()) is not None:
                error, diagram = found
                if error.source == self._view.expansion.start:
                    return AbstractTrace((error,))
                trace = self._block(error.source, diagram, self._owed(error.source, diagram, AbstractTrace((error,))))
                if trace is not None:
                    return trace
            invariant = self._propagate()
            if invariant is not None:
                return invariant
            self.last += 1
            self._on_frame(self.last)

    def _bad_state(self) -> tuple[PathQuery, Cube] | None:
        """A state of the last frame that leads to an error."""
        for query in self.errors:
            self._tick()
            found = query.start(self._frame(query.source, self.last))
            if found is not None:
                return query, found.diagram
        return None

    def _propagate(self) -> InductiveClauses | None:
        """Push lemmas forward; the invariant, if two frames are then equal."""
        every = [one for found in self.lemmas.values() for one in found]
        pushed: dict[UniversalClause, None] = {}
        clauses: InductiveClauses | None = None
        for level in range(1, self.last + 1):
            for one in every:
                if one.level == level and self._is_inductive(one):
                    one.level += 1
                    pushed[one] = None
            if not any(one.level == level for one in every):
                clauses = InductiveClauses(tuple(one for one in every if one.level > level))
                break
        self._on_pushed(tuple(pushed))
        return clauses

    def needed(self, inductive: InductiveClauses) -> list[UniversalClause]:
        """The lemmas that exclude the errors, and those that these need to be inductive."""
        lemmas: dict[At, list[UniversalClause]] = {}
        for one in inductive.lemmas:
            lemmas.setdefault(one.at, []).append(one)

        def core(query: PathQuery, cube: Cube | None, known: Container[UniversalClause]) -> list[UniversalClause]:
            self._tick()
            every = sorted(lemmas.get(query.source, ()), key=lambda one: one in known)
            return minimal(every, lambda part: query.reasons(part, cube), in_halves=True)

        found: dict[At, dict[UniversalClause, None]] = {}
        wanted = (
            (query.source, one) for query in self.errors for one in core(query, None, found.get(query.source, ()))
        )
        paths = [Connection(query.source, at, query) for at, queries in self._into.items() for query in queries]
        Houdini(paths).close(
            found, wanted, lambda query, one, known: core(query, one.cube, known.get(query.source, ()))
        )
        return [one for own in found.values() for one in own]

    def _block(self, at: At, diagram: Cube, trace: AbstractTrace) -> AbstractTrace | None:
        """Exclude a diagram from the last frame, or find a trace to it (algorithm 2)."""
        count = 0
        queue: list[tuple[int, int, At, Cube, AbstractTrace]] = [(self.last, count, at, diagram, trace)]
        while queue:
            level, _, at, diagram, trace = heapq.heappop(queue)
            found = self._predecessor(at, diagram, level)
            if found is None:
                one = self._learn(at, self._generalised(at, diagram, level), level)
                if one.level < self.last:
                    count += 2
                    heapq.heappush(queue, (one.level + 1, count, at, diagram, trace))
                continue
            query, before = found
            earlier = trace.after(query, diagram)
            if query.source == self._view.expansion.start:
                return earlier
            count += 2
            owed = self._owed(query.source, before, earlier)
            heapq.heappush(queue, (level - 1, count, query.source, before, owed))
            heapq.heappush(queue, (level, count + 1, at, diagram, trace))
        return None

    def _owed(self, at: At, diagram: Cube, trace: AbstractTrace) -> AbstractTrace:
        """The trace from a state, which becomes a proof obligation."""
        self._obliged += 1
        self._on_obligation(ProofObligation(self._obliged, at, diagram, trace.obligation))
        return replace(trace, obligation=self._obliged)

    def _predecessor(self, at: At, cube: Cube, level: int) -> tuple[PathQuery, Cube] | None:
        for query in self._entering(at, level):
            found = query.before(self._frame(query.source, level - 1), cube)
            if not isinstance(found, Blocked):
                return query, found.diagram
        return None

    def _entering(self, at: At, level: int, likely: PathQuery | None = None) -> Iterator[PathQuery]:
        """The paths into a cut from states of the frame before `level`, of which `likely` comes first."""
        for query in sorted(self._into.get(at, ()), key=lambda query: query is not likely):
            if level > 1 or query.source == self._view.expansion.start:
                self._tick()
                yield query

    def _frame(self, at: At, level: int) -> list[UniversalClause]:
        return [one for one in self.lemmas.get(at, ()) if one.level >= level]

    # Lemmas

    def _generalised(self, at: At, diagram: Cube, level: int) -> Cube:
        """A part of a diagram, with variables for constants that may be any element, that has no predecessor either.

        No literal of it can be left out.
        """

        known: dict[PathQuery, _Enough] = {}

        def part(cube: Sequence[HeapLiteral]) -> Cube | None:
            return self._without_predecessor(at, cube, level, known)

        cube = part(diagram)
        assert cube is not None
        for one in [one for one in cube if one.is_equation]:
            name, other = one.atom.args
            for old, new in ((name, other), (other, name)):
                if one in cube:
                    cube = _first(part(renamed(cube, old, new)), cube)
        for name in constants_of(cube):
            cube = _first(part(renamed(cube, name, new_variable(cube))), cube)
        for variable in reversed(variables_of(cube)):
            cube = _first(part([literal for literal in cube if variable not in literal.atom.variables()]), cube)
        return tuple(minimal(cube, part))

    def _without_predecessor(
        self, at: At, cube: Sequence[HeapLiteral], level: int, known: dict[PathQuery, _Enough]
    ) -> Cube | None:
        """The literals of a cube that suffice to have no predecessor but states of the cube itself; None if it has one.

        That the cube has no states is then an induction within the frames. `known` has what sufficed on paths.
        """
        core: set[HeapLiteral] = set()
        denied, literals = lemma(0, at, cube, level), frozenset(cube)
        for query in self._entering(at, level, self._likely.get(at)):
            itself = denied if query.source == at and level > 1 else None
            enough = known.get(query)
            if enough is None or not enough.is_so_in(literals):
                blocked = query.blocks(self._frame(query.source, level - 1), cube, itself)
                if blocked is None:
                    self._likely[at] = query
                    return None
                enough = known[query] = _Enough(blocked.core, None if itself is None else literals)
            core |= enough.core
        return tuple(literal for literal in cube if literal in core)

    def _learn(self, at: At, cube: Cube, level: int) -> UniversalClause:
        self._made += 1
        one = lemma(self._made, at, cube, level)
        self.lemmas.setdefault(at, []).append(one)
        while one.level < self.last and self._is_inductive(one):
            one.level += 1
        kept = (other for other in self.lemmas[at] if other is one or not one.subsumes(other))
        self.lemmas[at] = list(kept)
        self._on_lemma(one)
        return one

    def _is_inductive(self, clause: UniversalClause) -> bool:
        """Whether the frame of its level implies the lemma after every step."""
        failed = self._failed.get(clause)
        if failed is not None and failed[1] == self._frame(failed[0].source, clause.level):
            return False
        for query in self._entering(clause.at, clause.level + 1, self._likely.get(clause.at)):
            frame = self._frame(query.source, clause.level)
            if query.blocks(frame, clause.cube) is None:
                self._likely[clause.at] = query
                self._failed[clause] = query, frame
                return False
        return True


def _first(found: Cube | None, cube: Cube) -> Cube:
    return cube if found is None else found
