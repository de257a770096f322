"""Scalar replacement: elements of arrays that are reached at constant indices alone are variables for the engines.

A program that passes `&r` around keeps `r` in an array of memory, at an address that does not change. Interval analysis
(P. Cousot and R. Cousot, 1976, as `core.analysis.intervals` has it) knows the address wherever it is used, so that
what is there can be a variable of its own, as after "scalar replacement of aggregates" in compilers (S. Muchnick,
"Advanced compiler design and implementation", 1997, section 12.2). Pointers in memory become variables, too: the next
round knows where these lead.

Nothing here is trusted. The view has the locations, the edges and the inputs of the program, so that a path of one is a
path of both. A certificate gets the element for each variable and the bounds on which its index rests, and is checked
against the program.

Deviation: an array of which other elements are reached at indices that vary keeps all its elements, and variables
repeat some; otherwise no contract could say that a call changes nothing but them.

Limitations: an array that is copied whole, passed by value, or chosen among several, stays as it is. One context per
function: where calls pass different addresses, nothing between these is replaced.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from core.analysis.bound_pairs import BoundPair
from core.analysis.intervals import IntervalAnalysis, IntervalState, Simplified, dependencies
from core.dataclass import dataclass
from core.parameters import parameter
from core.program import Assign, Assume, Call, Edge, Operation, Program
from core.program.automaton import terms_of
from core.program.expansion import At
from core.program.modular import ModularView
from core.terms import INT, Arena, ArraySort, Substitution, Term, rebuild, subterms

_ROUNDS = parameter("analysis.scalars.rounds")
_MAX = parameter("analysis.scalars.max")

_Variables = Mapping[Term, Mapping[int, Term]]
"""For each array the variables of its indices."""


@dataclass(frozen=True)
class ScalarView:
    """A program with variables in place of elements, and the way back to the program that it was made of.

    `elements` has for each new variable the element for which it stands; `rounds` the bounds on which their indices
    rest.
    """

    program: Program
    elements: Mapping[Term, Term]
    rounds: tuple[Simplified, ...] = ()

    def replaced(self, formula: Term) -> Term:
        """A formula over the program as one over the view; at an index that varies, a choice among the variables."""
        arena, memo = self.program.arena, dict[Term, Term]()
        for t in subterms(formula) if self.elements else ():
            args = tuple(memo[a] for a in t.args)
            memo[t] = self._chosen(*args) if t.is_select else rebuild(arena, t, args)
        return memo.get(formula, formula)

    def _chosen(self, array: Term, index: Term) -> Term:
        arena, found = self.program.arena, self.program.arena.select(array, index)
        is_gone = arena.original(array) not in self.program.variables
        for x, (replaced, number) in ((x, element.args) for x, element in self.elements.items()):
            if replaced is arena.original(array) and (is_gone or number is index):
                found = arena.ite(arena.equals(index, number), _copied(arena, x, array), found)
        return found

    def original(self, term: Term) -> Term:
        """A term over the view, over copies of its variables in frames and snapshots, as one over the program."""
        arena, found = self.program.arena, dict[Term, Term]()
        for x in term.symbols():
            element = self.elements.get(arena.original(x))
            if element is not None:
                found[x] = arena.select(_copied(arena, element.args[0], x), element.args[1])
        return Substitution(arena, found)(term) if found else term

    def bounds(self, view: ModularView, at: At) -> Term:
        """The bounds of indices at a location, over the program."""
        return self.program.arena.and_(*(self.original(one.bounds_at(view, at)) for one in self.rounds))


def scalar_view(program: Program) -> ScalarView:
    """The view of a program in which all elements that can be are variables."""
    view = ScalarView(program, {})
    for _ in range(_ROUNDS):
        replacement = _Replacement(view)
        simplified = replacement.simplified() if replacement.variables else None
        if simplified is None:
            break
        elements = {**view.elements, **dict(replacement.elements())}
        view = ScalarView(simplified.program, elements, (*view.rounds, simplified))
        if not any(view.program.variables[x].c_type.is_pointer for x, _ in replacement.elements()):
            break
    return view


class _Replacement:
    """One round: the analysis, the choice of elements, and the program over `variables`.

    Of the arrays in `_kept`, other elements are reached, too.
    """

    def __init__(self, view: ScalarView) -> None:
        self._program = program = view.program
        self._arena = arena = program.arena
        self._analysis = IntervalAnalysis(program)
        candidates = _candidates(program)
        self._states = self._analysis.run() if candidates else {}
        self.variables: dict[Term, dict[int, Term]] = {}
        self._kept: set[Term] = set()
        self._used: set[Term] = set()
        known = set(view.elements.values())
        for array, reached in self._reached(candidates).items():
            chosen = _apart(reached)
            if len(chosen) < len(reached):
                self._kept.add(array)
            elements = {arena.select(array, arena.integer(i)): i for i in chosen}
            new = {i: arena.fresh(f"{array.name}[{i}]", INT) for one, i in elements.items() if one not in known}
            if new:
                self.variables[array] = new

    def _reached(self, candidates: Collection[Term]) -> dict[Term, set[BoundPair]]:
        """The bounds of the indices at which each of the candidates is read or written."""
        found: dict[Term, set[BoundPair]] = {}
        for edge in self._program.edges:
            state, values = self._states.get(edge.source), dict[Term, BoundPair]()
            if state is None:
                continue
            for array, index in _accesses(edge):
                if array in candidates:
                    found.setdefault(array, set()).add(self._analysis.value(index, state, values))
        return found

    def elements(self) -> Iterator[tuple[Term, Term]]:
        """The new variables with the elements for which they stand."""
        for array, indices in self.variables.items():
            for index, x in indices.items():
                yield x, self._arena.select(array, self._arena.integer(index))

    def simplified(self) -> Simplified | None:
        """The program over the variables, with the bounds on which it rests; None if an edge would lose an input."""
        edges: list[Edge] = []
        for edge in self._program.edges:
            state = self._states.get(edge.source)
            if state is None or self._analysis.refutes(state, edge.operation):
                # What follows is left out of the bounds, so they rest on what refutes the guard.
                self._used |= _symbols(edge) if state is not None else frozenset()
                edges.append(replace(edge, operation=_impossible(self._arena, edge.operation)))
                continue
            edges.append(replace(edge, operation=self._operation(edge.operation, state)))
            if not (_symbols(edges[-1]) ^ _symbols(edge)).isdisjoint(self._program.inputs):
                return None  # a path names all inputs that it consumes
        return Simplified(self._declared(edges), self._program, self._states, dependencies(self._program, self._used))

    def _declared(self, edges: Iterable[Edge]) -> Program:
        """The program with these edges, the new variables, and without arrays that nothing reads any more."""
        old, gone = self._program, self.variables.keys() - self._kept
        variables = {x: known for x, known in old.variables.items() if x not in gone}
        for array, indices in self.variables.items():
            for x in indices.values():
                whole = old.variables[array]
                variables[x] = replace(whole, symbol=x, name=x.name, c_type=whole.c_type.of_element, extent=None)
        functions = {}
        for name, function in old.functions.items():
            kept = [x for x in function.locals if x not in gone]
            new = [x for array in function.locals for x in self.variables.get(array, {}).values()]
            functions[name] = replace(function, locals=(*kept, *new))
        return replace(old, edges=tuple(edges), variables=variables, functions=functions, memory=None)

    def _operation(self, operation: Operation, state: IntervalState) -> Operation:
        terms = _Terms(self._arena, self._analysis, state, self.variables, self._used)
        match operation:
            case Assume(condition):
                return Assume(terms.over_variables(condition))
            case Call(function, arguments):
                return Call(function, tuple(map(terms.over_variables, arguments)))
            case Assign(updates):
                return Assign(tuple(one for x, value in updates for one in self._update(terms, x, value)))

    def _update(self, terms: _Terms, x: Term, value: Term) -> Iterator[tuple[Term, Term]]:
        """The assignments in place of that of `value` to `x`."""
        variables = self.variables.get(x)
        if variables is None:
            yield x, terms.over_variables(value)
            return
        base, stores = _taken_apart(value)
        written: dict[int, Term] = {}
        whole = base
        for index, element in stores:
            index, element = terms.index(index), terms.over_variables(element)
            whole = self._arena.store(whole, index, element)
            if index.is_constant:
                written[index.value] = element
        for number, variable in variables.items():
            if number in written or base is not x:
                yield variable, written.get(number) or self._arena.select(base, self._arena.integer(number))
        if x in self._kept:
            yield x, whole


class _Terms:
    """The terms of one edge with variables in place of elements. `used` collects the symbols of indices."""

    def __init__(
        self, arena: Arena, analysis: IntervalAnalysis, state: IntervalState, variables: _Variables, used: set[Term]
    ) -> None:
        self._arena, self._analysis, self._state = arena, analysis, state
        self._variables, self._used = variables, used
        self._values: dict[Term, BoundPair] = {}
        self._memo: dict[Term, Term] = {}

    def over_variables(self, root: Term) -> Term:
        memo = self._memo
        for t in subterms(root):
            if t in memo:
                continue
            if t.is_select and t.args[0] in self._variables:
                index = self.index(t.args[1])
                known = self._variables[t.args[0]].get(index.value) if index.is_constant else None
                memo[t] = known or self._arena.select(t.args[0], index)
            else:
                memo[t] = rebuild(self._arena, t, tuple(memo[a] for a in t.args))
        return memo[root]

    def index(self, index: Term) -> Term:
        """An index of an array that has variables: a number where its bounds meet."""
        if index.is_constant:
            return index
        self._used |= index.symbols()
        low, high = self._analysis.value(index, self._state, self._values)
        return self._arena.integer(low) if low is not None and low == high else self.over_variables(index)


def _copied(arena: Arena, x: Term, like: Term) -> Term:
    """The copy of `x` in the frame, or the snapshot, from which `like` is."""
    suffix = like.name.removeprefix(arena.original(like).name)
    return arena.copy(x, f"{x.name}{suffix}") if suffix else x


def _candidates(program: Program) -> frozenset[Term]:
    """The arrays of numbers that are read and written by element, and hold no array as a whole but inputs."""
    candidates = {x for x in program.variables if isinstance(x.sort, ArraySort) and x.sort.element is INT}
    for function in program.functions.values():
        candidates.difference_update(function.parameters)  # a call gives it a value as a whole
    for edge in program.edges if candidates else ():
        terms = terms_of(edge)
        if isinstance(edge.operation, Assign):
            for x, value in edge.operation.updates:
                if isinstance(value.sort, ArraySort):
                    base, stores = _taken_apart(value)
                    terms += tuple(t for store in stores for t in store)
                    if base.is_choice or (base is not x and base in program.variables):
                        candidates -= base.symbols() | {x}
        for t in subterms(*(t for t in terms if not isinstance(t.sort, ArraySort))):
            if t.is_quantified or (isinstance(t.sort, ArraySort) and not t.is_symbol):
                candidates -= t.symbols()
        if isinstance(edge.operation, Call):
            candidates.difference_update(t for t in terms if t in candidates)
    return frozenset(candidates)


def _accesses(edge: Edge) -> Iterator[tuple[Term, Term]]:
    """Arrays with indices at which the terms of an edge read, or it writes, them."""
    for t in subterms(*terms_of(edge)):
        if t.is_select:
            yield t.args[0], t.args[1]
    if isinstance(edge.operation, Assign):
        for x, value in edge.operation.updates:
            if isinstance(value.sort, ArraySort):
                for index, _ in _taken_apart(value)[1]:
                    yield x, index


def _taken_apart(array: Term) -> tuple[Term, list[tuple[Term, Term]]]:
    """The array on which stores are based, and the stores, the first one first."""
    stores: list[tuple[Term, Term]] = []
    while array.is_store:
        array, index, value = array.args
        stores.append((index, value))
    return array, stores[::-1]


def _apart(reached: Collection[BoundPair]) -> list[int]:
    """The constant ones among indices that none of the others can be; none if they are many."""
    varying = [(low, high) for low, high in reached if low is None or low != high]
    found = [
        number
        for number, high in reached
        if number is not None
        and number == high
        and not any((a is None or a <= number) and (b is None or number <= b) for a, b in varying)
    ]
    return sorted(found) if len(found) <= _MAX else []


def _symbols(edge: Edge) -> frozenset[Term]:
    return frozenset[Term]().union(*(t.symbols() for t in terms_of(edge)))


def _impossible(arena: Arena, operation: Operation) -> Operation:
    """An operation in place of one that no execution reaches."""
    if isinstance(operation, Call):  # what is called stays what it is
        return Call(operation.function, tuple(arena.zero for _ in operation.arguments))
    return Assume(arena.false)
