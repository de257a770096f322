"""Seed predicates: comparisons of one place with a constant, carried along copies of the place.

Heuristic. State machines compare with constants what other places hand them, so `s = c` also matters for `t` where the
program copies `t` to `s`. A place is a variable, or an element of an array whose index is made of places that are
assigned at most once, such as `p->state` for a parameter `p`: an element that a loop picks is another one each time.

A variable of a guard that is assigned a constant once has that value ever after: so guards such as `i < n` are bounds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator

from core.parameters import parameter
from core.program import Assume, Program
from core.program.expansion import Expansion
from core.terms import INT, Op, Term, Treatment, atoms, lift_choices, subterms
from methods.discovery.variable_order import variable_order

OTHER_OPERATORS = Treatment.OPAQUE

MAX_SEEDS = parameter("discovery.seeds.max-seeds")


def seed_predicates(expansion: Expansion) -> list[Term]:
    """Atoms `x ⋈ c` of guards, closed under copying, and constants; related places together; at most `MAX_SEEDS`."""
    program = expansion.program
    places = _Places(program)
    copies = _copies(program, places)
    seeds: dict[Term, None] = {}
    for edge in program.edges:
        if isinstance(edge.operation, Assume):
            for atom in atoms(lift_choices(program.arena, edge.operation.condition)):
                if _place(atom) in places:
                    seeds.update(dict.fromkeys(_closed(atom, copies, program)))
        if len(seeds) > MAX_SEEDS:
            break
    seeds.update(dict.fromkeys(_constants(program)))
    order = variable_order(expansion)
    return sorted(list(seeds)[:MAX_SEEDS], key=lambda atom: order.get(_owner(_place(atom)), len(order)))


def _constants(program: Program) -> Iterator[Term]:
    """The equations `x = c` for integer variables of guards that are assigned c, once, and nothing else."""
    guards = [edge.operation.condition for edge in program.edges if isinstance(edge.operation, Assume)]
    asked = frozenset[Term]().union(*(guard.symbols() for guard in guards))
    times = Counter(x for x, _ in program.assignments())
    for x, value in program.assignments():
        if x in asked and times[x] == 1 and x.sort is INT and value.is_constant:
            yield program.arena.equals(x, value)


class _Places(Container[Term]):
    """The terms that are places."""

    def __init__(self, program: Program) -> None:
        self._variables = program.variables
        assigned = Counter(x for x, _ in program.assignments())
        self._changing = {x for x, times in assigned.items() if times > 1}

    def __contains__(self, t: object) -> bool:
        if not isinstance(t, Term):
            return False
        return t in self._variables or (t.is_select and self._is_element(t))

    def _is_element(self, t: Term) -> bool:
        array, index = t.args
        if not array.is_symbol or array not in self._variables:
            return False
        simple = all(u.op in (Op.SYMBOL, Op.CONSTANT, Op.LINEAR, Op.SELECT) for u in subterms(index))
        fixed = (u for u in index.symbols() if u.sort is INT)
        return simple and all(u in self._variables and u not in self._changing for u in fixed)


def _place(atom: Term) -> Term:
    """The term that an atom compares with a constant."""
    return atom.args[0] if atom.is_comparison else atom


def _owner(place: Term) -> Term:
    """The variable that a place is, or is an element of."""
    return place.args[0] if place.is_select else place


def _copies(program: Program, places: _Places) -> dict[Term, list[Term]]:
    """The places that are copied to each place."""
    copies: dict[Term, dict[Term, None]] = {}
    for target, value in _written(program):
        if target in places and value in places and target.sort is INT:
            copies.setdefault(target, {})[value] = None
    return {target: list(sources) for target, sources in copies.items()}


def _written(program: Program) -> Iterator[tuple[Term, Term]]:
    """The variables and elements that the program writes, with their new values."""
    for target, value in program.assignments():
        if not value.is_store:
            yield target, value
        while value.is_store:
            array, index, element = value.args
            yield program.arena.select(target, index), element
            value = array


def _closed(atom: Term, copies: dict[Term, list[Term]], program: Program) -> Iterator[Term]:
    place = _place(atom)
    reached = {place: None}
    work = [place]
    while work:
        x = work.pop()
        yield _comparing(program, atom, x)
        for source in copies.get(x, []):
            if source not in reached:
                reached[source] = None
                work.append(source)


def _comparing(program: Program, atom: Term, place: Term) -> Term:
    """The same comparison of another place."""
    compare = {Op.LE: program.arena.le, Op.EQ: program.arena.equals}.get(atom.op)
    return place if compare is None else compare(place, program.arena.integer(atom.value))
