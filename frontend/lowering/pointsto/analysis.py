"""Points-to analysis of the code that `main` reaches; see `classes` for the sets of objects."""

from __future__ import annotations

from math import gcd, lcm

from frontend.libc.texts import (
    ALLOCATED,
    APART,
    ARGUMENT,
    CONVERSION,
    FLOAT_STEP,
    FORMATS,
    NUMBERS,
    READABLE,
    TRUTH,
    WRITABLE,
)
from frontend.lowering.pointsto.classes import Class, FieldKey, add_view, find, join, new_mixed, target_of
from frontend.lowering.pointsto.environment_pointers import Outside
from frontend.lowering.pointsto.keys import Keys, is_joint
from frontend.lowering.pointsto.steps import copied_unit, step_of, step_to
from frontend.lowering.pointsto.undefined import Undefined
from frontend.properties.errors import is_output
from frontend.typed import tree
from frontend.typed.casts import as_pointers, constant, is_null
from frontend.typed.ctype import Array, CType, Integer, Pointer, Record, Signature, Void, same_representation
from frontend.typed.library_table import Allocated, library_function
from frontend.typed.lvalues import COMPARISONS, in_union, is_union, root, strip
from frontend.typed.qualifiers import reads_only
from frontend.typed.traversal import callee, nodes
from frontend.typed.tree import Object, Storage, UnaryOperator

_CHECKS = frozenset((APART, ARGUMENT, CONVERSION, FORMATS, *NUMBERS.values(), READABLE, TRUTH, WRITABLE))


