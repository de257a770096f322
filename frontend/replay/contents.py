"""The inputs of a counterexample for a replay, with the first contents of objects in memory.

The program reads arbitrary first contents of its regions; a replay has to put them into the objects that lie there. So
the path is walked once more, with an eye on the addresses that are given out and on those that are read. A pointer that
leads to no object of the program leads to memory from outside: a block that the replay has at a fixed address.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import field, replace

from core.dataclass import dataclass
from core.program import Assign, Assume, Call, Edge, Input, InputKind, Program, Range
from core.program.memory import OUTSIDE
from core.program.properties import CheckKind
from core.program.simulate import simulate
from core.program.source import SourceObject
from core.program.span import Span
from core.terms import ArraySort, ArrayValue, NotEvaluable, Term, Value, subterms
from core.verdict import InputValue, Unsafe
from frontend.interpreter import ARGUMENT, CONTENTS, ELSEWHERE, ELSEWHERE_AT, ENVIRONMENT
from frontend.lowering.arithmetic import WIDE
from frontend.lowering.checks.edges import NULL_END
from frontend.lowering.checks.object_states import BLOCK, SIZES, STRING_SIZES
from frontend.lowering.memory.addresses import GAP, HEAP
from frontend.lowering.memory.object_memory import ALLOCATED_SIZES
from frontend.replay.written_inputs import EscapedMemory
from frontend.source import point
from frontend.typed.ctype import DataModel, Float, FloatKind

_NEAR = 1 << 12  # bytes behind a pointer that are accessed through it
_MAX_STRINGS, _LONGEST = 1_000, 1 << 12  # that are made
_FILLER = ord("x")  # the characters of strings that nothing reads
_LAST = OUTSIDE[1] << 20  # no declared object lies behind
_STEPS_PER_EDGE = 4  # the path of a claim leaves out the returns

InputIdentity = tuple[InputKind, str, Span]


def replayable(program: Program, model: DataModel, claim: Unsafe) -> tuple[InputValue, ...]:
    """The inputs of the claim, with pointers that a replay can follow, and the first contents of objects.

    Contents have the kind INDETERMINATE, the name `CONTENTS` and the place where their object begins; they map offsets
    to bytes. Those by address are named `ELSEWHERE`: of memory from outside, and of that at constant addresses. What
    the path does not read is left out.
    """
    heap = next((x for x, one in program.variables.items() if one.scope is None and one.name == HEAP), None)
    if heap is None:
        return claim.inputs
    real = _real_pointers(program, model, claim)
    blocks = any(one.name == SIZES for one in program.variables.values())
    numeric = not blocks and not _is_address(program.variables[heap].range)
    escaped = EscapedMemory(
        program.source.escaping,
        tuple(_regions_with_pointers(program, model, numeric)),
        tuple(_regions_of_bytes(program) if numeric else ()),
        model.pointer_size,
    )
    walk = _Walk(program, model, heap, blocks, real, escaped, numeric)
    recorded = {(one.kind, one.name, one.span, one.occurrence): one.value for one in claim.inputs}
    executed: Counter[InputIdentity] = Counter()

    def supply(source: Input) -> Value:
        key = (source.kind, source.name, source.span)
        executed[key] += 1
        missing: Value = ArrayValue() if isinstance(source.symbol.sort, ArraySort) else 0
        return recorded.get((*key, executed[key] - 1), missing)

    try:
        simulate(program, supply, _STEPS_PER_EDGE * len(claim.path), walk.edge)
    except NotEvaluable:
        return claim.inputs  # the claim is wrong, which the replay will tell
    return (*_relocated(program, claim.inputs, real), *walk.contents(claim.inputs))


def _real_pointers(program: Program, model: DataModel, claim: Unsafe) -> range | None:
    """The pointers from outside that are no null pointers where the claim is about one; None where all may be.

    The bytes behind null are no object, nor those before it, at the end of the address space.
    """
    ends = {edge.id: edge.target for edge in program.edges}
    check = program.checks_at.get(ends[claim.path[-1]]) if claim.path else None
    is_null = check is not None and check.property == CheckKind.NULL
    return range(NULL_END, 1 << (8 * model.pointer_size - 1)) if is_null else None


def _relocated(program: Program, inputs: Iterable[InputValue], real: range | None) -> Iterator[InputValue]:
    pointers = {(one.kind, one.name, one.span) for one in program.inputs.values() if _is_address(one.range)}
    for one in inputs:
        if (one.kind, one.name, one.span) not in pointers:
            yield one
        elif isinstance(one.value, ArrayValue):
            entries = {at: _pointer(number, real) for at, number in one.value.entries.items()}
            yield replace(one, value=ArrayValue(_pointer(one.value.default, real), entries))
        else:
            yield replace(one, value=_pointer(int(one.value), real))


def _regions_with_pointers(program: Program, model: DataModel, is_numeric: bool) -> Iterator[Term]:
    """The arrays that may hold pointers: where addresses are numbers, all whose elements have the size of one."""
    for x, one in program.variables.items():
        if one.scope is None and isinstance(x.sort, ArraySort):
            is_wide = one.range is not None and one.range.high.bit_length() > 8 * model.pointer_size - 2
            if is_wide if is_numeric else _is_address(one.range):
                yield x


def _regions_of_bytes(program: Program) -> Iterator[Term]:
    """The arrays of bytes, of which pointers may be composed."""
    for x, one in program.variables.items():
        if one.scope is None and isinstance(x.sort, ArraySort) and one.range == Range(0, 255):
            yield x


def _is_address(bounds: Range | None) -> bool:
    """Whether a number with these bounds is an address that is none of the machine."""
    return bounds is None or bounds.high == WIDE.maximum


def _is_outside(number: int) -> bool:
    """Whether a pointer is null, or leads to memory that the program does not make."""
    return number == 0 or OUTSIDE[0] // 2 <= number < OUTSIDE[1]


def _pointer(number: int, real: range | None) -> int:
    """The addresses of memory from outside; what is accessed there may be a part of an object that begins below."""
    if real is not None and number not in real:
        return 0
    return ELSEWHERE_AT + number if number and _is_outside(number) else number


@dataclass(frozen=True, slots=True)
class _Object:
    span: Span
    occurrence: int
    address: int
    size: int


@dataclass(slots=True)
class _Walk:
    program: Program
    model: DataModel
    heap: Term
    blocks: bool
    """Whether addresses are given out by blocks."""
    real: range | None
    """Other pointers from outside are null."""
    escaped: EscapedMemory
    numeric: bool
    """Whether pointers are numbers of the machine."""
    objects: list[_Object] = field(default_factory=list)
    first: dict[Term, ArrayValue] = field(default_factory=dict)
    """Contents of the regions at the start."""
    reads: dict[tuple[Term, int], None] = field(default_factory=dict)
    """Regions, and the addresses at which they were read."""
    fresh: dict[tuple[Term, int], None] = field(default_factory=dict)
    """Contents that nothing had written before."""
    _written: set[tuple[Term, int]] = field(default_factory=set)
    _begun: Counter[Span] = field(default_factory=Counter)
    _selects: dict[int, list[tuple[Term, Term]]] = field(default_factory=dict)

    passed: tuple[int, ...] = ()
    """The arguments that the start passes."""

    def edge(self, edge: Edge, value: Callable[[Term], Value]) -> None:
        if isinstance(edge.operation, Call) and self.program.locations[edge.source].function == self.program.start:
            self.passed = tuple(_number(value(one)) for one in edge.operation.arguments)
        if isinstance(edge.operation, Assign):
            self._assign(edge, edge.operation, value)
        if edge.id not in self._selects:
            self._selects[edge.id] = list(_selects(_terms(edge)))
        for region, index in self._selects[edge.id]:
            try:
                element = region, _number(value(index))
            except NotEvaluable:
                continue  # in a branch that is not taken
            self.reads[element] = None
            if not self.escaped.reads(element) and element not in self._written:
                self.fresh[element] = None
        if isinstance(edge.operation, Assign):
            for x, term in edge.operation.updates:
                for index in _stored(term):
                    element = x, _number(value(index))
                    self._written.add(element)
                    self.escaped.writes(element)
            self.escaped.assigned(edge, edge.operation, value)

    def _assign(self, edge: Edge, operation: Assign, value: Callable[[Term], Value]) -> None:
        at_start = self.program.locations[edge.source].function == self.program.start
        for x, term in operation.updates:
            given = value(term) if at_start and isinstance(x.sort, ArraySort) else None
            if isinstance(given, ArrayValue) and self.program.variables[x].name != ALLOCATED_SIZES:
                self.first[x] = given
            elif x is self.heap and not at_start and edge.span is not None:
                address, after = _number(value(x)), _number(value(term))
                size = after - address - GAP
                if self.blocks:
                    address, size = address * BLOCK, BLOCK
                self.objects.append(_Object(edge.span, self._begun[edge.span], address, size))
                self._begun[edge.span] += 1

    def contents(self, recorded: Iterable[InputValue]) -> Iterator[InputValue]:
        """The first contents of objects on the heap, of declared ones for which nothing is recorded, of all others."""
        recorded = tuple(recorded)
        yield from self._declared({one.span for one in recorded})
        for one in self.objects:
            found = self._bytes_between(one.address, one.address + one.size)
            if found:
                yield InputValue(InputKind.INDETERMINATE, CONTENTS, one.span, one.occurrence, ArrayValue(0, found))
        everywhere = self._bytes_between(0, 1 << 8 * self.model.pointer_size, origin=0)
        elsewhere = {**everywhere, **self.escaped.elsewhere(self._left)}
        yield InputValue(InputKind.INDETERMINATE, ELSEWHERE, point("", 0, 0), 0, ArrayValue(0, elsewhere))
        yield from self._strings()
        yield from self.escaped.inputs(filter(self._may_lead, recorded), self._around, self._left)

    def _strings(self) -> Iterator[InputValue]:
        """The strings that main gets, as far as the path reads them, or their pointers."""
        size = self.model.pointer_size
        for name, array in zip((ARGUMENT, ENVIRONMENT), self.passed[1:3], strict=False):
            most = self.passed[0] if name == ARGUMENT else _MAX_STRINGS
            for region, address in list(self.fresh):
                index, rest = divmod(address - array, size)
                pointer = self.first[region][address] if region in self.first and region in self.escaped.pointers else 0
                if rest == 0 and 0 <= index < most and pointer:
                    text = ArrayValue(0, dict(enumerate(self._text(pointer))))
                    yield InputValue(InputKind.INDETERMINATE, name, point("", 0, 0), index, text)

    def _text(self, start: int) -> bytes:
        """The string at an address: what is read of it, up to its end."""
        read = {
            address - start: self.first[region][address]
            for region, address in self.fresh
            if 0 <= address - start < _LONGEST and region in self.first and self._is_byte(region)
        }
        sizes = next((x for x, one in self.program.variables.items() if one.name == STRING_SIZES), None)
        known = self.first[sizes][start // BLOCK] - 1 if sizes in self.first else 0
        length = max((*read, -1)) + 1 if known <= 0 else min(known, _LONGEST)
        text = bytes(read.get(k, _FILLER) & 0xFF for k in range(length))
        return text.partition(b"\0")[0]

    def _is_byte(self, region: Term) -> bool:
        bounds = self.program.range_of(region)
        return bounds is not None and bounds.high - bounds.low < 1 << 8

    def _may_lead(self, value: InputValue) -> bool:
        """Whether a recorded value may be a pointer."""
        places = (
            (x.kind, x.name, x.span) for x in self.program.inputs.values() if self.numeric or _is_address(x.range)
        )
        return (value.kind, value.name, value.span) in places

    def _left(self, region: Term, number: int) -> bytes:
        """The bytes of what an undefined function writes: also a number that is then used as a pointer leads there."""
        is_pointer = self.numeric and region in self.escaped.pointers and 0 < number < OUTSIDE[1]
        if is_pointer and any(number <= address < number + _NEAR for _, address in self.reads):
            return (ELSEWHERE_AT + number).to_bytes(self.model.pointer_size, "little")
        return self._bytes(region, number)

    def _around(self, address: int) -> range:
        """The addresses of the object at an address; none where that is not known."""
        if _is_outside(address):
            return range(*OUTSIDE) if address else range(0)
        if self.blocks:
            return range(address // BLOCK * BLOCK, (address // BLOCK + 1) * BLOCK)
        for one in self.objects:
            if one.address <= address <= one.address + one.size:
                return range(one.address, one.address + one.size)
        declared = self._constants()
        starts = sorted((*declared, *(one.address for one in self.objects)))
        number = bisect_right(starts, address)
        last = starts[number] if number < len(starts) else _LAST
        is_known = number > 0 and starts[number - 1] in declared and address < last
        return range(starts[number - 1], last) if is_known else range(0)

    def _constants(self) -> dict[int, SourceObject]:
        """The declared objects with constant addresses."""
        return {
            one.address.value: one
            for one in self.program.source.objects
            if one.address is not None and one.address.is_constant
        }

    def _declared(self, recorded: Collection[Span]) -> Iterator[InputValue]:
        """Contents of objects that begin once, at a constant address: their memory is arbitrary from the start."""
        spans = {at: one.span for at, one in self._constants().items() if one.function is not None}
        starts = sorted(spans)
        found: dict[int, dict[int, int]] = {}
        for region, address in self.fresh:
            number = bisect_right(starts, address)
            if region in self.first and number:
                start = starts[number - 1]
                for k, byte in enumerate(self._bytes(region, self.first[region][address]), start=address - start):
                    found.setdefault(start, {})[k] = byte
        for start, content in found.items():
            span = spans[start]
            if span is not None and span not in recorded and any(content.values()):
                yield InputValue(InputKind.INDETERMINATE, CONTENTS, span, 0, ArrayValue(0, content))

    def _bytes_between(self, first: int, end: int, origin: int | None = None) -> dict[int, int]:
        """The first values read at the addresses, by their distance from `origin` (else the first address)."""
        found: dict[int, int] = {}
        for region, address in self.reads:
            if region in self.first and first <= address < end:
                for k, byte in enumerate(self._bytes(region, self.first[region][address])):
                    found[address + k - (first if origin is None else origin)] = byte
        return found

    def _scalar(self, region: Term) -> str:
        """The type of the scalars in a region."""
        known = self.program.variables.get(region)
        return known.c_type.scalar if known is not None else ""

    def _bytes(self, region: Term, number: int) -> bytes:
        bounds = self.program.range_of(region)
        size = self.model.pointer_size
        float_ = next((one for one in map(Float, FloatKind) if str(one) == self._scalar(region)), None)
        if float_ is not None:
            from frontend.interpreter.floats import bits_of  # what only programs with such numbers need
            from frontend.typed.float_formats import format_of

            size = self.model.size_of(float_)
            number = bits_of(format_of(float_), number)
        elif _is_address(bounds):
            number = _pointer(number, self.real)
        elif bounds is not None:
            bits = max(bounds.high.bit_length(), (bounds.low + 1).bit_length()) + (bounds.low < 0)
            size = next((size for size in (1, 2, 4, 8) if 8 * size >= bits), 16)
        return (number & (1 << 8 * size) - 1).to_bytes(size, "little")


def _number(value: Value) -> int:
    assert isinstance(value, int)
    return value


def _stored(term: Term) -> Iterator[Term]:
    """The indices at which an array is written."""
    while term.is_store:
        yield term.args[1]
        term = term.args[0]


def _terms(edge: Edge) -> Sequence[Term]:
    match edge.operation:
        case Assume(condition):
            return (condition,)
        case Assign(updates):
            return [term for _, term in updates]
        case Call(_, arguments):
            return arguments


def _selects(terms: Iterable[Term]) -> Iterator[tuple[Term, Term]]:
    """The elements that are read: array variables (before all that is stored in them) and indices."""
    for term in subterms(*terms):
        if term.is_select:
            array, index = term.args
            stack = [array]
            while stack:
                one = stack.pop()
                if one.is_symbol:
                    yield one, index
                stack.extend(arg for arg in one.args if isinstance(arg.sort, ArraySort))
