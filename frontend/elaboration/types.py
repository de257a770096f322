"""Type syntax to C types: specifiers, declarators, structs, unions and enumerations (C11 6.7.2, 6.7.6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from frontend.elaboration.scope import Defined, ElaborationState, EnumConstant, ProgramState, Typedef, TypesDiffer
from frontend.parsing import syntax
from frontend.parsing.expression import parse_expression
from frontend.parsing.prepass import FLOATING_TYPES, REFUSED_TYPES, Attribute, Prepared
from frontend.source import FrontendError, Span, Unsupported
from frontend.typed import tree
from frontend.typed.ctype import (
    Array,
    CType,
    DataModel,
    Field,
    Float,
    FloatKind,
    Integer,
    IntegerKind,
    Pointer,
    Record,
    RecordKind,
    RecordLayout,
    Signature,
    Target,
    VariableLength,
    Void,
)
from frontend.typed.layout import MemberDeclaration, Packing, record_layout
from frontend.typed.promises import PROMISES, promised
from frontend.typed.qualifiers import all_qualifiers, qualified, qualifiers_of
from frontend.typed.traversal import has_effects
from frontend.typed.va_list import argument_list

MAX_PARTS = 50_000
"""Scalars, and arrays of them, that a struct may consist of."""

_SIGNED = {"char": IntegerKind.SCHAR, "short": IntegerKind.SHORT, "": IntegerKind.INT, "long": IntegerKind.LONG,
           "long long": IntegerKind.LLONG, "__int128": IntegerKind.INT128}  # fmt: skip
_UNSIGNED = {"char": IntegerKind.UCHAR, "short": IntegerKind.USHORT, "": IntegerKind.UINT, "long": IntegerKind.ULONG,
             "long long": IntegerKind.ULLONG, "__int128": IntegerKind.UINT128}  # fmt: skip
_MODE_BITS = {"QI": 8, "HI": 16, "SI": 32, "DI": 64, "TI": 128, "byte": 8}
_BY_BITS = {8: "char", 16: "short", 32: "", 64: "long long", 128: "__int128"}


class Types(ElaborationState):
    """A layer of the elaboration that reads types in the current scope."""

    def __init__(self, prepared: Prepared, model: DataModel, defined: Defined, program: ProgramState) -> None:
        super().__init__(prepared, model, defined, program)
        self._shared: set[Record] = set()
        """Types of earlier units without a tag that are types of this one."""
        self._read: dict[int, Record | Integer] = {}
        """By identity of the syntax: `struct {…} a, b;` declares one type."""
        self._parts: dict[Record, int] = {}
        """How many scalars, or arrays of them, each complete struct or union consists of."""
        self._unnamed: list[Record] = []
        """Structs and unions of this unit without a tag, outside of functions."""
        self._heeded: set[int] = set()
        """The tokens whose attributes were asked for."""
        self._prototypes = 0
        """How many prototypes we are inside of: lengths of arrays are not evaluated there."""

    def attributes_of(self, node: syntax.Syntax) -> Sequence[Attribute]:
        """The attributes that change the type of a declaration, struct or union."""
        named = node.named if isinstance(node, syntax.DeclarationSyntax) else -1
        number = node.first if named < 0 else named
        self._heeded.add(number)
        return self.prepared.attributes.get(number, ())

    def _laid_out(self, node: syntax.Syntax) -> Sequence[Attribute]:
        """The attributes of a struct, union or enumeration that is defined, all of which say how it is laid out."""
        found = self.attributes_of(node)
        for attribute in found:
            if attribute.name not in PROMISES | {"aligned", "packed"}:
                raise Unsupported(attribute.span, f"attribute {attribute.name!r} is not supported here")
        return found

    def refuse_unheeded(self) -> None:
        """Refuse attributes at places where nobody asked for them: they might have changed a type."""
        for number, attributes in self.prepared.attributes.items():
            for attribute in attributes:
                if number not in self._heeded and attribute.name not in PROMISES:
                    raise Unsupported(attribute.span, f"attribute {attribute.name!r} is not supported here")

    def type_of(self, node: syntax.TypeSyntax) -> CType:
        type_ = self._type_of(node)
        if isinstance(node, syntax.ArrayType | syntax.FunctionType):
            return type_
        return qualified(type_, node.qualifiers)

    def _type_of(self, node: syntax.TypeSyntax) -> CType:
        match node:
            case syntax.NamedType(names=names):
                return self._named(node, names)
            case syntax.RecordType():
                return self._record(node)
            case syntax.EnumType():
                return self._enumeration(node)
            case syntax.PointerType(target=target):
                with self.deeper(node):
                    return Pointer(self.type_of(target))
            case syntax.ArrayType(element=element, length=length):
                with self.deeper(node):
                    return self._array(node, self.type_of(element), length)
            case syntax.FunctionType():
                return self.function_type(node)
            case syntax.TypeOfType(operand=operand):
                if isinstance(operand, syntax.TypeSyntax):
                    return self.type_of(operand)
                return self.type_of_operand(operand)

    def declared_type(self, node: syntax.DeclarationSyntax) -> CType:
        """The type of a declaration, with the attributes that change it."""
        type_ = self.type_of(node.type)
        for attribute in self.attributes_of(node):
            if attribute.name == "mode":
                type_ = qualified(self._mode(type_, attribute), qualifiers_of(type_))
            elif attribute.name == "vector_size":
                raise Unsupported(attribute.span, "vector types are not supported")
            elif attribute.name in PROMISES:
                type_ = promised(type_, attribute.name, attribute.argument)
        return type_

    def _mode(self, type_: CType, attribute: Attribute) -> CType:
        mode = attribute.argument.strip(" _")
        if isinstance(type_, Float):
            kinds = {"SF": FloatKind.FLOAT, "DF": FloatKind.DOUBLE, "XF": FloatKind.LONG_DOUBLE}
            if mode in kinds:
                return Float(kinds[mode])
        if isinstance(type_, Integer):
            bits = _MODE_BITS.get(mode)
            if mode in ("word", "pointer", "unwind_word"):
                bits = 8 * self.model.pointer_size
            if bits is not None:
                word = "long" if bits == self.model.integer(IntegerKind.LONG).bits > 32 else _BY_BITS[bits]
                return self.model.integer((_SIGNED if type_.signed else _UNSIGNED)[word])
        raise Unsupported(attribute.span, f"mode {attribute.argument} of {type_} is not supported")

    # Specifiers

    def _named(self, node: syntax.NamedType, names: Sequence[str]) -> CType:
        if len(names) == 1:
            binding = self.find(names[0])
            if names[0] == "__builtin_va_list":
                return argument_list(self.model)
            if names[0] in ("__CPROVER_size_t", "__CPROVER_bool"):
                return self.model.size_type if names[0].endswith("t") else self.model.integer(IntegerKind.BOOL)
            if names[0] in REFUSED_TYPES:
                raise Unsupported(self.span(node), f"numbers of type {names[0]} are not supported")
            if names[0] in FLOATING_TYPES:
                return self._extended_float(names[0])
            if isinstance(binding, Typedef):
                return binding.type
        if "_Complex" in names:
            return self._complex(node, [name for name in names if name != "_Complex"] or ["double"])
        words = Counter(names)
        signs = words.pop("signed", 0), words.pop("unsigned", 0)
        if sum(signs) > 1:
            raise self.error(node, "both signed and unsigned, or one of them twice")
        longs = words.pop("long", 0)
        ints = words.pop("int", 0)
        base = " ".join(["long"] * longs + sorted(words.elements()))
        type_ = self._arithmetic(base, bool(signs[0]), bool(signs[1]), bool(ints))
        if type_ is None:
            raise self.error(node, f"{' '.join(names)!r} is no type")
        return type_

    def _extended_float(self, name: str) -> CType:
        """Types that gcc has besides those of C: the one of C that is as large and as aligned, if there is one."""
        kind = FLOATING_TYPES[name]
        is_quadruple = name in ("_Float128", "__float128")
        if is_quadruple or (kind is FloatKind.LONG_DOUBLE and self.model.target is not Target.LP64):
            words = Array(self.model.integer(IntegerKind.UINT), 4)
            return self._undecided_number(name, RecordLayout((Field("#words", words, 0),), 16, 16))
        return Float(kind)

    def _complex(self, node: syntax.NamedType, names: Sequence[str]) -> CType:
        """A complex number is kept and copied like a struct; whatever computes with it is refused."""
        part = self._named(node, names)
        if not isinstance(part, Float) and part not in self.program.numbers.values():
            raise Unsupported(self.span(node), f"complex numbers of type {part} are not supported")
        size = self.model.size_of(part)
        fields = (Field("#real", part, 0), Field("#imaginary", part, size))
        return self._undecided_number(f"_Complex {part}", RecordLayout(fields, 2 * size, self.model.align_of(part)))

    def refuse_numbers(self, span: Span, *types: CType) -> None:
        """Refuse to compute with numbers that are only kept and copied."""
        for name, one in self.program.numbers.items():
            if one in types:
                kind = "complex numbers" if name.startswith("_Complex") else f"numbers of type {name}"
                raise Unsupported(span, f"{kind} are not supported")

    def _undecided_number(self, name: str, layout: RecordLayout) -> Record:
        if name not in self.program.numbers:
            record = self.program.numbers[name] = Record(RecordKind.STRUCT, name)
            record.complete(layout)
        return self.program.numbers[name]

    def _arithmetic(self, base: str, signed: bool, unsigned: bool, int_: bool) -> CType | None:
        plain = not (signed or unsigned or int_)
        floats = {"float": FloatKind.FLOAT, "double": FloatKind.DOUBLE, "long double": FloatKind.LONG_DOUBLE}
        if base in floats and plain:
            return Float(floats[base])
        if base == "void" and plain:
            return Void()
        if base == "_Bool" and plain:
            return self.model.integer(IntegerKind.BOOL)
        if base == "char" and not (signed or unsigned or int_):
            return self.model.integer(IntegerKind.CHAR)
        if base not in _SIGNED or (base in ("char", "__int128") and int_):
            return None
        if base == "" and plain:
            return None
        return self.model.integer((_UNSIGNED if unsigned else _SIGNED)[base])

    # Structs, unions, enumerations

    def _record(self, node: syntax.RecordType) -> CType:
        known = self._read.get(id(node))
        if known is not None:
            return known
        kind = RecordKind(node.keyword)
        record = self._tagged(node, kind)
        if node.members is not None:
            self._read[id(node)] = record
            members = [self._member(member) for member in node.members]
            try:
                layout = record_layout(self.model, kind, members, self._packing(node))
            except ValueError as error:
                raise self.error(node, str(error)) from None
            record = self._read[id(node)] = self._completed(record, layout, node.tag)
            self._bound_parts(record, node)
        return record

    def _completed(self, record: Record, layout: RecordLayout, tag: str | None) -> Record:
        """The type with its members: one of an earlier unit, where that is the same (C11 6.2.7)."""
        if record in self.hidden_types:
            self.hidden_types.discard(record)
            if record.is_complete and not _are_alike(record.layout, layout) and tag is not None:
                raise TypesDiffer(tag)
        elif tag is None and len(self.scopes) == 1:
            known = self.program.unnamed.get((record.kind, layout), ())
            same = next((one for one in known if one not in self._shared and _are_alike(one.layout, layout)), None)
            self._shared.add(same or record)
            self._unnamed.append(record)
            if same is not None:
                return same
        if not record.is_complete:
            record.complete(layout)
        return record

    def leave_types(self) -> None:
        """Hand the types of this unit on to the units after it."""
        for tag, one in self.scopes[0].tags.items():
            if isinstance(one, Record):
                self.program.tagged.setdefault((one.kind, tag), one)
        for one in self._unnamed:
            if one.is_complete:
                self.program.unnamed.setdefault((one.kind, one.layout), []).append(one)

    def _bound_parts(self, record: Record, node: syntax.RecordType) -> None:
        """Structs of structs can have more parts than anything could list."""
        count = 0
        for member in record.layout.fields:
            type_ = member.type
            while isinstance(type_, Array):
                type_ = type_.element
            count += self._parts.get(type_, 1) if isinstance(type_, Record) else 1
        if count > MAX_PARTS:
            raise Unsupported(self.span(node), f"{record} has more than {MAX_PARTS} parts")
        self._parts[record] = count

    def _tagged(self, node: syntax.RecordType, kind: RecordKind) -> Record:
        """The type that the tag names here, or a new one."""
        if node.tag is None:
            return Record(kind, self.unique("#unnamed").replace("#unnamed", "unnamed"))
        tags = self.scopes[-1].tags
        found = tags.get(node.tag) if node.members is not None else self.find_tag(node.tag)
        if isinstance(found, Record) and found.kind is kind:
            if node.members is not None and not self.is_open(found):
                raise self.error(node, f"{found} is defined twice")
            return found
        if found is not None:
            raise self.error(node, f"{node.tag!r} is the tag of another type")
        earlier = self.program.tagged.get((kind, node.tag)) if len(self.scopes) == 1 else None
        if earlier is not None and node.tag not in self.defined.apart:
            self.hidden_types.add(earlier)
            tags[node.tag] = earlier
            return earlier
        record = tags[node.tag] = Record(kind, self.unique(f"#{node.tag}").removeprefix("#"))
        return record

    def _member(self, node: syntax.DeclarationSyntax) -> MemberDeclaration:
        type_ = self.declared_type(node)
        if isinstance(type_, Signature):
            raise self.error(node, "a member cannot be a function")
        width = None
        if node.width is not None:
            width = self.constant(node.width)
            bits = type_.bits if isinstance(type_, Integer) else 0
            if width is None or not 0 <= width <= bits or (width == 0 and node.name is not None):
                raise self.error(node.width, "this is no width for a bit-field of its type")
        align = self.alignment(node)
        packed = any(attribute.name == "packed" for attribute in self.attributes_of(node))
        name = node.name
        if name is None and width is None and not isinstance(type_, Record):
            raise self.error(node, "a member needs a name")
        return MemberDeclaration(name, type_, width, align, packed)

    def alignment(self, node: syntax.DeclarationSyntax) -> int | None:
        """The alignment, in bytes, that a declaration asks for."""
        alignments: list[int] = []
        for asked in node.alignments:
            if isinstance(asked, syntax.TypeSyntax):
                alignments.append(self.align_of(asked, self.type_of(asked)))
            elif (value := self.constant(asked)) is not None:
                alignments.append(value)
        alignments += [
            self._aligned(attribute) for attribute in self.attributes_of(node) if attribute.name == "aligned"
        ]
        own = self.own_alignment(node.type)
        return max(alignments if own is None else [*alignments, own], default=None)

    def own_alignment(self, node: syntax.TypeSyntax) -> int | None:
        """The alignment, in bytes, that was asked for where a type got the name that is used here."""
        while isinstance(node, syntax.ArrayType):
            node = node.element
        named = self.find(node.names[0]) if isinstance(node, syntax.NamedType) and len(node.names) == 1 else None
        return named.align if isinstance(named, Typedef) else None

    def typedef_alignment(self, node: syntax.DeclarationSyntax, type_: CType) -> int | None:
        """The alignment, in bytes, that a declaration of a name for a type asks for."""
        attributes = [attribute for attribute in self.attributes_of(node) if attribute.name == "aligned"]
        is_open = isinstance(type_, Void | Signature) or self.is_open(type_)
        natural = 1 if is_open else self.align_of(node, type_)
        for attribute in attributes:
            if self._aligned(attribute) < natural:
                raise Unsupported(attribute.span, "types that are less aligned are not supported")
        return max(map(self._aligned, attributes), default=self.own_alignment(node.type))

    def _aligned(self, attribute: Attribute) -> int:
        text = attribute.argument.strip()
        if not text:
            return 16  # the largest of the target
        number = int(text) if text.isdigit() else self._evaluated(text, attribute.span)
        if number is None or number not in (1 << power for power in range(29)):
            raise Unsupported(attribute.span, f"alignment {text!r} is not supported")
        return number

    def _evaluated(self, text: str, at: Span) -> int | None:
        """The value of a constant expression without names of types or objects; None for others."""
        try:
            return self.constant(parse_expression(text, at)[1])
        except FrontendError:
            return None

    def _packing(self, node: syntax.RecordType) -> Packing:
        attributes = self._laid_out(node)
        aligned = [self._aligned(attribute) for attribute in attributes if attribute.name == "aligned"]
        packed = any(attribute.name == "packed" for attribute in attributes)
        return Packing(packed, max(aligned, default=None))

    def _enumeration(self, node: syntax.EnumType) -> CType:
        known = self._read.get(id(node))
        if known is not None:
            return known
        if node.values is None:
            found = self.find_tag(node.tag or "")
            if isinstance(found, Integer):
                return found
            if found is not None or node.tag is None:
                raise self.error(node, f"{node.tag!r} is the tag of another type")
            return self.model.enumeration(node.tag, ())
        packed = any(attribute.name == "packed" for attribute in self._laid_out(node))
        constants = self._enumerators(node.values)
        type_ = self.model.enumeration(node.tag or "", [one.value for one in constants.values()], packed)
        int_ = self.model.integer(IntegerKind.INT)
        for name, one in constants.items():
            self.scopes[-1].names[name] = one if int_.holds(one.value) else EnumConstant(one.value, type_)
        if node.tag is not None:
            if node.tag in self.scopes[-1].tags:
                raise self.error(node, f"tag {node.tag!r} is declared twice")
            self.scopes[-1].tags[node.tag] = type_
        values = tuple((name, one.value) for name, one in constants.items())
        self.enumerations.append(tree.Enumeration(node.tag or "", values))
        self._read[id(node)] = type_
        return type_

    def _enumerators(self, nodes: Sequence[syntax.Enumerator]) -> dict[str, EnumConstant]:
        """The type of an enumerator within its list: int where it holds the value, as gcc has it."""
        constants: dict[str, EnumConstant] = {}
        int_ = type_ = self.model.integer(IntegerKind.INT)
        value = -1
        for node in nodes:
            value += 1
            if node.value is not None:
                given, of = self.constant(node.value), self.value(node.value).type
                if given is None or not isinstance(of, Integer):
                    raise self.error(node.value, "the value of an enumerator must be an integer constant")
                value, type_ = given, of
            if not type_.holds(value):
                raise self.error(node, "the values of the enumeration leave the type of the last one given")
            type_ = int_ if int_.holds(value) else type_
            constants[node.name] = EnumConstant(value, type_)
            self.bind(node.name, constants[node.name], node)
        return constants

    # Declarators

    def _array(self, node: syntax.ArrayType, element: CType, length: syntax.ExpressionSyntax | None) -> Array:
        incomplete = self.is_open(element)
        unknown = isinstance(element, Array) and element.length is None and not self._prototypes
        if isinstance(element, Void | Signature) or incomplete or unknown:
            raise self.error(node, f"an array cannot consist of {element}")
        if length is None:
            return Array(element, None)
        value = self.value(length)
        if not isinstance(value.type, Integer):
            raise self.error(length, "the length of an array must be an integer")
        count = self.constant(length)
        if count is None and self._prototypes:
            return Array(element, None)
        if count is None:
            return Array(element, self._variable_length(length, value))
        if count < 0:
            raise self.error(length, "the length of an array must not be negative")
        return Array(element, count)

    def _variable_length(self, node: syntax.ExpressionSyntax, value: tree.Expression) -> VariableLength:
        """A hidden variable that keeps the length, set before the statement that declares the array."""
        span = self.span(node)
        if self.body is None:
            raise self.error(node, "the length of an array must be constant outside of functions")
        variable = self.local(tree.LENGTH, self.model.size_type, tree.Storage.AUTOMATIC, span)
        converted = tree.Convert(span, self.model.size_type, value, explicit=False, is_modular=True)
        initialiser = tree.Initialiser(span, (tree.InitialiserEntry((), converted),), zero_fill=False)
        self.pending.append(tree.Declaration(span, variable, initialiser))
        self.lengths[variable.name] = variable
        return VariableLength(variable.name)

    def function_type(self, node: syntax.FunctionType) -> Signature:
        result = self.type_of(node.result)
        if isinstance(result, Array | Signature):
            raise self.error(node, f"a function cannot return {result}")
        if node.parameters is None:
            return Signature(result, (), variadic=False, prototype=False)
        if self.is_void_list(node):
            return Signature(result, (), variadic=False, prototype=True)
        types: list[CType] = []
        with self.scope():
            self._prototypes += 1
            for parameter in node.parameters:
                types.append(self.parameter_type(parameter))
                if parameter.name is not None:  # for the lengths of later arrays
                    span = self.span(parameter)
                    named = tree.Object(parameter.name, parameter.name, types[-1], tree.Storage.PARAMETER, None, span)
                    self.bind(parameter.name, named, parameter)
            self._prototypes -= 1
        return Signature(result, tuple(types), node.variadic, prototype=True)

    def is_void_list(self, node: syntax.FunctionType) -> bool:
        if node.parameters is None or len(node.parameters) != 1 or node.parameters[0].name is not None:
            return False
        return isinstance(node.parameters[0].type, syntax.NamedType) and self.type_of(node.parameters[0].type) == Void()

    def parameter_type(self, node: syntax.DeclarationSyntax) -> CType:
        """Arrays and functions become pointers; the length of the array itself is dropped, which has no effects."""
        if isinstance(node.type, syntax.ArrayType):
            length = node.type.length if self.body is not None and not self._prototypes else None
            if length is not None and has_effects(self.value(length)):
                raise Unsupported(self.span(length), "the length of an array parameter has an effect")
            return Pointer(self.type_of(node.type.element))
        return self.adjusted(self.declared_type(node))

    def adjusted(self, type_: CType) -> CType:
        match type_:
            case Array(element, _):
                return Pointer(element)
            case Signature():
                return Pointer(type_)
            case _:
                return type_

    # Sizes

    def size_of(self, node: syntax.Syntax, type_: CType) -> int:
        element = type_
        while isinstance(element, Array):
            element = element.element
        if self.is_open(element):
            raise self.error(node, f"{element} is incomplete")
        try:
            return self.model.size_of(type_)
        except ValueError as error:
            raise self.error(node, str(error)) from None

    def align_of(self, node: syntax.Syntax, type_: CType) -> int:
        """Alignment of a member, as of `_Alignof`."""
        if not isinstance(type_, Array):
            self.size_of(node, type_)
        return self.model.align_of(type_)

    def preferred_align_of(self, node: syntax.Syntax, type_: CType) -> int:
        """Alignment of an object of its own, as of gcc's `__alignof__`: 8 for `long long` and `double` on i386."""
        if isinstance(type_, Array):
            return self.preferred_align_of(node, type_.element)
        if isinstance(type_, Integer | Float):
            size = self.size_of(node, type_)
            return 4 if size == 12 else size
        return self.align_of(node, type_)


def _are_alike(a: RecordLayout, b: RecordLayout) -> bool:
    """Whether two layouts are equal, and their members are qualified alike."""
    return a == b and all(
        all_qualifiers(one.type) == all_qualifiers(other.type) for one, other in zip(a.fields, b.fields, strict=True)
    )
