"""Numbers and lengths beside reachability: the strongest facts at cuts that all paths keep, found by models.

Each cut starts without states. A solver is asked for a state within the facts of the source of a path that the path
leads to a state outside of those of its target; the state joins these, until there is none (symbolic abstraction, T.
Reps, M. Sagiv, G. Yorsh, "Symbolic implementation of the best transformer", VMCAI 2004). States with small numbers come
first: an equation that they do not deny is then weakened, not lost, where numbers wrap around.

The result is inductive where stores keep lists. A search with diagrams may use it: models of its solvers that numbers
exclude are denied by a clause (`NumberTheory`).

Limitations, by weight: facts are about variables, not about all nodes (where a node waits for its pointer while a loop
runs, it is not known that the others have theirs); disjunctions only over null pointers.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field

from core.dataclass import dataclass
from core.limits import SolverUndecided
from core.parameters import parameter
from core.program.expansion import At
from core.solver.contract import Sat, Solver, SolverFactory, Unsat
from core.terms import Arena, Term
from methods.engines.pdr.contents import ElementNumber
from methods.engines.pdr.facts import CutClaim, CutFacts, ListFact, ListKey, StateNumber, StatePoint, StateTerms
from methods.engines.pdr.frames import Frames
from methods.engines.pdr.lengths import ElementLength
from methods.engines.pdr.query import PathQuery
from methods.engines.pdr.universal_clauses import (
    EQUAL,
    ElementName,
    HeapAtom,
    HeapField,
    HeapRelation,
    RelationKind,
    UniversalClause,
)
from methods.engines.pdr.view import HeapView
from methods.inference.cores import minimal, refuting

EFFORT = parameter("pdr.number-invariants.effort")
SMALL = parameter("pdr.number-invariants.small")


Needed = dict[At, list[CutClaim]]
ListMember = tuple[Term, tuple[Term, Term]]
"""The formula that an element is a node of a list, and its length and content."""


@dataclass
class _PathState:
    """The state at one end of a path as terms; implements `methods.engines.pdr.facts.StateTerms`."""

    arena: Arena
    names: Mapping[ElementName, int]
    lengths: Mapping[HeapField, ElementLength]
    scalar: Callable[[Term], Term]
    literal: Callable[[HeapAtom, Sequence[int]], int]
    truth: Callable[[int], Term]
    contents: Mapping[HeapField, ElementNumber]
    nodes: Sequence[int]
    """The elements of which facts about all nodes speak."""
    made: dict[tuple[CutFacts, CutClaim], Term] = field(default_factory=dict)

    def value(self, state_number: StateNumber) -> Term:
        if state_number.scalar is not None:
            return self.scalar(state_number.scalar)
        assert state_number.field is not None
        return self.lengths[state_number.field](self.names[state_number.name])

    def atom(self, atom: HeapAtom) -> Term:
        return self.truth(self.literal(atom, ()))

    def each(self, fact: ListFact, holds: Callable[[Term, Term], Term]) -> Term:
        key = (fact.field, fact.name, fact.content)
        members = (self._member(key, a) for a in self.nodes)
        return self.arena.and_(*(self.arena.implies(is_node, holds(*node)) for is_node, node in members))

    def members(self, key: ListKey) -> list[ListMember]:
        """The elements with names, and some others, which may be nodes of a list."""
        return [self._member(key, a) for a in dict.fromkeys((*self.nodes, *self.names.values()))]

    def _member(self, key: ListKey, element: int) -> ListMember:
        link, name, content = key
        reached = self.literal(HeapAtom(HeapRelation(RelationKind.REACHES, link), (name, 0)), (element,))
        is_null = self.literal(HeapAtom(EQUAL, (0, self.arena.zero)), (element,))
        is_node = self.arena.and_(self.truth(reached), self.truth(-is_null))
        return is_node, (self.lengths[link](element), self.contents[content](element))


class NumberedPath:
    """A path with its numbers: a solver that has what its SAT solver has, and the meaning of comparisons."""

    def __init__(
        self, view: HeapView, query: PathQuery, factory: SolverFactory, known: Sequence[UniversalClause] | None = None
    ) -> None:
        self.arena = view.arena
        self.query, self.truth = query, query.execution.lengths.truth
        self.solver: Solver = factory(EFFORT)
        self._taken = 0
        self.given: dict[Term, CutClaim] | None = None
        """The claims about the source, once they are final."""
        nodes = () if known is None else (query.execution.universe.element(),)
        self._elements = list(query.execution.universe.elements)
        self.before = self._state_before()
        self._after = self._state_after(nodes)
        self._add_meanings(with_contents=known is not None)
        for switch in query.switches(known or ()):
            self.solver.add(self.truth(switch))

    def _state_before(self) -> _PathState:
        execution, query = self.query.execution, self.query
        lengths, contents = execution.lengths.before, execution.contents.before
        names = execution.before
        return _PathState(
            self.arena, names, lengths, lambda x: x, query.before_atom, self.truth, contents, self._elements
        )

    def _state_after(self, nodes: Sequence[int]) -> _PathState | None:
        """The state after the path; of the elements, some that may be any node stand for all."""
        after, query = self.query.after, self.query
        if after is None:
            return None
        scalar = after.scalars.__getitem__
        return _PathState(
            self.arena, after.names, after.lengths, scalar, query.after_atom, self.truth, after.contents, nodes
        )

    @property
    def after(self) -> _PathState:
        """The state after the path, which does not end in an error."""
        assert self._after is not None
        return self._after

    def _add_meanings(self, *, with_contents: bool) -> None:
        arena, execution, add = self.arena, self.query.execution, self.solver.add
        add(*execution.lengths.formulas(self._elements))
        if with_contents:
            add(*execution.contents.formulas(self._elements))
        for comparison, literal in execution.meanings.items():
            add(arena.iff(comparison, self.truth(literal)))
        for symbol, known in execution.inputs.items():
            if known is not None:
                add(arena.between(known.low, symbol, known.high))
        for relation, literal in execution.propositions.items():
            assert relation.scalar is not None
            assert relation.test is not None
            bound = arena.integer(relation.test.value)
            test = arena.equals if relation.test.is_equation else arena.le
            add(arena.iff(test(relation.scalar, bound), self.truth(literal)))

    def synchronise(self) -> None:
        """Take over the clauses that are new in the universe of the path: those of gates."""
        clauses = self.query.execution.universe.clauses
        if clauses is None:
            return
        new, self._taken = clauses[self._taken :], len(clauses)
        self.solver.add(*(self.arena.or_(*(self.truth(x) for x in clause)) for clause in new))

    def literals(self) -> Iterator[int]:
        """The literals that numbers may contradict."""
        execution = self.query.execution
        yield from (x for args, x in execution.universe.literals() if all(a in self._elements for a in args))
        yield from execution.meanings.values()


class NumberFacts:
    """The facts at all cuts."""

    def __init__(
        self,
        view: HeapView,
        frames: Frames,
        factory: SolverFactory,
        tick: Callable[[], None],
        known: Mapping[At, Sequence[UniversalClause]] | None = None,
    ) -> None:
        """The facts; with `known`, clauses that hold at cuts, they speak of all nodes of lists, too."""
        self._view, self._arena, self._tick = view, view.arena, tick
        pointers, queries = frames.pointers, (*frames.queries, *frames.errors)
        cuts, with_nodes = [at for at in view.cuts if at not in view.errors], known is not None
        self.cuts = {at: CutFacts(view, pointers, at, with_nodes=with_nodes) for at in cuts}
        self._paths = {
            query: NumberedPath(view, query, factory, None if known is None else known.get(query.source, ()))
            for query in queries
        }
        for bound in (SMALL, None):
            self._saturate(bound)

    def _saturate(self, bound: int | None) -> None:
        moving = [path for path in self._paths.values() if path.query.target is not None]
        work = dict.fromkeys(moving)
        while work:
            path = next(iter(work))
            del work[path]
            if self._follow(path, bound):
                work.update(dict.fromkeys(one for one in moving if one.query.source == path.query.target))

    def claims(self, at: At) -> list[CutClaim]:
        return [] if at == self._view.expansion.start else list(self.cuts[at].claims())

    def _source(self, path: NumberedPath) -> list[Term]:
        at = path.query.source
        return [self.cuts[at].term(one, path.before) for one in self.claims(at)]

    def _follow(self, path: NumberedPath, bound: int | None) -> bool:
        """Add the states that a path leads to; returns whether there are any outside of the facts."""
        query, arena = path.query, self._arena
        assert query.target is not None
        target, changed = self.cuts[query.target], False
        source = self._source(path)
        numbers = [path.after.value(one) for one in target.numbers]
        atoms = [path.after.atom(one) for one in target.atoms]
        members = {key: path.after.members(key) for key in target.lists}
        path.synchronise()
        with path.solver.scope():
            path.solver.add(*source)
            if bound is not None:
                path.solver.add(*self._small(path, bound))
            while True:
                self._tick()
                holds = arena.and_(*(target.term(one, path.after) for one in target.claims()))
                with path.solver.scope():
                    path.solver.add(arena.not_(holds))
                    answer = path.solver.check()
                if not isinstance(answer, Sat):
                    return changed
                changed, value = True, answer.model.value
                target.add(
                    StatePoint(
                        tuple(_numbers(map(value, numbers))),
                        tuple(bool(value(x)) for x in atoms),
                        {key: _nodes(value, found) for key, found in members.items()},
                    )
                )

    def _small(self, path: NumberedPath, bound: int) -> Iterator[Term]:
        arena, query = self._arena, path.query
        assert query.target is not None
        numbers = [path.after.value(one) for one in self.cuts[query.target].numbers]
        if query.source in self.cuts:
            numbers += [path.before.value(one) for one in self.cuts[query.source].numbers]
        for number in (*numbers, *query.execution.inputs):
            yield arena.between(-bound, number, bound)

    # What follows

    def _given(self, path: NumberedPath) -> dict[Term, CutClaim]:
        """The claims about the source of a path, by their formulas."""
        if path.given is None:
            at = path.query.source
            path.given = {self.cuts[at].term(one, path.before): one for one in self.claims(at)}
        return path.given

    def theories(self) -> list[NumberTheory]:
        """Have the solvers of all paths obey the claims about their sources."""
        found: list[NumberTheory] = []
        for path in self._paths.values():
            path.synchronise()
            path.query.execution.universe.clauses = None
            path.query.theory = NumberTheory(path, self._given(path))
            found.append(path.query.theory)
        return found

    def reasons(self, query: PathQuery) -> Needed | None:
        """The claims for which a path cannot be taken; None if it can."""
        found = self._reasons(self._paths[query], None)
        return None if found is None else {query.source: found}

    def _reasons(
        self, path: NumberedPath, goal: Term | None, preferred: Collection[CutClaim] = ()
    ) -> list[CutClaim] | None:
        """Claims about the source of a path that suffice for `goal` after it, or for it not to be taken.

        If `preferred` suffice, no others.
        """
        self._tick()
        terms = self._given(path)
        path.synchronise()
        with path.solver.scope():
            if goal is not None:
                path.solver.add(self._arena.not_(goal))
            if isinstance(path.solver.check([t for t, one in terms.items() if one in preferred]), Unsat):
                return list(preferred)
            answer = path.solver.check(list(terms))
            if not isinstance(answer, Unsat):
                return None
            core = minimal(answer.core, refuting(path.solver, self._tick))
        return [terms[one] for one in core]

    def claimed(self, needed: Iterable[Needed], state: StateTerms) -> dict[At, list[Term]]:
        """Formulas about a state at each cut that include `needed` and that every path keeps."""
        by_cut: dict[At, dict[CutClaim, None]] = {}
        work = [(at, claim) for one in needed for at, claims in one.items() for claim in claims]
        while work:
            at, claim = work.pop()
            if claim in by_cut.setdefault(at, {}):
                continue
            by_cut[at][claim] = None
            for path in self._paths.values():
                if path.query.target == at:
                    known = by_cut.get(path.query.source, {})
                    reasons = self._reasons(path, self.cuts[at].term(claim, path.after), known)
                    assert reasons is not None
                    work += [(path.query.source, one) for one in reasons]
        return {at: [self.cuts[at].term(one, state) for one in claims] for at, claims in by_cut.items()}


def _numbers(values: Iterable[object]) -> Iterator[int]:
    return (x for x in values if isinstance(x, int))


def _nodes(value: Callable[[Term], object], members: Iterable[ListMember]) -> list[tuple[int, int]]:
    """The lengths and contents of those elements that are nodes of a list in a model."""
    found = [tuple(_numbers(map(value, node))) for is_node, node in members if value(is_node)]
    return [(length, content) for length, content in found]


class NumberTheory:
    """The theory that denies what numbers exclude among the models of the SAT solver of a path.

    Implements `methods.engines.pdr.query.Theory`.
    """

    def __init__(self, path: NumberedPath, claims: Mapping[Term, CutClaim]) -> None:
        self.source = path.query.source
        self.used: dict[CutClaim, None] = {}
        """The claims that were needed."""
        self._solver, self._claims = path.solver, claims
        self._literals = {abs(x): (path.truth(abs(x)), path.truth(-abs(x))) for x in path.literals()}
        self._allowed: set[frozenset[int]] = set()

    def conflict(self, value: Callable[[int], bool]) -> list[int] | None:
        model = frozenset(x if value(x) else -x for x in self._literals)
        if model in self._allowed:
            return None
        terms = {self._literals[abs(x)][x < 0]: x for x in sorted(model, key=abs)}
        try:
            answer = self._solver.check([*self._claims, *terms])
        except SolverUndecided:
            return None
        if isinstance(answer, Sat):
            self._allowed.add(model)
            return None
        self.used.update((self._claims[one], None) for one in answer.core if one in self._claims)
        return [-terms[one] for one in answer.core if one in terms]
