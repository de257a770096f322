"""The static part of a run: addresses of globals, functions and string literals, and places that code refers to."""

from __future__ import annotations

from core.program import InputKind
from core.program.properties import CheckKind
from core.program.span import Span
from frontend.interpreter.iterative_walk import addressed, exposed
from frontend.interpreter.memory import PAGE_BITS, Memory
from frontend.interpreter.outcome import Inputs
from frontend.properties.errors import ErrorPolicy
from frontend.typed import tree
from frontend.typed.alignment import alignment_of
from frontend.typed.called import has_arguments, is_as_wide, is_called_as_declared, is_passed_alike
from frontend.typed.casts import PLACE
from frontend.typed.const_parts import ConstantParts, constant_parts
from frontend.typed.ctype import Array as ArrayType
from frontend.typed.ctype import CType, DataModel, Pointer, Record, is_scalar
from frontend.typed.qualifiers import may_share

_UNKNOWN_EXTENT = 1 << 16  # bytes given to an extern array of unknown length


class Image:
    """The static part of a run. Globals without address are slots of `slots`; everything else is in `memory`.

    Values in slots are ints in the range of their type; addresses are unsigned. Where the memory is given, the run
    follows what is determined (`closed`). `inputs` say where objects lie.
    """

    def __init__(self, unit: tree.TranslationUnit, memory: Memory | None = None, inputs: Inputs | None = None) -> None:
        self.unit = unit
        self._inputs = inputs or Inputs()
        self.is_placed = self._inputs.has(PLACE)
        """Whether it matters where some objects lie."""
        self.model: DataModel = unit.data_model
        self.memory = memory or Memory(8 * self.model.pointer_size)
        self.is_closed = memory is not None
        self.slots: list[object] = []
        self.spans: list[Span] = []
        self.watched: frozenset[Span] = frozenset()
        """The pieces of the source of which it is noted that they are evaluated (`watched`)."""
        self.objects: list[tree.Object] = []
        self.records: list[Record] = []
        self.calls: list[tree.Call] = []
        self.constants: list[ConstantParts | None] = [None]
        self._addressed = addressed(unit)
        self.taken = exposed(unit)
        """The objects of whose parts the address is taken."""
        self._places: dict[str, str] = {}
        self._functions: dict[str, int] = {}
        self._names: dict[int, str] = {}
        self._literals: dict[int, int] = {}
        for declaration in unit.globals:
            self._lay_out(declaration.object)

    def _lay_out(self, variable: tree.Object) -> None:
        if variable.name in self._places:
            return
        if self.in_slot(variable):
            self._places[variable.name] = f"g[{len(self.slots)}]"
            self.slots.append(0)
        else:
            self._places[variable.name] = str(self._allocated(variable))

    def _allocated(self, variable: tree.Object) -> int:
        wanted = self._inputs.at(InputKind.EXTERN, variable.span).get(PLACE, {}).get(0)
        self.memory.wanted = wanted if isinstance(wanted, int) else None
        address = self.memory.static(
            self._extent(variable.type), variable.source_name, alignment=self.alignment(variable)
        )
        if may_share(variable):
            self.memory.share(address)
        return address

    def alignment(self, variable: tree.Object) -> int:
        """The alignment that an object has wherever it lies."""
        return max(self.unit.alignments.get(variable.name, 1), alignment_of(variable.type, self.model))

    def _extent(self, type_: CType) -> int:
        if isinstance(type_, ArrayType) and type_.length is None:
            return _UNKNOWN_EXTENT
        try:
            return self.model.size_of(type_)
        except ValueError:
            return _UNKNOWN_EXTENT

    def in_slot(self, variable: tree.Object) -> bool:
        """Whether the object is a variable of the interpreter rather than bytes in memory."""
        return is_scalar(variable.type) and variable.name not in self._addressed

    def place(self, variable: tree.Object) -> str:
        """The text of a global: its slot, or its address."""
        self._lay_out(variable)
        return self._places[variable.name]

    def function_address(self, name: str) -> int:
        if name not in self._functions:
            address = self.memory.static(0, name)
            self._functions[name] = address
            self._names[address] = name
        return self._functions[name]

    def function_at(self, address: int) -> str | None:
        return self._names.get(address)

    def literal(self, node: tree.StringLiteral) -> int:
        """The address of a string literal, for each place where it is written."""
        if id(node) not in self._literals:
            element = self.model.size_of(tree.element_type(node.type))
            mask = (1 << 8 * element) - 1
            data = b"".join((value & mask).to_bytes(element, "little") for value in node.values)
            extent = max(len(data), self._extent(node.type))
            address = self.memory.static(extent, "a string literal", alignment=element)
            self.memory.write(address, data)
            self.memory.protect(address)
            self._literals[id(node)] = address
        address = self._literals[id(node)]
        self.memory.pages[address >> PAGE_BITS].literals += 1
        return address

    def span(self, node: tree.Node) -> int:
        """The number under which generated code refers to the place of the node."""
        return self.at(node.span)

    def at(self, span: Span) -> int:
        self.spans.append(span)
        return len(self.spans) - 1

    def add_object(self, variable: tree.Object) -> int:
        """The number under which generated code refers to the object."""
        self.objects.append(variable)
        return len(self.objects) - 1

    def record(self, type_: CType) -> int:
        """The number of a Record type; 0 for other types."""
        if not isinstance(type_, Record):
            return 0
        self.records.append(type_)
        return len(self.records)

    def call(self, call: tree.Call) -> int:
        """The number under which generated code refers to a call through a pointer."""
        self.calls.append(call)
        return len(self.calls) - 1

    def allows(self, call: tree.Call, name: str, policy: ErrorPolicy) -> bool:
        """Whether the call gets to the function: called as what it is or, where nobody asks, as what does no harm."""
        function = self.unit.functions[name]
        if CheckKind.CALL in policy.kinds or not is_as_wide(call, function, self.model):
            return is_called_as_declared(call, function, self.model)
        is_direct = isinstance(call.function, tree.FunctionAddress)
        return (has_arguments if is_direct else is_passed_alike)(call, function)

    def constancy(self, variable: tree.Object) -> int:
        """The number under which generated code refers to the constant parts of an object; 0 where it has none."""
        parts = None if variable.name in self.unit.constant else constant_parts(variable.type, self.model)
        if self.in_slot(variable) or (parts is None and variable.name not in self.unit.constant):
            return 0
        self.constants.append(parts)
        return len(self.constants) - 1

    def bits(self, type_: CType) -> int:
        """The width of a scalar in bits."""
        return 8 * self.model.pointer_size if isinstance(type_, Pointer) else 8 * self.model.size_of(type_)
