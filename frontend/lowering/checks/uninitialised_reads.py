"""The objects that may be read before something was written to them, judged by the form of the code.

These are automatic objects without definite assignment, what `malloc` gives, and all to which such an object may be
copied as it is: structs, arrays, characters, and blocks of memory.
"""

from __future__ import annotations

from collections.abc import Iterator

from frontend.large_stack import run_on_large_stack
from frontend.lowering.pointsto.analysis import PointsTo
from frontend.lowering.pointsto.classes import Class, find
from frontend.properties.errors import Effect, ErrorPolicy
from frontend.typed import tree
from frontend.typed.copies import copied_character
from frontend.typed.ctype import Array, Record, Void
from frontend.typed.definite_assignment import DefiniteAssignment, definite_assignment
from frontend.typed.library_table import Allocated, LibraryFunction, library_function
from frontend.typed.lvalues import root
from frontend.typed.traversal import callee, nodes


class UnsetObjects:
    """The objects of one program that may be without a value: those in variables by name, those in memory by class."""

    def __init__(self, unit: tree.TranslationUnit, points: PointsTo, errors: ErrorPolicy) -> None:
        self._points = points
        self.variables: dict[str, tree.Object] = {}
        self.classes: set[Class] = set()
        self.overwritten: set[Class] = set()
        """The classes that copies may leave without a value, static objects too."""
        bodies = {name: body for name in points.reachable if (body := unit.functions[name].body) is not None}
        for body in bodies.values():
            for one in unassigned(unit, body, errors):
                self._add(tree.Variable(one.span, one.type, one))
        every = [(node, name) for name, body in bodies.items() for node in nodes(body)]
        for node, _ in every:
            if isinstance(node, tree.Call) and _leaves_unset(library_function(callee(node))):
                found = points.value(node)
                self.classes.update(() if found is None else (find(found),))
        self._spread([one for node, name in every for one in self._copies(node, name)])

    def __bool__(self) -> bool:
        return bool(self.variables or self.classes)

    def includes(self, lvalue: tree.Lvalue) -> bool:
        """Whether a read of the lvalue may find no value."""
        base = root(lvalue)
        if isinstance(base, tree.Variable) and base.object.name not in self._points.escaped:
            return base.object.name in self.variables or self.is_passed(base.object)
        if isinstance(base, tree.Temporary):
            return bool(self)
        return find(self._points.place(lvalue)) in self.classes

    def is_passed(self, object_: tree.Object) -> bool:
        """Whether the object is a parameter of which parts may be passed without values."""
        return object_.storage is tree.Storage.PARAMETER and isinstance(object_.type, Record) and bool(self)

    def _add(self, target: tree.Lvalue) -> None:
        base = root(target)
        if isinstance(base, tree.Variable) and base.object.name not in self._points.escaped:
            self.variables[base.object.name] = base.object
        else:
            self.classes.add(find(self._points.place(target)))

    # Copies

    def _spread(self, copies: list[tuple[tree.Lvalue, tree.Expression]]) -> None:
        while True:
            before = len(self.variables), len(self.classes), len(self.overwritten)
            for target, value in copies:
                if self.includes(value.lvalue) if isinstance(value, tree.Load) else self:
                    self._add(target)
                    self.overwritten.add(find(self._points.place(target)))
            if (len(self.variables), len(self.classes), len(self.overwritten)) == before:
                return

    def _copies(self, node: tree.Node, function: str) -> Iterator[tuple[tree.Lvalue, tree.Expression]]:
        """The places that a node copies to, with what it copies."""
        match node:
            case tree.Assign(target=target, value=value) if isinstance(target.type, Record | Array):
                yield target, value
            case tree.Assign(target=target):
                copied = self.copied(node, function)
                if copied is not None:
                    yield target, copied
            case tree.Declaration(object=one, initialiser=given) if given is not None:
                for entry in given.entries:
                    if isinstance(entry.value.type, Record):
                        yield tree.Variable(one.span, one.type, one), entry.value
            case _:
                pass

    def copied(self, e: tree.Assign, function: str) -> tree.Load | None:
        """The scalar that an assignment in a function copies as it is: a character, or a part of a block of memory."""
        copied = copied_character(e, self._points.escaped)
        if copied is None and "!" in function and isinstance(e.value, tree.Load) and e.value.type == e.target.type:
            copied = e.value
        return copied


def may_lack_result(unit: tree.TranslationUnit, function: tree.FunctionDeclaration, errors: ErrorPolicy) -> bool:
    """Whether a function may end without the value that its type promises."""
    if function.body is None or function.name == "main" or isinstance(function.type.result, Void):
        return False
    if any(isinstance(node, tree.Return) and node.value is None for node in nodes(function.body)):
        return True
    return may_return(unit, function, errors)


def may_return(unit: tree.TranslationUnit, function: tree.FunctionDeclaration, errors: ErrorPolicy) -> bool:
    """Whether control may reach the closing brace of a function."""
    assert function.body is not None
    return _analysed(unit, function.body, errors).may_end


def _analysed(unit: tree.TranslationUnit, body: tree.Compound, errors: ErrorPolicy) -> DefiniteAssignment:
    def ends(name: str) -> bool:
        function = unit.functions.get(name)
        is_defined = function is not None and function.body is not None
        return (
            name in unit.no_return or errors.is_error(name) or (not is_defined and errors.effect_of(name) is Effect.END)
        )

    return run_on_large_stack(lambda: definite_assignment(body, ends))


def unassigned(unit: tree.TranslationUnit, body: tree.Compound, errors: ErrorPolicy) -> list[tree.Object]:
    """The automatic objects of a function without definite assignment.

    Where a jump may pass a declaration again, its object has no value then, whatever has its address.
    """

    found = _analysed(unit, body, errors).unassigned
    unset = {one.name: one for one, _ in found}
    every = list(nodes(body))
    if any(isinstance(node, tree.Goto) for node in every):
        declared = (one for one in every if isinstance(one, tree.Declaration) and one.initialiser is None)
        unset.update((one.object.name, one.object) for one in declared)
    return list(unset.values())


def _leaves_unset(function: LibraryFunction) -> bool:
    """Whether a function makes an object without values."""
    return function.makes_object and function.allocates is not Allocated.ZEROS
