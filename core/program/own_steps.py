"""The steps of a counterexample as the program has them: code that is not its own is passed over in one step.

Such code are the bodies of library functions, and the start that is written for a function to which nothing leads. What
a body of the library does is shown where its call ends, before it calls a function of the program, or, where the error
is in it, at the last step; what the start does, where it calls its function.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.dataclass import dataclass
from core.program.automaton import Assign, Call, Edge, Program
from core.program.naming import ObjectInFrame
from core.program.source import LIBRARY_OBJECT, STRING_LITERAL, SourceObject, is_library_body
from core.program.span import Span

START_FILE = "<start of "
"""How the names of files begin that are written to start a function."""

COUNT = "interplay_count_"
"""How the names of variables of a start begin that count the elements behind a pointer."""
PART = "__VERIFIER_nondet_part"
"""The choice of a start that a pointer which is moved leads to a part of an object: it is not seen whether it leaves
the part.
"""
BEFORE = "interplay_before_"
"""How the names of those begin that count the elements before a pointer."""


def is_start_file(file: str) -> bool:
    """Whether a file is one that is written to start a function."""
    return file.startswith(START_FILE)


def is_start(program: Program, function: str | None) -> bool:
    """Whether a function belongs to the start that is written for another one."""
    known = program.functions.get(function or "")
    is_written = known is not None and known.span is not None and is_start_file(known.span.file)
    return is_written and function != program.start


def is_own(program: Program, function: str | None) -> bool:
    """Whether a function, or what has the scope of one, belongs to the text of the program."""
    return function is None or not (is_library_body(function) or is_start(program, function))


def place_of(program: Program, edge: Edge) -> Span | None:
    """The place of an edge in the text of the program; of a call by a written start that of the function."""
    if edge.span is None or not is_start_file(edge.span.file):
        return edge.span
    called = edge.operation.function if isinstance(edge.operation, Call) else None
    return program.functions[called].span if called is not None and not is_start(program, called) else None


def own_positions(program: Program, edges: Sequence[int]) -> Iterator[int]:
    """The positions of a piece of a path that people know: a call of other code once, and nothing of that code."""
    entered = set[int]()
    for position, edge_id in enumerate(edges):
        if not 0 <= edge_id < len(program.edges):
            continue
        edge = program.edges[edge_id]
        before = program.locations[edge.source].function
        called = edge.operation.function if isinstance(edge.operation, Call) else None
        is_known = is_own(program, before) or (called is not None and not is_library_body(before))
        if is_known and edge_id not in entered and not is_start(program, called):
            yield position
        if not is_own(program, called):
            entered.add(edge_id)


@dataclass(frozen=True, slots=True)
class OwnStep:
    """A step as it is shown: its place, its text, and the positions whose changes are those of the step.

    `edge` is the one whose names people know there: the call, where the step passes over one, which begins at the
    position `begins`. `inside`: it ends in a body of the library, as the violated check is there. `started` is the
    function that the start calls with it.
    """

    span: Span | None
    text: str
    positions: tuple[int, ...]
    edge: Edge
    begins: int
    inside: bool = False
    started: str | None = None


class CallStack:
    """The active calls along a path of edges, and the location at its end."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self.at = program.functions[program.start].entry
        self.stack: tuple[int, ...] = ()

    @property
    def function(self) -> str:
        """The function that is active."""
        return self._program.locations[self.at].function

    @property
    def last(self) -> int:
        """The edge of the last active call; -1 before the first one."""
        return self.stack[-1] if self.stack else -1

    def take(self, edge_id: int) -> None:
        """Follow an edge; those of other programs lead nowhere."""
        if not 0 <= edge_id < len(self._program.edges):
            return
        edge = self._program.edges[edge_id]
        if isinstance(edge.operation, Call) and edge.source == self.at:  # entered; else it is left
            self.stack, self.at = (*self.stack, edge_id), self._program.functions[edge.operation.function].entry
        else:
            self.stack = self.stack[:-1] if isinstance(edge.operation, Call) else self.stack
            self.at = edge.target

    def innermost(self, source_object: SourceObject) -> ObjectInFrame:
        """A local object in the last activation of its function."""
        operations = (self._program.edges[number].operation for number in self.stack)
        active = sum(isinstance(call, Call) and call.function == source_object.function for call in operations)
        return ObjectInFrame(source_object, max(0, active - 1))


class OwnSteps:
    """The steps of a path that are shown, found as far as they are asked for."""

    def __init__(self, program: Program, path: Sequence[int]) -> None:
        self._program, self._path = program, path
        self._foreign = frozenset(name for name in program.functions if not is_own(program, name))
        self._found: list[OwnStep | None] = []
        self._rest = self._walk()

    def at(self, position: int) -> OwnStep | None:
        """The step that is shown at a position; None where another one shows it, or the edge is of another program."""
        while len(self._found) <= position:
            self._found.append(next(self._rest, None))
        return self._found[position]

    def __iter__(self) -> Iterator[tuple[int, OwnStep]]:
        steps = ((position, self.at(position)) for position in range(len(self._path)))
        return ((position, step) for position, step in steps if step is not None)

    def _walk(self) -> Iterator[OwnStep | None]:
        """The step of each position."""
        calls, positions, outer = CallStack(self._program), list[int](), list[tuple[int, Edge]]()
        for position, number in enumerate(self._path):
            if not 0 <= number < len(self._program.edges):
                break
            edge, before = self._program.edges[number], calls.function
            calls.take(number)
            was_own, now_own = before not in self._foreign, calls.function not in self._foreign
            is_call = calls.last == number
            positions.append(position)
            if was_own and not now_own and is_call:
                outer.append((position, edge))
            if now_own:
                yield self._step(positions, edge, (before, calls.function if is_call else ""), outer)
                positions = []
            elif position == len(self._path) - 1 and outer:
                begins, edge = outer[-1]
                inside = is_library_body(calls.function)
                yield OwnStep(edge.span, edge.text, tuple(positions), edge, begins, inside)
            else:
                yield None
            if now_own and not was_own and not is_call and outer:
                outer.pop()

    def _step(
        self, positions: list[int], edge: Edge, functions: tuple[str, str], outer: list[tuple[int, Edge]]
    ) -> OwnStep:
        """The step that ends with an edge, from a function into one that it calls; it may be within a call."""
        before, called = functions
        if called and before in self._foreign and not is_library_body(before):
            place = place_of(self._program, edge)
            return OwnStep(place, edge.text, tuple(positions), edge, positions[-1], started=called)
        begins, known = (positions[-1], edge) if before not in self._foreign or not outer else outer[-1]
        updates = known.operation.updates if isinstance(known.operation, Assign) else ()
        of_library = bool(updates) and all(x.name.startswith(LIBRARY_OBJECT) for x, _ in updates)
        text = "" if of_library or known.text == STRING_LITERAL else known.text
        return OwnStep(known.span, text, tuple(positions), known, begins)
