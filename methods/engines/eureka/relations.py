"""The sums that a refuted trace compares: what its guards say of places, and what that was before assignments.

S. Sankaranarayanan, H. Sipma, Z. Manna, "Scalable analysis of linear systems using mathematical programming", VMCAI
2005: templates come from the program. Here a trace gives them that no zone over the tracked places refutes: the linear
forms of its guards, and their weakest preconditions along the trace; and so do the equations of the states that led
there (M. Karr, "Affine relationships among variables of a program", 1976; here modulo a power of two). What a form says
behind a call, the summary of the callee has to say of its parameters instead of the arguments. What holds of elements
of arrays may hold of others at the same distances, too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from math import gcd

from core.parameters import parameter
from core.program import Program
from core.program.expansion import Expansion, Step
from core.program.semantics import Transition
from core.terms import INT, Arena, Op, Term, Treatment, subterms
from methods.domains.zones import LinearState, TrackedPlaces, cell
from methods.domains.zones.linear import SMALLEST_MODULUS
from methods.engines.eureka.decision import Evaluated, NotConcrete, Statements, TraceEvaluation

OTHER_OPERATORS = Treatment.OPAQUE

_MOST_FORMS = parameter("eureka.relations.most-forms")
_MOST_PARTS = parameter("eureka.relations.most-parts")
_MOST_SUMS = parameter("eureka.relations.most-sums")
_MOST_CHOICES = parameter("eureka.relations.most-choices")

_Form = Mapping[Term, int]  # places with their coefficients; the constant does not matter
_Key = frozenset[tuple[Term, int]]


def related(
    precision: TrackedPlaces,
    expansion: Expansion,
    steps: Sequence[Step],
    statements: Statements,
    contracted: Collection[str],
    states: Iterable[LinearState],
) -> TrackedPlaces | None:
    """The precision with sums that a trace compares, or that are equal to 0 in states; None if it tracks them all."""
    program = expansion.program
    values = sorted({k for indices in precision.cells.values() for k in indices})
    traces = _linear(expansion, steps, statements, values)
    compared = (form for trace in traces for form in _Comparisons(expansion, contracted).of(trace))
    forms = (*compared, *_equations(states))
    sums = dict.fromkeys(sum_ for form in forms if (sum_ := _sum(program, form)) is not None)
    every = dict.fromkeys(moved for sum_ in sums for moved in _moved(program, sum_))
    new = [sum_ for sum_ in every if not precision.tracks(sum_)][: _MOST_SUMS - len(precision.sums)]
    return precision.with_places(new) if new else None


def _equations(states: Iterable[LinearState]) -> Iterator[_Form]:
    for state in states:
        for equation in state.further():
            yield {x: c for x, c in equation.items() if x is not None}


class _Comparisons:
    """The forms that a trace compares, found backwards."""

    def __init__(self, expansion: Expansion, contracted: Collection[str]) -> None:
        self._expansion = expansion
        self._arena = expansion.arena
        self._contracted = contracted
        self._forms: dict[_Key, None] = {}  # at the moment
        self._found: dict[_Key, None] = {}
        self._inside: list[list[_Key]] = []  # of each call that has not been entered yet, going backwards

    def of(self, trace: _Trace) -> Iterator[_Form]:
        for step, parts in reversed(trace):
            if len(step.target.stack) < len(step.source.stack):
                self._inside.append([])
            for guards, updates in reversed(parts):
                self._before(guards, updates)
            if len(step.target.stack) > len(step.source.stack):
                self._entered(step, parts[-1][1])
        return map(dict, self._found)

    def _before(self, guards: Sequence[_Form], updates: Mapping[Term, _Form | None]) -> None:
        before = (_substituted(dict(form), updates) for form in self._forms)
        self._forms = dict.fromkeys([_key(form) for form in (*guards, *before) if form][:_MOST_FORMS])
        self._found.update(self._forms)
        for inside in self._inside[-1:]:
            inside += self._forms

    def _entered(self, step: Step, arguments: Mapping[Term, _Form | None]) -> None:
        """Take what was found in a callee, about its parameters where it speaks of arguments."""
        inside = self._inside.pop() if self._inside else []
        name = self._expansion.function(step.target)
        if name not in self._contracted:
            return
        function, program = self._expansion.program.functions[name], self._expansion.program
        frame = self._expansion.in_frame(step.target)
        visible = {*map(frame, (*function.parameters, *function.locals)), *program.globals()}
        inverse: dict[Term, _Form | None] = {}
        for x, value in arguments.items():
            [(y, c)] = value.items() if value and len(value) == 1 else [(x, 0)]
            if c in (1, -1):
                inverse.setdefault(y, {x: c})
        for key in dict.fromkeys(inside):
            form = _substituted(dict(key), {y: value for y, value in inverse.items() if y not in visible})
            if form and all(x in visible or (x.is_select and x.args[0] in visible) for x in form):
                self._found[_key(form)] = None


_Linear = tuple[Sequence[_Form], Mapping[Term, _Form | None]]  # the forms of a guard, and the new values of places
_Trace = Sequence[tuple[Step, Sequence[_Linear]]]


def _linear(
    expansion: Expansion, steps: Sequence[Step], statements: Statements, values: Sequence[int]
) -> Iterator[_Trace]:
    """A trace as a linear one, for each choice of `values` for the inputs that indices are made of."""
    waiting: list[Mapping[Term, int]] = [{}]
    for _ in range(_MOST_CHOICES):
        if not waiting:
            return
        fixed = waiting.pop(0)
        linear = _LinearTrace(expansion, fixed)
        trace = [(step, [linear.statement(part) for part in statements(step)]) for step in steps]
        if linear.unknown is None or not values:
            yield trace
        else:
            waiting += ({**fixed, linear.unknown: value} for value in values)


class _LinearTrace:
    """The statements of a trace as linear ones: with the numbers that indices have, and the branches that are taken.

    `unknown` is an input of which the first index that is no number is made, if there is one.
    """

    def __init__(self, expansion: Expansion, fixed: Mapping[Term, int]) -> None:
        self._expansion = expansion
        self._arena = expansion.arena
        self._evaluation: TraceEvaluation | None = TraceEvaluation(expansion, fixed)
        self._values: Mapping[Term, Term] = {}
        self.unknown: Term | None = None

    def statement(self, statement: Transition) -> _Linear:
        self._values = {}
        if self._evaluation is not None:
            try:
                values = self._evaluation.step([statement])
                self._values = {t: found.term for t, found in values.items() if isinstance(found, Evaluated)}
            except NotConcrete as reason:
                self._evaluation = None  # from here on, indices are not known
                symbols = frozenset[Term]() if reason.index is None else reason.index.symbols()
                inputs = {self._arena.original(x) for x in symbols}
                self.unknown = min(filter(self._expansion.is_input, inputs), key=lambda x: x.id, default=None)
        atoms = (t for t in subterms(statement.guard) if t.op in (Op.LE, Op.EQ))
        guards = [form for atom in atoms if (form := self._form(atom.args[0]))]
        updates: dict[Term, _Form | None] = {}
        for x, value in statement.updates.items():
            if x.sort is INT:
                updates[x] = self._form(value)
            else:
                updates.update(self._written(x, value))
        return guards, updates

    def _written(self, array: Term, value: Term) -> Iterator[tuple[Term, _Form | None]]:
        """The new values of elements; of the whole array, if it is not known which they are."""
        while value.is_store:
            k = self._number(value.args[1])
            if k is None:
                break
            yield cell(self._arena, array, k), self._form(value.args[2])
            value = value.args[0]
        if value is not array:
            yield array, None

    def _number(self, t: Term) -> int | None:
        value = t if t.is_constant else self._values.get(t)
        return value.value if value is not None and value.is_constant else None

    def _form(self, t: Term) -> _Form | None:
        match t.op:
            case Op.CONSTANT:
                return {}
            case Op.SYMBOL if t.sort is INT and not self._expansion.is_input(t):
                return {t: 1}
            case Op.SELECT if t.args[0].is_symbol and t.sort is INT:
                k = self._number(t.args[1])
                return None if k is None else {cell(self._arena, t.args[0], k): 1}
            case Op.LINEAR:
                result: _Form = {}
                for c, argument in zip(t.coefficients, t.args, strict=True):
                    part = self._form(argument)
                    if part is None:
                        return None
                    result = _plus(result, c, part)
                return result
            case Op.MODULO if t.args[1].is_constant and t.args[1].value >= SMALLEST_MODULUS:
                return self._form(t.args[0])  # a number that wraps around
            case Op.ITE if t.sort is INT:
                condition = self._values.get(t.args[0])
                if condition is not None and condition.is_constant:
                    return self._form(t.args[1] if condition.is_true else t.args[2])
                a, b = self._form(t.args[1]), self._form(t.args[2])
                return a if a == b else None
        return None


def _substituted(form: _Form, updates: Mapping[Term, _Form | None]) -> _Form | None:
    """A form with values in place of places; None if one of them is no form."""
    result: _Form = {}
    for x, c in form.items():
        value = updates.get(x, {x: 1}) if x.is_symbol or x.args[0] not in updates else None
        if value is None:
            return None
        result = _plus(result, c, value)
    return result


def _plus(a: _Form, factor: int, b: _Form) -> _Form:
    result = dict(a)
    for x, c in b.items():
        result[x] = result.get(x, 0) + factor * c
    return {x: c for x, c in result.items() if c}


def _key(form: _Form) -> _Key:
    return frozenset(form.items())


def _sum(program: Program, form: _Form) -> Term | None:
    """The sum of variables of the program that a form is, with the smallest coefficients; None if a zone has it."""
    arena = program.arena
    parts = {_original(arena, x): c for x, c in sorted(form.items(), key=lambda part: part[0].id)}
    known = all(_is_place(program, x) for x in parts)
    if not known or len(parts) != len(form) or not 2 <= len(parts) <= _MOST_PARTS or sorted(parts.values()) == [-1, 1]:
        return None
    divisor = gcd(*parts.values())
    if sorted(c // divisor for c in parts.values()) == [-1, 1]:
        return None
    ordered = sorted(parts.items(), key=lambda part: part[0].id)
    sign = 1 if ordered[0][1] > 0 else -1
    return arena.linear([(sign * c // divisor, x) for x, c in ordered])


def _is_place(program: Program, place: Term) -> bool:
    """Whether a place is a variable, or an element that an array has."""
    if place.is_symbol:
        return place in program.variables
    array, index = place.args
    extent = program.variables[array].extent if array in program.variables else 0
    return extent is None or 0 <= index.value < extent


def _original(arena: Arena, place: Term) -> Term:
    return arena.original(place) if place.is_symbol else arena.select(arena.original(place.args[0]), place.args[1])


def _moved(program: Program, sum_: Term) -> Iterator[Term]:
    """A sum, and those of elements of the same arrays at the same distances."""
    arena = program.arena
    yield sum_
    places = [x for x in sum_.args if x.is_select]
    extents = [program.variables[x.args[0]].extent or 0 for x in places]
    least = min((x.args[1].value for x in places), default=0)
    most = min((n - x.args[1].value for x, n in zip(places, extents, strict=True)), default=0)
    for distance in range(-least, most):
        parts = [
            (c, cell(arena, x.args[0], x.args[1].value + distance) if x.is_select else x)
            for c, x in zip(sum_.coefficients, sum_.args, strict=True)
        ]
        yield arena.linear(parts)