class PointsTo(Keys):
    """The solved analysis of what `main` reaches; functions in `opaque` count as undefined.

    `changes_pointers`: undefined functions change the pointers that they reach, to all that they reach and to memory
    from outside.
    """

    def __init__(
        self, unit: tree.TranslationUnit, main: str, opaque: frozenset[str], changes_pointers: bool = False
    ) -> None:
        self._unit, self._opaque, self._model = unit, opaque, unit.data_model
        self.changes_pointers = changes_pointers
        super().__init__()
        while True:
            before = len(self.exposed), self.tracks
            self._begin()
            self._solve(main)
            if (len(self.exposed), self.tracks) == before:
                break

    def _begin(self) -> None:
        self.escaped: dict[str, Object] = {}
        """Objects whose address is taken."""
        self._memo: dict[int, Class | None] = {}
        self._contents: dict[str, Class] = {}
        self._literals: dict[int, Class] = {}
        self._functions: dict[str, Class] = {}
        self._results: dict[str, Class] = {}
        self._ignored: set[int] = set()
        self._pending: list[str] = []
        self.reachable: dict[str, None] = {}
        self._calls: dict[int, tree.Call] = {}
        self._outside = Outside()
        self._undefined = Undefined()
        self.indirect: dict[int, tuple[str, ...]] = {}
        """The functions that each call through a pointer may call."""
        self._globals = {one.object.name: one for one in self._unit.globals}

    def _solve(self, main: str) -> None:
        self._reach(main)
        for one in self._unit.functions[main].parameters:
            if isinstance(one.type, Pointer):
                self.target(self.content(one), None).opaque = True
        while True:
            while self._pending:
                self._function(self._pending.pop(0))
            if self._indirect_calls() or self._mix() or self._pending:
                continue
            changed = self._outside.spread(self._every(), list(self._calls.values()), self.value)
            for call in self._calls.values():
                if self.may_be_unknown(call.function) or not all(
                    map(self._is_defined, self.indirect.get(id(call), ()))
                ):
                    self._undefined.calls[id(call)] = call
            changed |= self._undefined.give_back(self.value)
            if self.changes_pointers:
                changed |= self._undefined.exchange(self.value)
            if not changed:
                break

    def _reach(self, name: str) -> None:
        declared = self._unit.functions.get(name)
        is_new = name not in self.reachable and name not in self._opaque
        if is_new and declared is not None and declared.body is not None:
            self.reachable[name] = None
            self._pending.append(name)

    def _function(self, name: str) -> None:
        body = self._unit.functions[name].body
        assert body is not None
        for node in nodes(body):
            if isinstance(node, tree.Return) and node.value is not None:
                self._store(self.result(name), None, node.value)
            self._visit(node)

    def _visit(self, node: tree.Node) -> None:
        match node:
            case tree.Declaration(object=object_, initialiser=initialiser) if initialiser is not None:
                self._initialise(object_, initialiser)
            case tree.Variable() | tree.Index() | tree.Member() | tree.Dereference() | tree.StringLiteral():
                self.place(node)
            case tree.CompoundLiteral() | tree.Temporary():
                self.place(node)
            case tree.TypedNode():
                self.value(node)  # type: ignore[arg-type]
                if isinstance(node, tree.Binary) and not is_null(node.left) and not is_null(node.right):
                    pointers = as_pointers(node)
                    self._outside.compared.extend(() if pointers is None else (pointers,))
            case _:
                pass

    def _initialise(self, object_: Object, initialiser: tree.Initialiser) -> None:
        for entry in initialiser.entries:
            key, fixed = self.entry_key(object_, entry)
            node, value = self.content(object_), self.value(entry.value)
            if fixed:
                self._in_union(node, key)
                self.escaped[object_.name] = object_
            if value is not None and isinstance(entry.value.type, Record) and (fixed or is_union(entry.value.type)):
                self._copy_joint(node, key, value, entry.value.type)
            else:
                self._store(node, key, entry.value)
            if fixed and self.holds(entry.value.type):
                self._view(target_of(node, key), entry.value.type)

    def _indirect_calls(self) -> bool:
        changed = False
        for call in list(self._calls.values()):
            found = self.value(call.function)
            names = () if found is None else tuple(sorted(find(found).functions))
            if names != self.indirect.get(id(call), ()):
                changed = True
                for name in names:
                    self._bind(call, name)
                self.indirect[id(call)] = names
        return changed

    def _mix(self) -> bool:
        """Classes that are seen through two types at `void *`, or copied from between elements, are mixed.

        From then on, numbers carry addresses.
        """
        changed = False
        for node in self._every():
            node = find(node)
            if not node.mixed and (len(node.views) > 1 or node.is_crossed):
                join(node, new_mixed())
                changed = True
            if node.unknown and not node.defined:
                changed |= self._lead(node)
            if node.numbers and not node.defined and not node.opaque:
                node.opaque = changed = True
            self.tracks |= node.mixed
        return changed

    def _lead(self, node: Class) -> bool:
        """A number that is made of no pointer may be that of any pointer of which a number is made."""
        exposed = [one for one in self._every() if one.exposed and one.defined and not one.functions]
        for one in exposed:
            join(one, node)
        return bool(exposed)

    def _every(self) -> list[Class]:
        """The classes, each once."""
        known = (*self._memo.values(), *self._contents.values(), *self._literals.values())
        return list({id(find(one)): find(one) for one in known if one is not None}.values())

    def may_be_undefined(self, call: tree.Call) -> bool:
        """Whether the call may be one of an undefined function that writes what it is given."""
        return id(call) in self._undefined.calls

    def escaping(self, call: tree.Call) -> tuple[Class, ...]:
        """The classes that an undefined function reaches through the arguments of a call."""
        return self._undefined.escaping(call, self.value)

    def written(self, call: tree.Call) -> tuple[Class, ...]:
        """Objects that it may write to: not those to which parameters lead as `const`."""
        read_only = frozenset(k for k in range(len(call.arguments)) if reads_only(call.function.type, k))
        return self._undefined.escaping(call, self.value, read_only)

    def may_be_unknown(self, pointer: tree.Expression) -> bool:
        """Whether the pointer may point to what the program does not make."""
        found = self.value(pointer)
        return found is None or find(found).opaque

    # Classes

    @property
    def numbered(self) -> tuple[str, ...]:
        """The functions whose address may become a number."""
        return tuple(name for name, node in self._functions.items() if find(node).exposed)

    def mentions(self, object_: Object) -> bool:
        """Whether the object is mentioned."""
        return object_.name in self._contents

    def content(self, object_: Object) -> Class:
        """The class of an object."""
        class_ = self._contents.get(object_.name)
        if class_ is None:
            class_ = self._contents[object_.name] = Class()
            class_.objects[object_.name] = object_
            class_.defined = True
            class_.volatile = object_.storage is not Storage.STATIC
            class_.opaque = object_.storage is Storage.EXTERNAL
            declared = self._globals.get(object_.name)
            if declared is not None and declared.initialiser is not None:
                for node in nodes(declared.initialiser):
                    if isinstance(node, tree.TypedNode):
                        self._visit(node)
                self._initialise(object_, declared.initialiser)
        return find(class_)

    def result(self, function: str) -> Class:
        if function not in self._results:
            self._results[function] = Class()
        return find(self._results[function])

    def target(self, node: Class, key: FieldKey) -> Class:
        return target_of(node, key)

    def _store(self, node: Class, key: FieldKey, e: tree.Expression) -> None:
        value = self.value(e)
        if value is None:
            return
        if isinstance(e.type, Record):
            self._copy(node, value, e.type)
        elif self.holds(e.type):
            join(target_of(node, key), value)

    def _copy_joint(self, node: Class, key: FieldKey, value: Class, type_: CType) -> None:
        """A record is copied to a union, where its pointers may be read in any type."""
        for inner in self.pointer_keys(type_):
            join(target_of(node, key), target_of(value, inner))
            join(target_of(node, key), new_mixed())

    def _store_in(self, node: Class, target: tree.Lvalue, e: tree.Expression) -> None:
        value = self.value(e)
        if value is not None and is_joint(target):
            self._copy_joint(node, self.key(target), value, e.type)
        else:
            self._store(node, self.key(target), e)

    def _copy(self, target: Class, source: Class, type_: CType) -> None:
        for key in self.pointer_keys(type_):
            join(target_of(target, key), target_of(source, key))

    def _copy_array(self, e: tree.Assign) -> None:
        """An array is assigned as a whole where a library function copies it."""
        if not isinstance(e.value, tree.Load):
            return
        target, source = self.place(e.target), self.place(e.value.lvalue)
        keys = zip(
            self.pointer_keys(e.type, self.key(e.target)),
            self.pointer_keys(e.type, self.key(e.value.lvalue)),
            strict=True,
        )
        for one, other in keys:
            join(target_of(target, one), target_of(source, other))

    # Lvalues

    def place(self, lvalue: tree.Lvalue) -> Class:
        """The class of the object that the lvalue is a part of."""
        match lvalue:
            case tree.Variable(object=object_):
                return self.content(object_)
            case tree.Index():
                self.value(lvalue.index)
                return self.place(lvalue.array)
            case tree.Member():
                return self._member(lvalue)
            case tree.Dereference():
                class_ = self.value(lvalue.pointer)
                return Class() if class_ is None else find(class_)
            case tree.CompoundLiteral(object=object_):
                self._initialise(object_, lvalue.initialiser)
                return self.content(object_)
            case tree.StringLiteral():
                literal = find(self._literals.setdefault(id(lvalue), Class()))
                literal.defined = literal.anonymous = True
                return literal
            case tree.Temporary():
                class_ = find(self._literals.setdefault(id(lvalue), Class()))
                class_.anonymous = True
                value = self.value(lvalue.value)
                if value is not None:
                    self._copy(class_, value, lvalue.value.type)
                return find(class_)

    def _member(self, lvalue: tree.Member) -> Class:
        node = self.place(lvalue.base)
        if is_union(lvalue.base.type):
            self._in_union(node, self.key(lvalue))
            base = root(lvalue)
            if isinstance(base, tree.Variable | tree.CompoundLiteral):
                self.escaped[base.object.name] = base.object
        return find(node)

    def _in_union(self, node: Class, key: FieldKey) -> None:
        """Members of a union are told apart by nothing, and may be bytes of addresses."""
        self.tracks = True
        if key is None and not find(node).mixed:
            join(node, new_mixed())

    def _expose(self, lvalue: tree.Lvalue) -> None:
        inner, base = strip(lvalue), root(lvalue)
        if in_union(lvalue) is not None:
            join(self.place(lvalue), new_mixed())
        if isinstance(inner, tree.Member) and isinstance(inner.base.type, Record):
            self.exposed.add((inner.base.type, inner.field.name))
        if isinstance(base, tree.Variable | tree.CompoundLiteral):
            self.escaped[base.object.name] = base.object

    # Values: the class that a pointer points to; for a Record, a class with its contents

    def value(self, e: tree.Expression) -> Class | None:
        if id(e) not in self._memo:
            found = self._value(e)
            if found is None and (isinstance(e.type, Record) or self.holds(e.type)):
                found = Class()
            if found is not None and isinstance(e.type, Pointer):
                self._outside.pointers.append((e.type, found))
            self._memo[id(e)] = found
        known = self._memo[id(e)]
        return None if known is None else find(known)

    def _value(self, e: tree.Expression) -> Class | None:
        match e:
            case tree.FunctionAddress(function=name):
                node = self._functions.setdefault(name, Class())
                node.functions[name] = None
                node.defined = True
                return node
            case tree.Load():
                return self._loaded(self.place(e.lvalue), e.lvalue)
            case tree.AddressOf() | tree.Decay():
                if id(e) not in self._ignored:
                    self._expose(e.lvalue)
                return self._moved(self.place(e.lvalue), step_to(e.lvalue, self._model))
            case tree.Convert():
                return self._convert(e)
            case tree.PointerOffset():
                if is_null(e.pointer):
                    return self.value(e.offset)
                return self._moved(self.value(e.pointer), step_of(e.type, e.offset, self._model))
            case tree.PointerDifference():  # from one object to another, where the program uses it so
                self._joined(e.left, e.right)
                return None
            case tree.Conditional():
                return self._choice(e)
            case tree.Assign(type=Array()):
                self._copy_array(e)
                return None
            case tree.Assign():
                node = self.place(e.target)
                self._store_in(node, e.target, e.value)
                return self._loaded(node, e.target)
            case tree.CompoundAssign():
                self._store(self.place(e.target), self.key(e.target), e.value)
                held = self._loaded(self.place(e.target), e.target)
                return self._moved(held, step_of(e.target.type, e.value, self._model))
            case tree.Increment():
                held = self._loaded(self.place(e.target), e.target)
                return self._moved(held, step_of(e.target.type, None, self._model))
            case tree.Unary(operator=operator) if operator is not UnaryOperator.NOT:
                return self.value(e.operand)
            case tree.Binary() if e.operator not in COMPARISONS:
                return self._joined(e.left, e.right)
            case tree.Call():
                return self._call(e)
            case tree.Comma():
                return self.value(e.right)
            case tree.StatementExpression(value=value) if value is not None:
                return self.value(value)
            case _:
                return None

    def _moved(self, node: Class | None, step: int) -> Class | None:
        """The class of a pointer that is moved by multiples of a number of bytes."""
        if node is not None:
            node.step = gcd(node.step, step)
        return node

    def _loaded(self, node: Class, lvalue: tree.Lvalue) -> Class | None:
        if self.holds(lvalue.type):
            found = target_of(node, self.key(lvalue))
            if in_union(lvalue) is not None:
                self._view(found, lvalue.type)
            return found
        if is_joint(lvalue):
            whole = Class()
            for key in self.pointer_keys(lvalue.type):
                join(target_of(whole, key), target_of(node, self.key(lvalue)))
                join(target_of(whole, key), new_mixed())
            return whole
        return node if isinstance(lvalue.type, Record) else None

    def _view(self, node: Class, type_: CType) -> None:
        """A pointer in a union may be loaded in another type than it was stored."""
        if isinstance(type_, Pointer) and not isinstance(type_.target, Void):
            add_view(node, type_.target)

    def _choice(self, e: tree.Conditional) -> Class | None:
        then, otherwise = self.value(e.then), self.value(e.otherwise)
        if then is not None and otherwise is not None and isinstance(e.type, Record):
            node = Class()
            self._copy(node, then, e.type)
            self._copy(node, otherwise, e.type)
            return node
        return self._joined(e.then, e.otherwise)

    def _joined(self, left: tree.Expression, right: tree.Expression) -> Class | None:
        one, other = self.value(left), self.value(right)
        if one is not None and other is not None:
            join(one, other)
        return other if one is None else one

    def _convert(self, e: tree.Convert) -> Class | None:
        value = self.value(e.operand)
        if not isinstance(e.type, Pointer) or not isinstance(e.operand.type, Pointer):
            return self._number(e, value)
        if is_null(e):
            return None
        assert value is not None
        value.copied = lcm(value.copied, copied_unit(e, self._model))
        source, target = e.operand.type.target, e.type.target
        if id(e) in self._ignored or (isinstance(source, Signature) and isinstance(target, Signature)):
            return value
        if isinstance(source, Void) and isinstance(target, Void):
            return value
        if isinstance(source, Void) or isinstance(target, Void):
            add_view(value, target if isinstance(source, Void) else source)
        elif not same_representation(source, target):
            join(value, new_mixed())
        return value

    def _number(self, e: tree.Convert, value: Class | None) -> Class | None:
        """A conversion that has a number on one side: numbers are seen as nothing, as `void *` is."""
        if value is not None and isinstance(e.operand.type, Pointer):
            value.exposed = True
        if is_null(e) or not self.holds(e.type):
            return None
        if isinstance(e.type, Pointer):
            self.tracks |= constant(e) is None
            value = Class() if value is None else value
            value.numbers, value.step = True, 1
            value.unknown |= constant(e) is None
        if value is not None:
            for type_ in (e.type, e.operand.type):
                if isinstance(type_, Pointer) and not isinstance(type_.target, Void):
                    add_view(value, type_.target)
        return value

    # Calls

    def _call(self, call: tree.Call) -> Class | None:
        name = callee(call)
        if name is None:
            self._calls[id(call)] = call
            return Class() if isinstance(call.type, Record) or self.holds(call.type) else None
        return self._direct(call, name)

    def _is_defined(self, name: str) -> bool:
        declared = self._unit.functions.get(name)
        return declared is not None and declared.body is not None and name not in self._opaque

    def _direct(self, call: tree.Call, name: str) -> Class | None:
        if self._is_defined(name):
            self._reach(name)
            self._arguments(call, name)
            return target_of(self.result(name), None) if self.holds(call.type) else self.result(name)
        reads = is_output(name) or name in self._opaque or name in _CHECKS or name.startswith(FLOAT_STEP)
        function = library_function(name)
        if not function.makes_object:
            for argument in call.arguments:
                while isinstance(argument, tree.Convert | tree.AddressOf | tree.Decay):
                    if reads or isinstance(argument, tree.Convert):
                        self._ignored.add(id(argument))
                    if not isinstance(argument, tree.Convert):
                        break
                    argument = argument.operand
        is_lowered = function.lowered or function.question is not None or name == ALLOCATED
        if not reads and not is_lowered:
            self._undefined.calls[id(call)] = call
        node = Class()
        node.volatile = function.allocates is not Allocated.ZEROS
        node.defined = function.makes_object
        node.anonymous = True
        node.opaque = not node.defined and not isinstance(call.type, Integer)
        if isinstance(call.type, Record):
            for key in self.pointer_keys(call.type):
                target_of(node, key).opaque = True
        return node if isinstance(call.type, Record) or self.holds(call.type) else None

    def _arguments(self, call: tree.Call, name: str) -> None:
        for parameter, argument in zip(self._unit.functions[name].parameters, call.arguments, strict=False):
            value = self.value(argument)
            if value is not None and not is_null(argument):
                self._seen_as(value, argument.type, parameter.type)
            self._store(self.content(parameter), None, argument)

    def _seen_as(self, value: Class, source: CType, target: CType) -> None:
        """A pointer changes its type without a conversion."""
        if not isinstance(source, Pointer) or not isinstance(target, Pointer):
            return
        for one, other in ((source.target, target.target), (target.target, source.target)):
            if isinstance(one, Void) and not isinstance(other, Void):
                add_view(value, other)
                return
        if not same_representation(source, target):
            join(value, new_mixed())

    def _bind(self, call: tree.Call, name: str) -> None:
        result = self.value(call)
        if not self._is_defined(name):
            if result is not None and not isinstance(call.type, Integer):
                find(result).opaque = True
            return
        self._reach(name)
        self._arguments(call, name)
        if result is not None:
            if isinstance(call.type, Record):
                self._copy(result, self.result(name), call.type)
            else:
                join(result, target_of(self.result(name), None))
                self._seen_as(result, self._unit.functions[name].type.result, call.type)
