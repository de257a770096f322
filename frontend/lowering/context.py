"""The shared state of the lowering of one program, and the cursor in a function where it adds edges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace

from core.dataclass import dataclass
from core.program import Assign, Assume, Check, InputKind, Operation, Range
from core.program.properties import CheckKind
from core.program.source import EscapingArgument, is_library_body, library_function_of, source_function
from core.program.span import Span
from core.terms import Arena, Term
from frontend.lowering.accesses import UNORDERED
from frontend.lowering.arithmetic import ADDRESS, BoundedTerm, MakeArithmetic
from frontend.lowering.call_graph import CallGraph
from frontend.lowering.checks.uninitialised_reads import may_lack_result, unassigned
from frontend.lowering.checks.written_marks import Assigned
from frontend.lowering.control_flow import GraphBuilder
from frontend.lowering.effects import Order
from frontend.lowering.memory import scalars
from frontend.lowering.memory.addresses import MemoryModel
from frontend.lowering.memory.comparisons import OpenComparisons
from frontend.lowering.memory.regions import AnyPlace, MemoryPlace
from frontend.lowering.pointsto.analysis import PointsTo
from frontend.lowering.storage import Slot, Variables
from frontend.properties.errors import ErrorPolicy
from frontend.source import Diagnostic, Diagnostics
from frontend.typed import tree
from frontend.typed.ctype import Integer, IntegerKind
from frontend.typed.library_table import similar_name
from frontend.typed.restricted import followed
from frontend.typed.tree import TranslationUnit

WITHIN_BOUNDS = "array accesses are within bounds"
DIVISORS = "divisors are not zero"
DISTANCES = "shifts are by less than the width of the type, and not by negative numbers"
MEMORY_SAFE = "memory safe: pointers are used within living objects, as what they were made for"
RELEASES = "what is released was allocated, and was not released before"
ONE_OBJECT = "pointers that are subtracted or put in order point into one object"
AS_MADE = "pointers that are moved stay aligned, and within the member that they were made for"
STACK = "memory from alloca is not used after the function that called it"
ALLOCATES = "allocation succeeds"
ALIGNMENTS = "memory is allocated with alignments of at most 4096, where addresses are numbers"
ONE_ARGUMENT = "argc is at least 1"
SMALL = "functions that allocate fail for more than PTRDIFF_MAX bytes"
OUTSIDE = "memory from outside of the program: pointers to it are null or point to objects that only they point to"
NUMBERS = "addresses as numbers: what is allocated in all fits the address space, and lies where it does here"
BOUNDED = "fewer than 2^43 objects begin, of fewer than 2^124 bytes"
SSE = "floating-point numbers are computed as by SSE (gcc -m32 -msse2 -mfpmath=sse -fexcess-precision=standard)"
FITTING = "floating-point numbers fit the integer types that they are converted to"
FILLED = "memory from functions that allocate, and are not modelled, has values when it is read"
ASSIGNED = "assignments do not copy between objects that overlap in part"
COPIED = "functions that copy, and are not modelled, do not copy between objects that overlap"
ARGUMENTS = "functions are called with as many arguments as they have parameters, of the same types"
UNREACHED = "__builtin_unreachable() is not reached"
NEVER_RETURN = "functions that are declared never to return do not return"
BOOLEANS = "a _Bool that is read holds 0 or 1"
VARIABLE_ARGUMENTS = "va_arg asks for as many arguments as there are, of their types"
STREAMS = "streams that functions are given are open"
DECIDED_FORMATS = "formats that are not in the text have no wide characters, and do not number their arguments"
RESTRICT = "what is modified through a pointer that is restrict is accessed through that pointer alone"
EXECUTED = "pointers that are restrict are used as without optimisation"  # by an execution, which may break `RESTRICT`
UNSEQUENCED = "no expression changes an object that it also uses without an order"
UNDEFINED = frozenset(
    (
        *(
            DIVISORS,
            DISTANCES,
            WITHIN_BOUNDS,
            MEMORY_SAFE,
            RELEASES,
            ONE_OBJECT,
            AS_MADE,
            STACK,
            FITTING,
            FILLED,
            COPIED,
            ARGUMENTS,
        ),
        *(VARIABLE_ARGUMENTS, RESTRICT, UNREACHED, NEVER_RETURN, BOOLEANS, ASSIGNED),
        *(UNORDERED, UNSEQUENCED),
    )
)
"""The assumptions that undefined behaviour does not happen; the others are about what surrounds the program."""


_LISTED = 5
"""The callers of an undefined function that a message names."""


@dataclass(frozen=True, slots=True)
class _Failure:
    property: str
    location: int
    span: Span
    description: str
    begins: int | None


@dataclass(slots=True)
class UndefinedFunctions:
    """The functions that are called and not defined, in the order of their first calls: each with its place, what it
    is taken to do, and the functions that call it.
    """

    _found: dict[str, tuple[Span, dict[str, None], dict[str, None]]] = field(default_factory=dict)

    def add(self, name: str, span: Span, caller: str, effect: str) -> None:
        _, effects, callers = self._found.setdefault(name, (span, {}, {}))
        effects[effect] = None
        if source_function(caller) != name:  # no body that only checks what the function accesses
            callers[source_function(caller)] = None

    def entries(self) -> Iterator[Diagnostic]:
        """A warning for each function."""
        for name, (span, effects, callers) in self._found.items():
            listed = [*callers][:_LISTED]
            more = [f"{len(callers) - _LISTED} more"] if len(callers) > _LISTED else []
            who = f" (called by {', '.join((*listed, *more))})" if listed else ""
            like = similar_name(name)
            meant = f"; did you mean {like}?" if like else ""
            yield Diagnostic(span, f"{name} is not defined{who}; it {', or '.join(effects)}{meant}")


@dataclass(slots=True)
class LoweringContext:
    """The program under construction."""

    unit: TranslationUnit
    arena: Arena
    graph: GraphBuilder
    variables: Variables
    memory: MemoryModel
    points: PointsTo
    calls: CallGraph
    order: Order
    comparisons: OpenComparisons
    policy: ErrorPolicy
    make_arithmetic: MakeArithmetic
    assigned: Assigned | None = None
    """Places at which reads are checked to find a value."""
    assumptions: dict[str, None] = field(default_factory=dict)
    warnings: Diagnostics = field(default_factory=Diagnostics)
    undefined: UndefinedFunctions = field(default_factory=UndefinedFunctions)
    failures: list[_Failure] = field(default_factory=list)
    orders: dict[Span, tuple[str, ...]] = field(default_factory=dict)
    """The orders of evaluation from which an input chooses, by the place of the expression."""
    escaping: dict[Term, tuple[EscapingArgument | None, ...]] = field(default_factory=dict)
    """The arguments of calls of undefined functions, by the inputs that these leave in memory."""
    _results: dict[str, bool] = field(default_factory=dict)
    _unassigned: dict[str, frozenset[str]] = field(default_factory=dict)

    def may_lack_result(self, function: tree.FunctionDeclaration) -> bool:
        """Whether a function may end without the value that its type promises."""
        known = self._results.get(function.name)
        if known is None:
            known = self._results[function.name] = may_lack_result(self.unit, function, self.policy)
        return known

    def may_be_unassigned(self, object_: tree.Object, function: str) -> bool:
        """Whether a function may read an automatic object of its own before something was written to it."""
        known = self._unassigned.get(function)
        if known is None:
            body = self.unit.functions[function].body
            found = [] if body is None else unassigned(self.unit, body, self.policy)
            known = self._unassigned[function] = frozenset(one.name for one in found)
        return object_.name in known

    @property
    def tells_null(self) -> bool:
        """Whether null pointers are looked for, and no other constant near 0, such as `(void *)-1`, is a pointer."""
        regions = self.memory.regions
        return CheckKind.NULL in self.policy.kinds and not regions.is_numeric and not regions.names_addresses

    def followed(self, function: str) -> frozenset[str]:
        """The parameters of a function that are `restrict`, where accesses beside them are checked."""
        declaration, policy = self.unit.functions[function], self.policy
        if CheckKind.RESTRICT not in policy.kinds:
            return frozenset()
        return followed(self.unit, declaration, policy.accesses_nothing)

    def assume(self, text: str) -> None:
        self.assumptions[text] = None

    def error(self, function: str, property_: str, span: Span, description: str, begins: int | None = None) -> int:
        """A new error location with its check, the evaluation of which begins somewhere before it."""
        location = self.graph.location(function, span)
        self.graph.keep(location)
        self.failures.append(_Failure(property_, location, span, description, begins))
        return location

    def checks(self, position: dict[int, int]) -> tuple[Check, ...]:
        """The checks in the order of the source; `position` gives the ids of locations."""
        ordered = sorted(self.failures, key=lambda one: (one.span, one.location))
        return tuple(
            Check(
                i,
                one.property,
                position[one.location],
                one.span,
                one.description,
                None if one.begins is None else position.get(one.begins),
            )
            for i, one in enumerate(ordered)
        )


@dataclass(frozen=True, slots=True)
class RestrictWatch:
    """Variables that follow one byte, any one, through the accesses of a function with `restrict` parameters.

    Each is 1 or 0: whether the byte was accessed through a parameter (`through`), otherwise (`beside`), or modified.
    """

    byte: Term
    through: Mapping[str, Term]
    beside: Mapping[str, Term]
    modified: Term


class Cursor:
    """The location of `function` at which lowering continues, and what can be done there."""

    def __init__(self, context: LoweringContext, function: str) -> None:
        self.context = context
        self.function = function
        self.arithmetic = context.make_arithmetic(context.arena, context.assume, context.memory.type)
        self.at = self.location()
        self.temporaries: list[Term] = []
        self.watch: RestrictWatch | None = None
        self.requires_nothing = False
        """Whether what is lowered is no code of the program, and has any value where it is undefined."""

    @property
    def source_function(self) -> str:
        """The function as the source calls it; in a body of the library, the function that the program calls."""
        if is_library_body(self.function):
            return library_function_of(self.function, self.context.unit.functions)
        return source_function(self.function)

    # Control flow

    def location(self) -> int:
        return self.context.graph.location(self.function)

    def step(self, operation: Operation, span: Span, text: str) -> None:
        """Add one edge, to a new location."""
        target = self.location()
        self.context.graph.edge(self.at, target, operation, span, text)
        self.at = target

    def jump(self, target: int) -> None:
        """Go to `target`; what follows is reached by jumps only."""
        self.context.graph.skip(self.at, target)
        self.at = self.location()

    def enter(self, location: int) -> None:
        """Fall into `location` and continue there."""
        self.context.graph.skip(self.at, location)
        self.at = location

    def end(self, span: Span, text: str) -> None:
        """End the path here."""
        self.context.graph.skip(self.at, self.location(), span, text)
        self.at = self.location()

    def assume(self, condition: Term, span: Span, text: str) -> None:
        self.step(Assume(condition), span, text)

    def split(self, condition: Term, span: Span, texts: tuple[str, str], targets: tuple[int, int]) -> None:
        """Add two edges: where the condition holds, and where it does not."""
        arena, graph = self.context.arena, self.context.graph
        constant = condition.is_true or condition.is_false
        for one, text, target in zip((condition, arena.not_(condition)), texts, targets, strict=True):
            graph.edge(self.at, target, Assume(one), span, "" if constant else text)
        self.at = self.location()

    def split_off(self, condition: Term, span: Span, text: str, target: int) -> None:
        """Add an edge for the case that the condition holds; the others go on from here."""
        self.context.graph.edge(self.at, target, Assume(condition), span, text)

    def require(self, kind: CheckKind, condition: Term, span: Span, what: str, assumption: str = "") -> None:
        """Undefined behaviour of the kind where the condition does not hold; the path goes on only where it does.

        Where nobody asks for the kind, there is no error, but the path goes on as with it, under the assumption. The
        condition mentions no input. `what` is the operation; empty for the function as a whole.
        """
        if condition.is_true or self.requires_nothing:
            return
        if assumption and kind not in self.context.policy.kinds:
            self.context.assume(assumption)
        arena, kinds = self.context.arena, self.context.policy.kinds
        fault = f"{kind.row.fault} in {what}" if what else kind.row.fault
        if kind in kinds:
            where = "" if self.function.startswith("<") else f" in {self.source_function}"  # before main is no function
            error = self.context.error(self.function, kinds[kind], span, f"{fault}{where}")
            self.split_off(arena.not_(condition), span, f"[{fault}]", error)
        self.assume(condition, span, f"[no {fault}]")

    # Values

    def constant(self, value: int) -> BoundedTerm:
        return self.arithmetic.constant(value)

    def variable(self, symbol: Term, type_: Integer) -> BoundedTerm:
        return self.arithmetic.of_type(symbol, type_)

    def temporary(self, type_: Integer, bounds: Range | None = None) -> Term:
        """A new hidden variable of the function, whose values are within `bounds`."""
        name = f"{self.function}::tmp!{len(self.temporaries)}"
        symbol = self.context.variables.hidden(name, self.function, type_, bounds=bounds)
        self.temporaries.append(symbol)
        return symbol

    def input(self, kind: InputKind, name: str, span: Span, type_: Integer) -> BoundedTerm:
        return self.variable(self.context.variables.input(kind, name, span, type_), type_)

    def save(self, value: BoundedTerm, type_: Integer, span: Span, text: str) -> BoundedTerm:
        """The value, settled, in a temporary: it mentions no input, and later edges do not change it.

        What is known of its bounds is the range of the temporary, so that whoever reads the program knows it, too.
        """
        value = self.arithmetic.settle(value, type_)
        within = type_.holds(value.low) and type_.holds(value.high) and value.low <= value.high
        symbol = self.temporary(type_, Range(value.low, value.high) if within and type_ != ADDRESS else None)
        self.step(Assign(((symbol, self.arithmetic.number(value)),)), span, text)
        return BoundedTerm(symbol, value.low, value.high)

    def stable(self, value: BoundedTerm, type_: Integer, span: Span, text: str) -> BoundedTerm:
        """The settled value without inputs: more than one edge may mention it."""
        return self.save(value, type_, span, text) if self.mentions_input(value.term) else value

    def mentions_input(self, term: Term) -> bool:
        return any(symbol in self.context.variables.inputs for symbol in term.symbols())

    def is_volatile(self, term: Term) -> bool:
        """Whether calls may change the value, or it must be used by one edge only."""
        known = self.context.variables.variables
        return any(symbol not in known or known[symbol].scope is None for symbol in term.symbols())

    # Slots

    def read(self, slot: Slot) -> BoundedTerm:
        """The value of a scalar slot, in its type."""
        table = self.context.variables.tables.get(slot.variable)
        if table is not None:
            index = scalars.place(self.context.arena, slot, 0)
            return self.arithmetic.of_type(self.context.arena.lookup(table, index), slot.type)
        return scalars.read(self.arithmetic, slot, slot.variable)

    def updated(self, slot: Slot, value: Term) -> Term:
        """The new value of the slot's variable after a scalar is stored in the slot."""
        return scalars.written(self.arithmetic, slot, slot.variable, value)

    def marked(self, slot: Slot, mark: Term | None = None) -> tuple[tuple[Term, Term], ...]:
        """The update of the slot's mark, if it has one: by default the scalar has a value then."""
        assigned = self.context.assigned
        marks = None if assigned is None else assigned.of(slot)
        if assigned is None or marks is None:
            return ()
        return ((marks, assigned.marked(slot, marks, assigned.full if mark is None else mark)),)

    def saved_place(self, place: AnyPlace, span: Span, text: str) -> AnyPlace:
        """The place with indices that later edges do not change."""
        if isinstance(place, MemoryPlace):
            if place.address.constant is not None:
                return place
            return replace(place, address=self.save(place.address, ADDRESS, span, text))
        indices = tuple(
            index if index.constant is not None else self.save(index, self._index_type(index), span, text)
            for index in place.indices
        )
        return replace(place, indices=indices)

    def _index_type(self, index: BoundedTerm) -> Integer:
        model = self.context.unit.data_model
        kinds = (IntegerKind.INT, IntegerKind.LLONG, IntegerKind.ULLONG, IntegerKind.INT128)
        types = [model.integer(kind) for kind in kinds]
        return next((type_ for type_ in types if type_.holds(index.low) and type_.holds(index.high)), types[-1])
