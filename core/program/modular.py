"""Programs function by function: the view in which calls of some functions are steps, however deep these recurse.

A *contracted* function is walked through once, on its own. Its locations have an empty stack, as those of the start
function have; calls of all other functions are expanded as ever. What a contracted function does is told by its
*summary*, a relation between the state when it is entered and the state when it returns. C. A. R. Hoare, "Procedures
and parameters: an axiomatic approach", 1971; proofs by induction over the depth of the recursion.

`ModularView.entry(f)` is a location of its own: the moment of the call. From there the first step takes a *snapshot*, a
copy of each parameter and of each global that the function may change; nothing changes snapshots afterwards. A call of
a contracted function is two steps: `Enter` leads to its entry, `Summary` across the call to where it returns. Globals
that the callee, or what it calls, may change have arbitrary values after a summary step, private to it like inputs.
Locals of the caller, and globals that nothing there assigns, are as they were.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from core.dataclass import dataclass
from core.program.automaton import Assign, Call, Check, Edge, Program, Range, terms_of
from core.program.expansion import At, Expansion, Step
from core.program.exploration_order import weak_topological_order
from core.program.loops import on_cycles
from core.program.semantics import Transition
from core.terms import Substitution, Term

_CALLED = -1  # marks, as the only element of a stack, the entry of a contracted function: no edge has this id


@dataclass(frozen=True, eq=False, slots=True)
class Enter(Step):
    """The first half of a call: the parameters have their values, and the callee begins."""


@dataclass(frozen=True, eq=False, slots=True)
class Summary(Step):
    """A whole call. `instance` maps what a summary of `callee` speaks about to terms over the state before the step:

    snapshots to what they are copies of, and globals that the callee may change to their new values.
    """

    callee: str
    instance: Substitution


class ModularView:
    """A view of `expansion` in which the functions `contracted` are not expanded."""

    def __init__(self, expansion: Expansion, contracted: Collection[str]) -> None:
        self.expansion = expansion
        self.program = expansion.program
        self.arena = expansion.arena
        self.contracted = tuple(name for name in self.program.functions if name in contracted)
        self.globals = self.program.globals()
        self.changed = changed_globals(self.program)
        self._snapshots: dict[Term, Term] = {}  # a variable -> its snapshot
        self._origins: dict[Term, Term] = {}  # a snapshot, or the value of a global after a call -> the variable
        self._returned: dict[Term, Term] = {}  # a global -> its value after a call
        for x in self.program.variables:
            self._snapshots[x] = self._copy(x, "entry")
            self._returned[x] = self._copy(x, "return")
        self._entries = {self.entry(name): name for name in self.contracted}
        self._steps: dict[At, tuple[Step, ...]] = {}

    def add_global(self, x: Term, changed_by: Collection[str]) -> None:
        """Add a variable that the program does not have: a global that calls of some functions may change."""
        self.globals = (*self.globals, x)
        self.changed = {
            name: changed | {x} if name in changed_by else changed for name, changed in self.changed.items()
        }
        self._snapshots[x], self._returned[x] = self._copy(x, "entry"), self._copy(x, "return")

    def _copy(self, x: Term, moment: str) -> Term:
        copy = self.arena.copy(x, f"{x.name}@{moment}")
        self._origins[copy] = x
        return copy

    # Places

    @property
    def start(self) -> At:
        name = self.program.start
        return self.entry(name) if name in self.contracted else self.expansion.start

    def entry(self, function: str) -> At:
        """The location to which calls of a contracted function lead."""
        return At((_CALLED,), self.program.functions[function].entry)

    def exit(self, function: str) -> At:
        """The location at which a contracted function returns."""
        return At((), self.program.functions[function].exit)

    def entered(self, at: At) -> str | None:
        """The function of which `at` is the entry, if it is one."""
        return self._entries.get(at)

    def root(self, at: At) -> str:
        """The contracted function, or the start function, inside which `at` is."""
        location = self.program.edges[at.stack[0]].source if at.stack and at not in self._entries else at.location
        return self.program.locations[location].function

    def check(self, at: At) -> Check | None:
        return None if at in self._entries else self.expansion.check(at)

    def is_loop_head(self, at: At) -> bool:
        return at not in self._entries and self.expansion.is_loop_head(at)

    # Symbols

    def range_of(self, symbol: Term) -> Range | None:
        return self.expansion.range_of(self._origins.get(symbol, symbol))

    def is_input(self, symbol: Term) -> bool:
        """Whether each execution of a step has a value of its own for the symbol."""
        origin = self._origins.get(symbol)
        return self.expansion.is_input(symbol) if origin is None else symbol is self._returned[origin]

    def snapshot(self, x: Term) -> Term:
        """The value of a variable when the current activation of a contracted function was entered."""
        return self._snapshots[x]

    def snapshots_of(self, function: str) -> tuple[Term, ...]:
        """The variables that are copied when a contracted function is entered: parameters, then globals."""
        changed = self.changed[function]
        return (*self.program.functions[function].parameters, *(x for x in self.globals if x in changed))

    # Steps

    def steps(self, at: At) -> tuple[Step, ...]:
        """The steps that leave `at`."""
        found = self._steps.get(at)
        if found is None:
            found = self._steps[at] = tuple(self._expand(at))
        return found

    def _expand(self, at: At) -> Iterator[Step]:
        name = self._entries.get(at)
        if name is not None:
            updates = {self._snapshots[x]: x for x in self.snapshots_of(name)}
            yield Step(at, At((), at.location), (), Transition(self.arena, self.arena.true, updates))
            return
        for step in self.expansion.steps(at):
            call = step.edges[0].operation
            if isinstance(call, Call) and len(step.target.stack) > len(at.stack) and call.function in self.contracted:
                yield from self._called(at, step.edges[0], call)
            else:
                yield step

    def _called(self, at: At, edge: Edge, call: Call) -> Iterator[Step]:
        rename = self.expansion.in_frame(at)
        arguments = [rename(a) for a in call.arguments]
        parameters = self.program.functions[call.function].parameters
        passed = dict(zip(parameters, arguments, strict=True))
        transition = Transition(self.arena, self.arena.true, {p: a for p, a in passed.items() if p is not a})
        yield Enter(at, self.entry(call.function), (edge,), transition)
        returned = {x: self._returned[x] for x in self.globals if x in self.changed[call.function]}
        before = {self._snapshots[x]: passed.get(x, x) for x in self.snapshots_of(call.function)}
        effect = Transition(self.arena, self.arena.true, returned)
        instance = Substitution(self.arena, {**before, **returned})
        yield Summary(at, At(at.stack, edge.target), (edge,), effect, call.function, instance)


def changed_globals(program: Program) -> Mapping[str, frozenset[Term]]:
    """The globals that each function, or what it calls at any depth, may assign."""
    return _globals_of(program, _assigned)


def touched_globals(program: Program) -> Mapping[str, frozenset[Term]]:
    """The globals that each function, or what it calls at any depth, may read or assign."""
    return _globals_of(program, mentioned)


def _globals_of(program: Program, of_edge: Callable[[Edge], Iterable[Term]]) -> Mapping[str, frozenset[Term]]:
    """The globals that `of_edge` finds in the edges of each function, or of what it calls at any depth."""
    globals_ = frozenset(program.globals())
    globals_of: dict[str, set[Term]] = {name: set() for name in program.functions}
    for edge in program.edges:
        globals_of[program.locations[edge.source].function].update(x for x in of_edge(edge) if x in globals_)
    callers = _callers(program)
    work = list(globals_of)
    while work:
        callee = work.pop()
        for caller in callers[callee]:
            if not globals_of[callee] <= globals_of[caller]:
                globals_of[caller] |= globals_of[callee]
                work.append(caller)
    return {name: frozenset(variables) for name, variables in globals_of.items()}


def recursive_functions(program: Program) -> frozenset[str]:
    """The functions that may be active more than once at a time."""
    names = list(program.functions)
    numbers = {name: number for number, name in enumerate(names)}
    callers = [[numbers[caller] for caller in found] for found in _callers(program).values()]
    return frozenset(names[number] for number in on_cycles(range(len(names)), callers.__getitem__))


def callers_of(program: Program, name: str) -> frozenset[str]:
    """The functions from which calls lead to a function, at any depth."""
    callers = _callers(program)
    found: set[str] = set()
    work = list(callers[name])
    while work:
        caller = work.pop()
        if caller not in found:
            found.add(caller)
            work.extend(callers[caller])
    return frozenset(found)


def often_called(program: Program, largest: int, most: int) -> frozenset[str]:
    """The functions that an expansion has more than `most` times, if it has more than `largest` locations.

    Recursive functions are not among them; what these call, or those that are found, is counted once for all of them.
    """
    if separated(program) is not None:
        return frozenset()
    recursive = recursive_functions(program)
    sizes = Counter(location.function for location in program.locations)
    calls = _calls(program, recursive, math.inf)
    if sum(sizes[name] * (1 if name in recursive else count) for name, count in calls.items()) <= largest:
        return frozenset()
    return frozenset(name for name, count in _calls(program, recursive, most).items() if count > most) - recursive


def _calls(program: Program, recursive: Collection[str], most: float) -> Mapping[str, int]:
    """The number of calls of each function, where recursive ones, and those that are called more, have one copy."""
    sites: dict[str, Counter[str]] = {name: Counter() for name in program.functions}
    for edge in program.edges:
        if isinstance(edge.operation, Call):
            sites[program.locations[edge.source].function][edge.operation.function] += 1
    names = list(program.functions)
    numbers = {name: number for number, name in enumerate(names)}
    order = weak_topological_order(numbers[program.start], lambda i: map(numbers.__getitem__, sites[names[i]]))
    calls = Counter({program.start: 1})
    for name in (names[i] for i in order):
        copies = 1 if name in recursive or calls[name] > most else calls[name]
        for callee, count in sites[name].items():
            calls[callee] += copies * count
    return calls


def _callers(program: Program) -> Mapping[str, tuple[str, ...]]:
    callers: dict[str, dict[str, None]] = {name: {} for name in program.functions}
    for edge in program.edges:
        if isinstance(edge.operation, Call):
            callers[edge.operation.function][program.locations[edge.source].function] = None
    return {name: tuple(found) for name, found in callers.items()}


def separated(program: Program) -> str | None:
    """The reason why activations are not separate; None if each touches globals and its own locals only."""
    owner: dict[Term, str] = {}
    for f in program.functions.values():
        for x in (*f.parameters, *f.locals):
            if owner.setdefault(x, f.name) != f.name:
                return f"{x.name} belongs to two functions"
    for edge in program.edges:
        function = program.locations[edge.source].function
        if program.locations[edge.target].function != function:
            return "an edge leads from one function to another"
        touched = [x for x in mentioned(edge) if owner.get(x, function) != function]
        if touched:
            return f"{function} touches {touched[0].name}"
    return None


def mentioned(edge: Edge) -> frozenset[Term]:
    """The variables and inputs that an edge reads or assigns."""
    return _assigned(edge).union(*(t.symbols() for t in terms_of(edge)))


def _assigned(edge: Edge) -> frozenset[Term]:
    return frozenset(x for x, _ in edge.operation.updates) if isinstance(edge.operation, Assign) else frozenset()


def snapshot_name(name: str) -> bool:
    """Whether a symbol of this name would be taken for a copy that this view makes."""
    return name.endswith(("@entry", "@return"))
