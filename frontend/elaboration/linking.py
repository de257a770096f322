"""Translation units as one program: what links to what (C11 6.2.2, 6.9 and 6.2.7).

All units are elaborated into one state. A name with external linkage is one function or object of the program; what
only its unit can refer to gets a name of its own, `name#2`, where another unit has something of the same name. A struct
or union of several units is one type where its members agree: their layout and their types.

A function that is declared `inline` is taken as a function of its unit (C11 6.7.4 leaves open which definition a call
uses); where no unit defines it otherwise, units that only declare it have the first of these definitions.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from core.dataclass import dataclass
from frontend.elaboration.instrumentation import Instrumentation
from frontend.elaboration.scope import Defined, ProgramState, TypesDiffer
from frontend.elaboration.unit import UnitElaboration
from frontend.options import STARTER, EntryPoint
from frontend.parsing import syntax
from frontend.parsing.prepass import Prepared
from frontend.source import Annotation, FrontendError, ParseError, Span, Unsupported, raise_all
from frontend.typed import tree
from frontend.typed.ctype import DataModel
from frontend.typed.traversal import nodes


@dataclass(frozen=True, slots=True)
class ParsedUnit:
    """A translation unit that was parsed, with the ACSL comments of its text.

    The bodies of `removed` are left out; a static function is also meant by the name that harnesses for CBMC give it.
    With a `start`, the `requires` of the function that it starts are assumed.
    """

    prepared: Prepared
    declarations: Sequence[syntax.ExternalSyntax]
    annotations: tuple[Annotation, ...] = ()
    removed: frozenset[str] = frozenset()
    start: EntryPoint | None = None

    def has_body(self, node: syntax.ExternalSyntax) -> bool:
        """Whether it is a function whose body belongs to the program."""
        if not isinstance(node, syntax.FunctionDefinition) or not self.removed:
            return isinstance(node, syntax.FunctionDefinition)
        name, place = str(node.declaration.name), self.prepared.span(node.declaration.first, node.declaration.last)
        return self.removed.isdisjoint((name, _file_local(name, place)))


def elaborate(
    units: Sequence[ParsedUnit], model: DataModel, instrumentation: Instrumentation | None = None
) -> tree.TranslationUnit:
    """The typed tree of a program; ParseError where the rules of types, scopes or linkage are broken.

    It recurses as deep as the text.
    """
    names = _linked(units)
    while True:
        program, index = ProgramState(), 0
        files: list[tree.FileContents] = []
        errors: list[FrontendError] = []
        try:
            for index, unit in enumerate(units):
                before = _defined(program)
                try:
                    _elaborate_unit(unit, names[index], model, program, instrumentation)
                except FrontendError as error:
                    errors += (error, *error.others)
                own = (_defined(program) - before) | names[index].own
                files.append(tree.FileContents(unit.prepared.file, frozenset(own), names[index].static))
        except TypesDiffer as found:
            names[index] = replace(names[index], apart=names[index].apart | {found.tag})
            continue
        raise_all(errors)
        _assume_once(program)
        return replace(_program(units, names, model, program), files=tuple(files))


def _defined(program: ProgramState) -> set[str]:
    """The names of functions with a body, and of static objects within functions."""
    bodies = {name for name, one in program.functions.items() if one.body is not None}
    return bodies | {name for name, one in program.globals.items() if one.object.source_name != name}


def _elaborate_unit(
    source: ParsedUnit, names: Defined, model: DataModel, program: ProgramState, instrumentation: Instrumentation | None
) -> None:
    unit = UnitElaboration(source.prepared, model, names, program)
    unit.annotations.extend(source.annotations)
    unit.instrumentation = instrumentation or unit.instrumentation
    if source.start is not None and source.start.function:
        program.started, program.apart = names.name(source.start.function), source.start.apart
    errors: list[FrontendError] = []
    for node in source.declarations:
        if isinstance(node, syntax.FunctionDefinition) and not source.has_body(node):
            node = node.declaration
        try:
            unit.external(node)
        except FrontendError as error:
            errors += (error, *error.others)
            if not isinstance(node, syntax.FunctionDefinition):
                break  # what follows may need the declaration
            unit.leave_body()
    raise_all(errors)
    unit.finish()


def _assume_once(program: ProgramState) -> None:
    """Leave out the claims at the entry of a function that nothing calls but its start, which has assumed them."""
    state = program.functions.get(program.started)
    if state is None or state.body is None:
        return
    callers = (one.body for name, one in program.functions.items() if name != STARTER and one.body is not None)
    every = nodes(*program.globals.values(), *callers)
    if not any(isinstance(node, tree.FunctionAddress) and node.function == state.name for node in every):
        items = tuple(one for one in state.body.items if not any(one is claim for claim in program.required))
        state.body = tree.Compound(state.body.span, items)


def _program(
    units: Sequence[ParsedUnit], names: Sequence[Defined], model: DataModel, program: ProgramState
) -> tree.TranslationUnit:
    both = list(zip(units, names, strict=True))
    never = (own.name(name) for one, own in both for name in one.prepared.no_return)
    return tree.TranslationUnit(
        units[0].prepared.file,
        model,
        tuple(program.globals.values()),
        {
            one.name: tree.FunctionDeclaration(one.span, one.name, one.type, one.parameters, one.body)
            for one in program.functions.values()
        },
        tuple(annotation for one in units for annotation in one.annotations),
        program.diagnostics.entries(),
        frozenset(never),
        frozenset(program.constant_objects),
        enumerations=tuple(program.enumerations),
        alignments=dict(program.alignments),
        restricted={own.name(name): given for one, own in both for name, given in one.prepared.restricted.items()},
        nonnull={own.name(name): places for one, own in both for name, places in one.prepared.nonnull.items()},
        undecided=tuple(program.undecided),
        extents=dict(program.extents),
        has_volatile=any(one.prepared.has_volatile for one in units),
    )


# Names ----------------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Names:
    """The names of functions and objects at file scope of one unit."""

    functions: dict[str, Span]
    """Functions with a body."""
    bodiless: dict[str, Span]
    """Static ones whose bodies are left out."""
    objects: dict[str, Span]
    """Objects that are defined, also tentatively."""
    static: frozenset[str]
    inline: frozenset[str]
    """Functions with a body that are declared `inline`."""
    internal: frozenset[str]
    """Those that only the unit can refer to: static and inline ones."""
    weak: frozenset[str]
    mentioned: frozenset[str]
    """All words of the text."""

    def outer(self) -> Iterator[tuple[str, Span]]:
        """The definitions with their places."""
        yield from ((name, at) for name, at in (*self.functions.items(), *self.objects.items()))


def _linked(units: Sequence[ParsedUnit]) -> list[Defined]:
    """The names that each unit defines, and those, in the program, of what only it can refer to."""
    names = [_names(one) for one in units]
    _refuse_second_definitions(names)
    internal = _internal(names)
    functions = frozenset(
        own.get(name, name) for one, own in zip(names, internal, strict=True) for name in one.functions
    )
    objects = frozenset(own.get(name, name) for one, own in zip(names, internal, strict=True) for name in one.objects)
    return [
        Defined(
            functions,
            objects,
            own,
            own=frozenset(own.get(name, name) for name in (*one.functions, *one.objects)),
            static=frozenset(own.get(name, name) for name in one.static),
        )
        for one, own in zip(names, internal, strict=True)
    ]


def _names(unit: ParsedUnit) -> _Names:
    prepared = unit.prepared
    functions: dict[str, Span] = {}
    bodiless: dict[str, Span] = {}
    objects: dict[str, Span] = {}
    static: set[str] = set()
    function_types: set[str] = set()
    for node in unit.declarations:
        match node:
            case syntax.FunctionDefinition(declaration=syntax.DeclarationSyntax(name=str(name)) as declaration):
                if unit.has_body(node):
                    functions[name] = prepared.span(declaration.first, declaration.last)
                elif "static" in declaration.storage:
                    bodiless[name] = prepared.span(declaration.first, declaration.last)
                static |= {name} if "static" in declaration.storage else set()
            case syntax.DeclarationSyntax(name=str(name)) if "typedef" in node.storage:
                function_types |= {name} if _is_function(node.type, function_types) else set()
            case syntax.DeclarationSyntax(name=str(name)):
                static |= {name} if "static" in node.storage else set()
                if ("extern" not in node.storage or node.initialiser) and not _is_function(node.type, function_types):
                    objects.setdefault(name, prepared.span(node.first, node.last))
            case _:
                pass
    words = frozenset(token.text for token in prepared.tokens if token.kind == "ID")
    inline = prepared.inline & functions.keys() - static
    internal = inline | static
    return _Names(functions, bodiless, objects, frozenset(static), inline, internal, prepared.weak, words)


def _is_function(type_: syntax.TypeSyntax, known: set[str]) -> bool:
    if isinstance(type_, syntax.NamedType):
        return len(type_.names) == 1 and type_.names[0] in known
    return isinstance(type_, syntax.FunctionType)


def _file_local(name: str, place: Span) -> str:
    """The name by which harnesses for CBMC call a static function of another file (`goto-cc
    --export-file-local-symbols`).
    """
    return f"__CPROVER_file_local_{re.sub(r'[^A-Za-z0-9]', '_', os.path.basename(place.file))}_{name}"


def _refuse_second_definitions(names: Sequence[_Names]) -> None:
    """Refuse names with external linkage that two units define (C11 6.9)."""
    found: dict[str, tuple[_Names, Span]] = {}
    for one in names:
        for name, place in one.outer():
            if name in one.internal:
                continue
            first, earlier = found.setdefault(name, (one, place))
            if first is one:
                continue
            if name in one.weak | first.weak:
                raise Unsupported(place, f"{name!r} is defined here and at {earlier}, once weakly: not supported")
            raise ParseError(place, f"{name!r} is defined twice: here and at {earlier}")


def _internal(names: Sequence[_Names]) -> list[Mapping[str, str]]:
    """For each unit the names in the program of what only it can refer to, where other units have the name too."""
    renamings: list[dict[str, str]] = [{} for _ in names]
    if len(names) == 1:
        return list(renamings)
    count: dict[str, int] = {}
    taken: set[str] = set()
    for index, unit_names in enumerate(names):
        for name in sorted(unit_names.internal):
            place = unit_names.functions.get(name)
            exported_as = "" if place is None else _file_local(name, place)
            if name in unit_names.bodiless:
                renamings[index][name] = _file_local(name, unit_names.bodiless[name])
                continue
            if any(exported_as in other.mentioned for other in names) and exported_as not in taken:
                taken.add(exported_as)
                renamings[index][name] = exported_as
                continue
            others = [other for other in names if other is not unit_names and name in other.mentioned]
            outside = [other for other in others if name not in other.internal]
            exported = name in unit_names.inline and not any(name in dict(other.outer()) for other in outside)
            count[name] = count.get(name, 0) + 1
            if not others or ((exported or not outside) and count[name] == 1):
                continue
            renamings[index][name] = (
                f"{name}#{count[name] + 1}" if outside and not exported else f"{name}#{count[name]}"
            )
    return list(renamings)
