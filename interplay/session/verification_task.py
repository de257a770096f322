"""Verification tasks: the C files, their data model and the property that a request names, directly or by a task
definition.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from core.dataclass import dataclass
from core.program.properties import (
    NO_KINDS,
    UNDEFINED_BEHAVIOUR,
    CheckKind,
    Kinds,
    PropertyKind,
    kinds_of,
    selected,
)
from frontend.api import Parsed, parse_sources
from frontend.options import NOTHING_ASSUMED, Acsl, Argc, AssumedFunctions, Malloc, Preprocessing, SourceFile, Volatile
from frontend.preprocessing.compiler_flags import CompilerFlags
from frontend.properties.errors import NoReach, Reach, UnreachCall
from frontend.properties.task import Property, TaskDefinition, TaskProperty, parse_properties, parse_task
from frontend.source import Diagnostic, NoSuchFile, ParseError, Span, Unsupported, point
from frontend.typed.ctype import DATA_MODELS, DataModel
from interplay.session.compile_commands import NAME, CompileCommand, read_compile_commands
from interplay.session.flags import agreed_model, joined_flags, with_own_flags
from interplay.session.options import Section
from interplay.session.request import TASK_DEFINITIONS, Request, chosen_words, files_of
from interplay.session.services import ReadFile
from resources import resource_text
from runs.jsondata import Malformed

if TYPE_CHECKING:
    from frontend.elaboration.instrumentation import Instrumentation
    from frontend.preprocessing.preprocess import ReadHeader
    from frontend.typed.tree import TranslationUnit
    from frontend.witness.reader import Given


@dataclass(frozen=True)
class VerificationTask:
    """A program with the property to verify. `property` is None where none is named: then every assertion counts.

    `inputs` are its C files. `sources` has every text that was read, also headers, once `header` has read them.
    `kinds` is the undefined behaviour that is checked as well, by the kind or as the property requires. `witness` is a
    witness to examine, if any. `entry` is the function in which the program starts. `flags` has what flags of the
    compiler say of all files together, and `is_default` says that nobody chose the data model. `malloc` says whether
    allocation may fail, `volatile` what reads of volatile objects are, `argc` how many arguments the program may get,
    `assumed` what functions without a body do.
    """

    inputs: tuple[SourceFile, ...]
    data_model: DataModel
    property: Reach
    sources: Mapping[str, str]
    header: ReadHeader
    asked_acsl: Acsl | None = None
    kinds: Kinds = field(default_factory=lambda: NO_KINDS)
    witness: Given | None = None
    entry: str = "main"
    flags: CompilerFlags = field(default_factory=CompilerFlags)
    is_default: bool = False
    malloc: Malloc = Malloc.SUCCEEDS
    volatile: Volatile = Volatile.MEMORY
    argc: Argc = Argc.ANY
    assumed: AssumedFunctions = NOTHING_ASSUMED
    syntax: Parsed = field(default_factory=dict, compare=False, repr=False)  # of what was read

    def acsl(self) -> Acsl:
        """The treatment of annotations: they are claims where the user says so, and where no property is named."""
        if self.asked_acsl is not None:
            return self.asked_acsl
        return Acsl.READ if self.property is None else Acsl.IGNORED

    def parsed(self, instrumentation: Instrumentation | None = None) -> TranslationUnit:
        """The typed tree of the program. Raises `FrontendError`."""
        given = self.inputs, self.data_model, self.acsl(), instrumentation, self.header, self.volatile, self.syntax
        unit = parse_sources(*given)
        self._check_assumed(unit)
        no_return = unit.no_return | self.assumed.endless
        warnings = (*unit.warnings, *self._assumed_in_vain(unit))
        return replace(
            unit, malloc=self.malloc, argc=self.argc, no_return=no_return, assumed=self.assumed, warnings=warnings
        )

    def _check_assumed(self, unit: TranslationUnit) -> None:
        """Raise `ParseError` where something is assumed of a function of which more is known."""
        names = sorted(self.assumed.harmless | self.assumed.endless)
        if names:
            from frontend.libc.names import is_library_function  # few assume anything

        for name in names:
            declared = unit.functions.get(name)
            if declared is not None and declared.body is not None:
                raise ParseError(declared.span, f"{name} is defined: its body says what it does")
            if is_library_function(name):
                raise ParseError(self._assumed_at(name), f"{name} is a function of the library: C says what it does")

    def _assumed_in_vain(self, unit: TranslationUnit) -> Iterator[Diagnostic]:
        """A warning for each function of which something is assumed, and that the program does not have."""
        unknown = (self.assumed.harmless | self.assumed.endless) - unit.functions.keys()
        if unknown:
            from frontend.typed.library_table import similar_of  # few assume anything

        for name in sorted(unknown):
            like = similar_of(name, unit.functions)
            meant = f"; did you mean {like}?" if like else ""
            told = f"there is no function {name}, of which something is assumed{meant}"
            yield Diagnostic(self._assumed_at(name), told)

    def _assumed_at(self, name: str) -> Span:
        """The place of what is assumed of a function: the option that says so."""
        return point("--changes-nothing" if name in self.assumed.harmless else "--never-returns", 1, 0)


class _Recorded:
    """Reads files and remembers them, for the run file."""

    def __init__(self, files: ReadFile) -> None:
        self._files = files
        self.texts: dict[str, str] = {}

    def __call__(self, name: str) -> str:
        if name not in self.texts:
            self.texts[name] = self._files(name)
        return self.texts[name]

    def header(self, name: str) -> str | None:
        """The text of a header; None where there is none."""
        try:
            return self(name)
        except (NoSuchFile, Malformed, FileNotFoundError):
            return None


def read_verification_task(request: Request, read_file: ReadFile) -> VerificationTask:
    """Read the verification task of a request: everything but headers. Raises `FrontendError` and `OSError`."""
    read = _Recorded(read_file)
    definition = _definition(request.task, read)
    named = files_of(request) if definition is None else (*map(str, definition.inputs), *request.files)
    inputs, flags = _inputs(request, named, read)
    if request.buffer is not None:
        inputs = (*inputs, fuzzing(request.buffer))
    witness = None if request.witness is None else _witness(request.witness, read)
    if request.entry and (request.buffer is not None or request.witness is not None):
        raise ParseError(point("--entry", 1, 0), "a fuzz target, and a program with a witness, start in main")
    entry = request.entry or "main"
    asked = _property(request.property, definition, read, entry)
    if witness is not None and request.witness is not None and not request.property:
        asked = _agreed(witness, request.witness, definition, asked, read)
    chosen = _data_model(request, definition, witness)
    model = agreed_model(flags, chosen)
    told = joined_flags(tuple(flags.values()))
    kinds = {**_selected(request.checks, told), **(asked.kinds if asked else NO_KINDS)}
    reach = asked.reach if asked else None
    if witness is not None and not request.property and isinstance(reach, UnreachCall):
        # Formats of witnesses have no word for assertions: where no text has the function, it stands for them.
        reach = reach if any(reach.function in one.text for one in inputs) else None
    is_default = chosen is None and all(one.target is None for one in flags.values())
    is_task = definition is not None or asked is not None  # then the rules of SV-COMP hold
    malloc = request.malloc or _malloc_by_default(NO_KINDS if is_task else kinds)
    volatile = request.volatile or (Volatile.MEMORY if is_task else Volatile.ARBITRARY)
    argc = request.argc or (Argc.ANY if is_task else Argc.AT_LEAST_ONE)
    given = inputs, model, reach, read.texts, read.header, request.acsl, kinds, witness, entry
    assumed = AssumedFunctions(frozenset(request.changes_nothing), frozenset(request.never_returns))
    return VerificationTask(*given, told, is_default, malloc, volatile, argc, assumed)


def _selected(checks: tuple[str, ...], flags: CompilerFlags) -> Kinds:
    """The kinds that are asked for; overflow, which `-fwrapv` defines, is none of them where all others are."""
    kinds = selected(checks)
    is_defined = flags.wraps and all(one.value in checks for one in UNDEFINED_BEHAVIOUR)
    return {kind: name for kind, name in kinds.items() if not (is_defined and kind is CheckKind.OVERFLOW)}


def _malloc_by_default(kinds: Kinds) -> Malloc:
    """Whether allocation may fail, by the kinds of checks that are asked for without a property of SV-COMP."""
    return Malloc.MAY_FAIL if CheckKind.NULL in kinds or CheckKind.DANGLING in kinds else Malloc.SUCCEEDS


def fuzzing(size: int) -> SourceFile:
    """A `main` that calls the target of libFuzzer with any input of at most `size` bytes, in memory of its length."""
    text = resource_text("harness", "fuzzing.c")
    return SourceFile("<fuzzing.c>", text, Preprocessing(define=(f"INTERPLAY_BUFFER={size}",)))


def _inputs(
    request: Request, named: Sequence[str], read: ReadFile
) -> tuple[tuple[SourceFile, ...], Mapping[str, CompilerFlags]]:
    """The C files with what is said of their texts, by the command line and a compilation database; and their flags.

    The flags of a file that a database does not have are only those of the command line.
    """
    told, nothing = _preprocessing(request), CompilerFlags()
    chosen: Mapping[str, CompilerFlags | None] = dict.fromkeys(named, nothing)
    if request.compile_commands is not None:
        database = os.path.join(request.compile_commands, NAME)
        known = read_compile_commands(read(database), database)
        chosen = {name: _entry(name, known) for name in named} or {name: one.flags() for name, one in known.items()}
    flags = {name: with_own_flags(request.flags, one or nothing) for name, one in chosen.items()}
    inputs = tuple(
        SourceFile(name, read(name), _joined(one.preprocessing, told), _removed(request, name))
        for name, one in flags.items()
    )
    return inputs, {name: one for name, one in flags.items() if chosen[name] is not None or len(flags) == 1}


def _removed(request: Request, file: str) -> frozenset[str]:
    """The functions of a file whose bodies are to be left out."""
    pairs = [one.rpartition(":") for one in request.remove_body]
    path = os.path.abspath(file)
    ends = {where: os.sep + os.path.normpath(where).lstrip(os.sep) for where, _, _ in pairs}
    return frozenset(name for where, _, name in pairs if not where or path.endswith(ends[where]))


def _entry(name: str, known: Mapping[str, CompileCommand]) -> CompilerFlags | None:
    """The flags of a file in the database; None where it is not there."""
    absolute = os.path.abspath(name)
    return next((command.flags() for file, command in known.items() if os.path.abspath(file) == absolute), None)


def _preprocessing(request: Request) -> Preprocessing:
    both = {one.partition("=")[0] for one in request.define} & set(request.undefine)
    if both:
        raise ParseError(point("-U", 1, 0), f"the macro {min(both)} is both defined and undefined")
    return Preprocessing(
        request.include_path,
        request.system_path,
        request.define,
        request.undefine,
        request.include,
        request.std,
        request.folder,
    )


def _joined(flags: Preprocessing, told: Preprocessing) -> Preprocessing:
    """The flags of a database, with those of the command line before them."""
    mine = {one.partition("=")[0] for one in (*told.define, *told.undefine)}
    return Preprocessing(
        (*told.include, *flags.include),
        (*told.system, *flags.system),
        (*(one for one in flags.define if one.partition("=")[0] not in mine), *told.define),
        (*(one for one in flags.undefine if one not in mine), *told.undefine),
        (*told.forced, *flags.forced),
        flags.standard if told.standard is Preprocessing().standard else told.standard,
        told.folders,
        flags.quoted,
        flags.after,
        flags.library,
    )


def _witness(name: str, read: ReadFile) -> Given:
    from frontend.witness.reader import read_witness  # only who has a witness pays for it

    return read_witness(read(name), name)


def _agreed(
    witness: Given, file: str, task: TaskDefinition | None, asked: _Asked | None, read: ReadFile
) -> _Asked | None:
    """The property that a witness names, which the task must have; `asked` where the witness names none."""
    told = _told(witness, file)
    if told is None or task is None or not task.properties:
        return told or asked
    if told not in [one for _, one in _decidable_ones(task, read)[0]]:
        raise ParseError(point(file, 1, 1), "the witness is about another property than the task")
    return told


def _data_model(request: Request, task: TaskDefinition | None, witness: Given | None) -> DataModel | None:
    """The data model that the user, a task or a witness asks for; each of them may leave it open."""
    if request.data_model is not None and request.data_model in DATA_MODELS:
        return DATA_MODELS[request.data_model]
    of_task, told = task.data_model if task else None, witness.about.data_model if witness else ""
    if told not in DATA_MODELS:
        return of_task
    if of_task is not None and of_task.name != told and request.witness is not None:
        raise ParseError(point(request.witness, 1, 1), f"the witness is about {told}, the task about {of_task.name}")
    return DATA_MODELS[told]


def _told(witness: Given, file: str) -> _Asked | None:
    """The property that a witness names, in any of the usual notations."""
    text = witness.about.specification.strip()
    if not text:
        return None
    lines = re.split(r"(?=CHECK\s*\()", text) if "CHECK" in text else [f"CHECK( init(main()), LTL({text}) )"]
    return _decidable(parse_properties("\n".join(" ".join(line.split()) for line in lines), file))


def specification(task: VerificationTask) -> str:
    """The property in the notation of SV-COMP, a line for each part."""
    formulas: dict[str, None] = {}
    if task.property is None or isinstance(task.property, UnreachCall):
        function = (task.property or UnreachCall()).function
        formulas[PropertyKind.UNREACH_CALL.row.formula.format(function)] = None
    for kind, name in task.kinds.items():
        asked = PropertyKind(name) if name in list(PropertyKind) else kind.row.properties[0]
        formulas[asked.row.formula] = None
    return "\n".join(f"CHECK( init({task.entry}()), LTL({formula}) )" for formula in formulas)


def description(task: VerificationTask, request: Request, texts: Mapping[str, str]) -> Iterator[str]:
    """A description of the question that `request` asks: the texts with their hashes, the property, and all options.

    `texts` are those that were read, headers among them.
    """
    inputs = {one.file: one for one in task.inputs}
    for one in task.inputs:
        yield f"Program: {one.file} ({task.data_model}), SHA-256 {_digest(one.text)}"
        if request.compile_commands is not None:
            yield f"  read with: {shlex.join(_words_of(one.preprocessing)) or 'no flags'}"
    for name, text in texts.items():
        if name not in inputs:
            yield f"Read, too: {name}, SHA-256 {_digest(text)}"
    is_asked = task.property is not None or bool(task.kinds)
    asked = [" ".join(specification(task).split("\n")) if is_asked else "no assertion fails"]
    asked += ["no annotation fails"] if task.acsl() is Acsl.READ else []
    if task.entry != "main":
        yield f"Start: {task.entry}"
    yield f"Property: {', '.join(asked)}"
    words = shlex.join(chosen_words(request, (Section.SOURCES, Section.QUESTION)))
    if words:
        yield f"Options: {words}"


def _digest(text: str) -> str:
    from hashlib import sha256

    return sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def _words_of(told: Preprocessing) -> Iterator[str]:
    """The flags that give a compiler these options."""
    paths = {"-iquote": told.quoted, "-I": told.include, "-isystem": told.system, "-idirafter": told.after}
    flags = {**paths, "-D": told.define, "-U": told.undefine}
    for flag, values in {**flags, "-include": told.forced}.items():
        for value in values:
            yield from (flag, value)
    if told.standard is not Preprocessing().standard:
        yield f"-std={told.standard.value}"


def _definition(name: str, read: ReadFile) -> TaskDefinition | None:
    return parse_task(read(name), Path(name)) if name.endswith(TASK_DEFINITIONS) else None


@dataclass(frozen=True)
class _Asked:
    """The property that the lines of a property file form together."""

    reach: UnreachCall | NoReach
    kinds: Kinds


def _property(asked: str | None, task: TaskDefinition | None, read: ReadFile, entry: str) -> _Asked | None:
    """The requested property, by name or file; else that of the task about reachability; else its first.

    Of a task, only decidable properties count.
    """
    if asked is not None:
        return _decidable(_lines(asked, read), entry)
    if task is None or not task.properties:
        return None
    return _chosen(task, read)[1]


def property_to_decide(task: TaskDefinition, read: ReadFile) -> TaskProperty | None:
    """The property of a task that is verified where none is named, or None if it has none. Raises `FrontendError`."""
    return _chosen(task, read)[0] if task.properties else None


def _chosen(task: TaskDefinition, read: ReadFile) -> tuple[TaskProperty, _Asked]:
    found, refused = _decidable_ones(task, read)
    if not found:
        raise refused[0]
    return next((pair for pair in found if isinstance(pair[1].reach, UnreachCall)), found[0])


def _decidable_ones(
    task: TaskDefinition, read: ReadFile
) -> tuple[list[tuple[TaskProperty, _Asked]], list[Unsupported]]:
    """The decidable properties of a task, and the errors of the others."""
    refused: list[Unsupported] = []
    found: list[tuple[TaskProperty, _Asked]] = []
    for one in task.properties:
        try:
            found.append((one, _decidable(_lines(str(one.file), read))))
        except Unsupported as error:
            refused.append(error)
    return found, refused


def asks_for(asked: str, read: ReadFile) -> tuple[tuple[str, str], ...]:
    """Kind and argument of each line of a property file, or of the properties named. Raises `FrontendError`."""
    return tuple((one.kind.value, one.argument) for one in _lines(asked, read))


def _lines(asked: str, read: ReadFile) -> Sequence[Property]:
    """The lines of a property file, or a line for each property given by name."""
    names = asked.split(",")
    if any(name not in list(PropertyKind) for name in names):
        return parse_properties(read(asked), asked)
    return [_named(PropertyKind(name)) for name in names]


def _named(kind: PropertyKind) -> Property:
    function = UnreachCall().function if kind is PropertyKind.UNREACH_CALL else ""
    return Property(kind, function, "main", kind.value, point("--property", 1, 0))


_INSTEAD = {
    PropertyKind.VALID_MEMTRACK: "valid-memcleanup asks whether all memory is released when the program ends",
}
"""What to ask where a property is not supported."""


def _decidable(properties: Sequence[Property], entry: str = "main") -> _Asked:
    reach: UnreachCall | NoReach = NoReach()
    kinds: dict[CheckKind, str] = {}
    for property_ in properties:
        if property_.entry not in ("main", entry):
            raise Unsupported(
                property_.span, f"the program starts in {entry}; --entry {property_.entry} starts it there"
            )
        if property_.kind is PropertyKind.UNREACH_CALL:
            if isinstance(reach, UnreachCall):
                raise ParseError(property_.span, "one error function is expected")
            reach = UnreachCall(property_.argument)
        elif kinds_of(property_.kind):
            kinds.update(dict.fromkeys(kinds_of(property_.kind), property_.kind.value))
        else:
            instead = f"; {_INSTEAD[property_.kind]}" if property_.kind in _INSTEAD else ""
            raise Unsupported(property_.span, f"the property {property_.kind.value} is not supported{instead}")
    return _Asked(reach, kinds)
