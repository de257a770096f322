"""The program text of a native replay: the original with every input and every error tied to its place.

A call of an undefined function becomes a call of a function of that place (`reached` and values are thus keyed by
place, whatever is missing in the record); a declaration whose value was recorded gets that value; a label that is an
error gets a report in front of its statement. Edits stay within their lines. Where the text has something else than the
tree says, as at a macro, it cannot be edited.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace

from core.dataclass import dataclass
from core.program import InputKind
from core.program.span import Span
from core.terms import ArrayValue, Value
from core.verdict import InputValue
from frontend.elaboration.registers import address_of, is_register
from frontend.elaboration.volatile import read_before, read_of
from frontend.interpreter.external_writes import CallWrites
from frontend.interpreter.library import is_fresh
from frontend.interpreter.main_arguments import TooManyArguments, strings_of_main
from frontend.interpreter.outcome import CONTENTS, ELSEWHERE_SIZE, Inputs
from frontend.interpreter.parts import scalar_parts
from frontend.interpreter.statements import closing_brace
from frontend.libc.expansion import signals_itself
from frontend.libc.texts import ANY_ERRNO, FAILURE, INPUTS, NO_MEMORY
from frontend.options import START_MALLOC
from frontend.properties.errors import VOLATILE_READ, Effect, ErrorPolicy
from frontend.replay.harness import ELSEWHERE_SECTION, PREFIX, is_defined
from frontend.replay.source_edits import Text, TextToken
from frontend.replay.writers import Recorded, writing_function
from frontend.typed import tree
from frontend.typed.ctype import CType, Float, Integer, Pointer, Record, Void, is_scalar
from frontend.typed.jumps import jumps_of
from frontend.typed.library_table import BUILTIN, Form, library_function
from frontend.typed.traversal import unit_nodes

_MAX_BYTES = 200_000  # of recorded storage in the text that gcc compiles
_ASSERTIONS = (Effect.ASSERT, Effect.VERIFIER_ASSERT, Effect.ASSERT_FAIL)


class NotReplayable(Exception):
    """The program cannot be built for a native replay, for the reason given."""


@dataclass(slots=True)
class Instrumented:
    """An instrumented program.

    `errors` are the places of the numbered reports; `declarations` and `definitions` go before and beside each of the
    `texts`; `names` counts the functions that stand for inputs and errors, whose names begin with `prefix`. Other names
    of the definitions are those that the program has `declared` without one.
    """

    prefix: str = PREFIX
    texts: list[str] = field(default_factory=list)
    names: int = 0
    errors: list[Span] = field(default_factory=list)
    declarations: list[str] = field(default_factory=list)
    definitions: list[str] = field(default_factory=list)
    declared: set[str] = field(default_factory=set)


def instrument(
    texts: Sequence[Text],
    unit: tree.TranslationUnit,
    policy: ErrorPolicy,
    recorded: Sequence[InputValue],
    prefix: str = PREFIX,
) -> Instrumented:
    """Instrument the texts of the files of a program. Raises NotReplayable."""
    result = Instrumented(prefix)
    for text, part in zip(texts, files_of(unit), strict=True):
        work = SourceInstrumentation(text, unit, policy, recorded, result)
        for node in unit_nodes(part):
            work.visit(node)
        for function in part.functions.values():
            if function.body is not None:
                work.function(function)
        result.texts.append(text.result())
    work.stubs()
    work.elsewhere()
    defined = (name.partition("#")[0] for name, one in unit.functions.items() if one.body is not None)
    result.declarations += [f"#define {name} {prefix}{name}" for name in dict.fromkeys(defined) if _is_implicit(name)]
    result.declarations.append(f"#define {START_MALLOC} __builtin_malloc")
    return result


def _is_implicit(name: str) -> bool:
    """Whether gcc calls a function of this name where the text has no call: a definition of the program is another."""
    return library_function(name).implicit or re.fullmatch(r"__\w+i\d", name) is not None


def files_of(unit: tree.TranslationUnit) -> Iterator[tree.TranslationUnit]:
    """For each file of the program, the unit with the functions and static objects that it defines."""
    for one in unit.files:
        functions = {name: function for name, function in unit.functions.items() if name in one.names}
        yield replace(
            unit,
            functions=functions,
            globals=tuple(declared for declared in unit.globals if declared.object.name in one.names),
        )


class SourceInstrumentation:
    """Edits a text. Subclasses may draw the values of calls from elsewhere than what was recorded."""

    def __init__(
        self,
        text: Text,
        unit: tree.TranslationUnit,
        policy: ErrorPolicy,
        recorded: Sequence[InputValue],
        result: Instrumented,
    ) -> None:
        self.text = text
        self.result = result
        self._unit = unit
        self._policy = policy
        self._inputs = Inputs.of(recorded)
        self._edited: set[int] = set()
        self._callees: set[int] = set()  # what calls name themselves, by identity
        self._accesses: dict[int, tuple[Span, bool]] = {}  # by the call for a read; whether nothing is written
        self._has_addresses = any(address_of(node) is not None for node in unit_nodes(unit))

    def visit(self, node: tree.Node) -> None:
        match node:
            case tree.Call(function=tree.FunctionAddress(function=name) as callee):
                self._callees.add(id(callee))
                self._call(node, name)
            case tree.Call() if self._inputs.at(InputKind.EXTERN, node.span):
                raise NotReplayable(f"{node.span}: a function that the program does not make")
            case tree.FunctionAddress(function=name) if self._policy.is_error(name) and id(node) not in self._callees:
                raise NotReplayable(f"{node.span}: a pointer leads to {name}")
            case tree.Labeled(label=label) if label in self._policy.labels:
                self._label(node)
            case tree.Declaration():
                self._declaration(node)
            case tree.Comma(left=tree.Load(lvalue=lvalue), right=right) if (read := read_of(right)) is not None:
                self._accesses[id(read)] = lvalue.span, True
            case tree.Assign(target=target) if (read := read_before(node)) is not None:
                self._accesses[id(read)] = target.span, False
            case tree.Variable(object=one) if is_register(one):
                raise NotReplayable(f"{node.span}: an object at a constant address")
            case tree.Assembly():
                raise NotReplayable(f"{node.span}: inline assembly")
            case _:
                pass

    # Calls

    def _call(self, node: tree.Call, name: str) -> None:
        defined = self._unit.functions[name].body is not None
        if library_function(name).question is not None:
            raise NotReplayable(f"{node.span}: a question about memory")
        if isinstance(node.type, Record) and not defined:
            raise NotReplayable(f"{node.span}: the undefined function {name} returns a {node.type}")
        if self._policy.effect_of(name) is Effect.VOLATILE:
            self._volatile(node, name)
        elif self._policy.is_error(name):
            self._replace(node.span, name, self._error(node.type, node.span, ""))
        elif defined:
            return
        elif self._policy.effect_of(name) in _ASSERTIONS:
            if self._policy.asserts is Effect.ASSERT or self._policy.effect_of(name) is Effect.VERIFIER_ASSERT:
                self._assertion(node, name)
        elif self._allocates(node, name):
            pass
        elif library_function(name).form is Form.ITSELF and signals_itself(node, self._unit):
            self._replace(node.span, name, self._raising())
        elif any(one in self._inputs.at(InputKind.NONDET, node.span) for one in INPUTS):
            raise NotReplayable(f"{node.span}: what {name} reads")
        elif CallWrites.of(recorded := self._inputs.at(InputKind.INDETERMINATE, node.span)).leads:
            self._writing(node, name, recorded)
        elif not is_defined(name):
            self._input(node, name)

    def _assertion(self, node: tree.Call, name: str) -> None:
        """A call of `assert`, or the `__assert_fail` within what a header made of it."""
        if self.text.word_at(node.span, name) is not None:
            failing = self._policy.effect_of(name) is Effect.ASSERT_FAIL
            self._replace(node.span, name, self._error(node.type, node.span, "" if failing else "_Bool holds, ..."))
            return
        offset = self.text.offset(node.span)
        words = () if offset is None else self.text.words(offset)
        word = next((one for one in words if self._policy.effect_of(one.text) is Effect.ASSERT_FAIL), None)
        if word is None:
            raise _elsewhere(node.span, name)
        self._edit(word, self._error(Void(), node.span, ""))

    def _raising(self) -> str:
        """A fresh function that sends a signal to the process, whose number is its first argument."""
        name = self._fresh()
        self.result.declarations.append(f"extern int raise(int), {name}(int, int);")
        self.result.definitions.append(f"extern int raise(int); int {name}(int p, int s) {{ return raise(s); }}")
        return name

    def _error(self, type_: CType, span: Span, parameter: str) -> str:
        """A fresh function that reports the error at `span`; with a parameter, where that is 0."""
        name, number = self._fresh(), len(self.result.errors)
        self.result.errors.append(span)
        result = result_type(type_)
        self.result.declarations.append(f"extern {result} {name}({parameter});")
        condition = "!holds" if parameter else "1"
        rest = "" if result == "void" else " return 0;"
        self.result.definitions.append(
            f"{result} {name}({parameter}) {{ if ({condition}) {self.result.prefix}error({number});{rest} }}"
        )
        return name

    def _input(self, node: tree.Call, name: str) -> None:
        kind = InputKind.NONDET if self._policy.effect_of(name) is Effect.NONDET else InputKind.EXTERN
        values = _of_part(self._inputs.at(kind, node.span), name)
        if kind is InputKind.EXTERN and not values and not self.draws:
            return  # the stub of the function will do
        replacement = self._fresh()
        self._replace(node.span, name, self._spelled(node, name, replacement))
        self.result.definitions.append(self.source(replacement, node, _sequence(values)))
        if errno := self._errno(node.span):
            self.result.definitions[-1] = self.result.definitions[-1].replace("{ ", "{ " + errno, 1)

    def _errno(self, span: Span) -> str:
        """Code that sets errno to the next recorded value; none where all of them are 0."""
        values = _sequence(self._inputs.at(InputKind.NONDET, span).get(ANY_ERRNO, {}))
        if not any(values):
            return ""
        listed = ",".join(str(value if isinstance(value, int) else 0) for value in values)
        name = f"{self.result.prefix}errno"  # its storage may be defined as bytes
        begin = f'extern int {name} __asm__("errno"); static unsigned e; static const int codes[] = {{{listed}}};'
        return f"{begin} if (e < {len(values)}) {name} = codes[e++]; "

    def _writing(self, node: tree.Call, name: str, recorded: Recorded) -> None:
        """A call of a function that writes through its arguments."""
        kind = InputKind.NONDET if self._policy.effect_of(name) is Effect.NONDET else InputKind.EXTERN
        values = _sequence(_of_part(self._inputs.at(kind, node.span), name))
        signature = self._unit.functions[name].type
        types = signature.parameters if signature.prototype else tuple(one.type for one in node.arguments)
        last = max(one.argument for one in CallWrites.of(recorded).leads)
        if last >= len(types) or any(isinstance(one, Record) for one in types):
            raise NotReplayable(f"{node.span}: {name} writes through arguments, and is passed others by value")
        replacement, plain = self._fresh(), name.partition("#")[0]
        self._replace(node.span, name, f"({{extern __typeof__({plain}) {replacement}; {replacement};}})")
        parameters = ["unsigned char *" if isinstance(one, Pointer) else _plain(one) for one in types]
        numbers = [value if isinstance(value, int) else 0 for value in values]
        text = writing_function(replacement, result_type(node.type), parameters, numbers, recorded)
        self.result.definitions.append(text)

    draws = False  # whether there are values for calls that nothing was recorded for

    def source(self, name: str, call: tree.Call, values: Sequence[Value]) -> str:
        """The definition of the function `name` that stands for the undefined one at the call."""
        return _source(name, call.type, values)

    def _allocates(self, node: tree.Call, name: str) -> bool:
        """Whether a call is edited since it fails to allocate, or since its objects hold something from the start."""
        contents = self._inputs.at(InputKind.INDETERMINATE, node.span) if is_fresh(name) else {}
        function = library_function(name)
        failures = self._inputs.at(InputKind.EXTERN, node.span).get(function.name + FAILURE, {})
        if function.aligns and self._inputs.at(InputKind.INDETERMINATE, node.span):
            raise NotReplayable(f"{node.span}: what {name} finds in memory")
        allocator = self._filled(name, contents[CONTENTS]) if CONTENTS in contents else name
        if any(failures.values()):
            self._replace(node.span, name, self._failing(node, name, allocator, _sequence(failures)))
        elif allocator != name:
            self._replace(node.span, name, allocator)
        return bool(failures) or allocator != name

    def _failing(self, node: tree.Call, name: str, allocator: str, fails: Sequence[Value]) -> str:
        """An expression for one of two functions: that which fails, or `allocator`."""
        if name.startswith(BUILTIN):
            raise NotReplayable(f"{node.span}: {name} that fails")
        choice, failing, failed = self._fresh(), self._fresh(), library_function(name).fails
        self.result.declarations.append(f"extern int {choice}();")
        errno = f"{self.result.prefix}errno"
        no_memory = "" if failed else f'extern int {errno} __asm__("errno"); {errno} = {NO_MEMORY}; '
        listed = ",".join(str(int(one == 1)) for one in fails)
        self.result.definitions += [
            f"int {choice}() {{ {self._errno(node.span)}static unsigned k; static const char v[] = {{{listed}}};"
            " return k < sizeof v && v[k++]; }",
            f"{result_type(node.type)} {failing}() {{ {no_memory}return ({result_type(node.type)}){failed}; }}",
        ]
        return f"({{extern __typeof__({name}) {failing}; {choice}() ? {failing} : {allocator};}})"

    def _volatile(self, node: tree.Call, name: str) -> None:
        """A read of a volatile object, which gets the value before it is changed, or an object that stands for it."""
        words = re.findall(r"\w+", name.removeprefix(VOLATILE_READ).partition("#")[0])
        span, is_only_read = self._accesses.get(id(node), (node.span, True))
        extent = self.text.extent(span, words)
        is_whole = isinstance(node.type, Integer) and node.type.bits in (1, 8, 16, 32, 64)
        if extent is None or not is_whole or self._has_addresses:
            raise NotReplayable(f"{node.span}: a read of a volatile object")
        start, end = extent
        if start in self._edited:
            return
        self._edited.add(start)
        filler, pointer, size = self._fresh(), self._fresh(), self._unit.data_model.size_of(node.type)
        own = f"static __typeof__(*{pointer}) {pointer}_; " if is_only_read else ""
        place = f"&{pointer}_" if own else pointer
        self.text.insert(start, f"(*({{ __auto_type {pointer} = &(")
        self.text.insert(end, f"); {own}{filler}((void *){place}, sizeof *{pointer}); {place}; }}))")
        self.result.declarations.append(f"extern void {filler}();")
        values = _sequence(_of_part(self._inputs.at(InputKind.VOLATILE, node.span), name))
        numbers = (one if isinstance(one, int) else 0 for one in values)
        given = ((one & (1 << 8 * size) - 1).to_bytes(size, "little") for one in numbers)
        self.result.definitions.append(_filler(filler, ((k, dict(enumerate(one))) for k, one in enumerate(given))))

    def _filled(self, name: str, recorded: Mapping[int, Value]) -> str:
        """An allocator whose objects hold something from the start."""
        allocator, filler = self._fresh(), self._fresh()
        keeper = f"{self.result.prefix}keep"
        old, keep = ("void *old, ", f"{keeper}(old, p, n); ") if library_function(name).moves_object else ("", "")
        self.result.declarations.append(f"extern void *{allocator}({old}__typeof__(sizeof 0) n);")
        self.result.definitions += [
            _filler(filler, [(k, _bytes(value)) for k, value in sorted(recorded.items())]),
            f"extern void *malloc(__SIZE_TYPE__); extern void {keeper}(const void *, void *, __SIZE_TYPE__);",
            f"void *{allocator}({old}__SIZE_TYPE__ n) {{ void *p = malloc(n); {filler}(p, n); {keep}return p; }}",
        ]
        return allocator

    def _spelled(self, node: tree.Call, name: str, replacement: str) -> str:
        """The call of the replacement: pointers keep their type, others are declared in front of the text."""
        if isinstance(node.type, Pointer):
            return f"({{extern __typeof__({name}) {replacement}; {replacement};}})"
        self.result.declarations.append(f"extern {result_type(node.type)} {replacement}();")
        return replacement

    # Labels and declarations

    def _label(self, node: tree.Labeled) -> None:
        word = self.text.word_at(node.span, node.label)
        if word is None:
            raise _elsewhere(node.span, node.label)
        colon = next((one for one in self.text.words(word.end) if one.text == ":"), None)
        if colon is not None:
            name = self._error(Void(), node.span, "")
            # A statement that has the labelled one as its branch may stand wherever that could.
            self.text.insert(colon.end, f" if (({name}(), 0)) ; else ")

    def _declaration(self, node: tree.Declaration) -> None:
        variable = node.object
        recorded = self._inputs.at(InputKind.INDETERMINATE, node.span)
        if not recorded or variable.storage is not tree.Storage.AUTOMATIC:
            return
        if node.initialiser is not None:
            raise NotReplayable(f"{node.span}: {variable.source_name} is read in its own initialiser")
        word = self._declared(node)
        ends = [end for end in self._ends(word) if end.text in ",;"] if word is not None else []
        if word is None or not ends:
            raise _elsewhere(node.span, variable.source_name)
        name = self._fresh()
        if is_scalar(variable.type) and CONTENTS not in recorded:
            values = _of_part(recorded, variable.name)
            self.result.declarations.append(f"extern {result_type(variable.type)} {name}();")
            self.result.definitions.append(_source(name, variable.type, _sequence(values)))
            self.text.insert(ends[0].start, f" = {name}()")
        else:
            self.result.declarations.append(f"extern void {name}();")
            self.result.definitions.append(self._fill(name, variable, recorded))
            self.text.insert(ends[-1].end, f" {name}(&{variable.source_name}, sizeof {variable.source_name});")

    def _declared(self, node: tree.Declaration) -> TextToken | None:
        """The declared name in the text, at the declaration or a little behind."""
        offset = self.text.offset(node.span)
        if offset is None:
            return None
        for word in self.text.words(offset):
            if word.text == node.object.source_name:
                return word
            if word.text in ";{}":
                return None
        return None

    def _ends(self, declared: TextToken) -> list[TextToken]:
        """The token that ends the declarator, and the one that ends the declaration."""
        depth, tokens = 0, list[TextToken]()
        for word in self.text.words(declared.end):
            if word.text in "([{":
                depth += 1
            elif word.text in ")]}":
                depth = max(0, depth - 1)
            elif depth == 0 and (word.text == ";" or (word.text in ",=" and not tokens)):
                tokens.append(word)
                if word.text == ";":
                    return tokens
        return []

    def _fill(self, name: str, variable: tree.Object, recorded: Recorded) -> str:
        """A function that fills an object with what was recorded for it or for its parts."""
        if CONTENTS in recorded:
            return _filler(name, [(k, _bytes(value)) for k, value in sorted(recorded[CONTENTS].items())])
        model = self._unit.data_model
        try:
            size = model.size_of(variable.type)
        except ValueError:
            size = 1 << 16
        executions: list[tuple[int, Mapping[int, int]]] = []
        for occurrence in sorted({number for values in recorded.values() for number in values}):
            data = bytearray(size)
            for part in scalar_parts(variable.name, variable.type, size, model):
                part.fill(data, _of_part(recorded, part.name).get(occurrence))
            executions.append((occurrence, dict(enumerate(data))))
        return _filler(name, executions)

    # Functions

    def function(self, function: tree.FunctionDeclaration) -> None:
        """Values that are indeterminate though no declaration without initialiser was passed."""
        assert function.body is not None
        for one in jumps_of(function.body).skipped:
            if self._inputs.at(InputKind.INDETERMINATE, one.span):
                raise NotReplayable(f"{one.span}: a jump passes the declaration of {one.source_name}")
        end = closing_brace(function)
        recorded = self._inputs.at(InputKind.INDETERMINATE, end)
        if function.name == "main":
            self._arguments(function)
        elif recorded:
            word = self.text.word_at(end, "}")
            if word is None or not is_scalar(function.type.result):
                raise NotReplayable(f"{end}: the result of {function.name} is indeterminate")
            name, values = self._fresh(), _sequence(next(iter(recorded.values())))
            self.result.declarations.append(f"extern {result_type(function.type.result)} {name}();")
            self.result.definitions.append(_source(name, function.type.result, values))
            self.text.insert(word.start, f" return {name}(); ")

    def _arguments(self, main: tree.FunctionDeclaration) -> None:
        """The arguments of main where values were recorded for its parameters, or strings."""
        recorded = [_of_part(self._inputs.at(InputKind.INDETERMINATE, one.span), one.name) for one in main.parameters]
        try:
            given = strings_of_main(self._unit, self._inputs, recorded[0].get(0) if recorded else None)
        except TooManyArguments as error:
            raise NotReplayable(f"more than {error}") from None
        values = [_constant(values.get(0), one.type) for one, values in zip(main.parameters, recorded, strict=True)]
        if recorded and isinstance(main.parameters[0].type, Integer):
            values[0] = _constant(given.count, main.parameters[0].type)
        prefix = self.result.prefix
        for position, texts in given.arrays.items():
            values[position] = name = f"{prefix}strings{position}"
            for number, text in enumerate(texts):
                listed = ",".join(map(str, (*text, 0)))
                self.result.definitions.append(f"static unsigned char {name}_{number}[] = {{{listed}}};")
            pointers = ", ".join((*(f"(char *){name}_{number}" for number in range(len(texts))), "0"))
            self.result.definitions.append(f"static char *{name}[] = {{{pointers}}};")
        if any(recorded) or given.arrays:
            self.result.definitions.append(f"int {prefix}main(void) {{ return main({', '.join(values)}); }}")

    # Whatever else the program refers to

    def stubs(self) -> None:
        """Definitions of what the unit declares and does not define; the program's own have precedence."""
        prefix = self.result.prefix
        for name, function in self._unit.functions.items():
            if function.body is not None or is_defined(name) or self._policy.effect_of(name) is Effect.VOLATILE:
                continue
            if library_function(name).form is Form.BUILTIN:  # a definition would be that of another symbol
                continue
            self.result.declared.add(name)
            result = function.type.result
            if self._policy.effect_of(name) in _ASSERTIONS:
                holds = "0" if self._policy.effect_of(name) is Effect.ASSERT_FAIL else "holds"
                self.result.definitions.append(f"WEAK void {name}(int holds) {{ if (!{holds}) {prefix}abort(); }}")
            elif self._policy.effect_of(name) is Effect.UNKNOWN and name in self._unit.no_return:
                self.result.definitions.append(f"WEAK void {name}() {{ {prefix}abort(); }}")
            elif not isinstance(result, Record):
                self.result.definitions.append("WEAK " + _source(name, result, ()))
        for declaration in self._unit.globals:
            if declaration.object.storage is tree.Storage.EXTERNAL:
                self._external(declaration)

    def _external(self, declaration: tree.Declaration) -> None:
        variable, model = declaration.object, self._unit.data_model
        self.result.declared.add(variable.source_name)
        try:
            size = model.size_of(variable.type)
        except ValueError:
            size = 1 << 16
        data = bytearray(size)
        recorded = self._inputs.at(InputKind.INDETERMINATE, declaration.span)
        for part in scalar_parts(variable.name, variable.type, size, model):
            part.fill(data, _of_part(recorded, part.name).get(0))
        listed = ",".join(map(str, data.rstrip(b"\0"))) or "0"
        self.result.definitions.append(
            f"__attribute__((weak, aligned(16))) unsigned char {variable.source_name}[{max(size, 1)}] = {{{listed}}};"
        )

    def elsewhere(self) -> None:
        """Definition of the memory that the program does not make, at a fixed address."""
        found = self._inputs.elsewhere()
        if found is not None:
            there = sorted((at, byte) for at, byte in {0: 0, **found}.items() if 0 <= at < ELSEWHERE_SIZE)
            listed = ",".join(f"[{at}]={byte}" for at, byte in there)
            self.result.definitions.append(
                f'__attribute__((section("{ELSEWHERE_SECTION}"), used))'
                f" unsigned char {self.result.prefix}elsewhere[{ELSEWHERE_SIZE}] = {{{listed}}};"
            )

    # Edits

    def _replace(self, span: Span, name: str, replacement: str) -> None:
        word = self.text.word_at(span, name.partition("#")[0])
        if word is None:
            raise _elsewhere(span, name)
        self._edit(word, replacement)

    def _edit(self, word: TextToken, replacement: str) -> None:
        """Replace the word; not twice, where several nodes come from one text."""
        if word.start not in self._edited:
            self._edited.add(word.start)
            self.text.replace(word, replacement)

    def _fresh(self) -> str:
        self.result.names += 1
        return f"{self.result.prefix}{self.result.names}"


def _filler(name: str, executions: Iterable[tuple[int, Mapping[int, int]]]) -> str:
    """A function that zeros an object and writes the bytes that each of its executions has by offset."""
    rows = [f"{{{k},{at},{byte}}}" for k, found in executions for at, byte in found.items() if byte]
    if len(rows) > _MAX_BYTES:
        raise NotReplayable(f"more than {_MAX_BYTES} bytes of storage are recorded")
    return (
        f"void {name}(unsigned char *p, unsigned long n) {{ static unsigned k; unsigned long i;"
        f" static const unsigned v[][3] = {{{','.join([*rows, '{-1,0,0}'])}}};"
        f" for (i = 0; i < n; i++) p[i] = 0;"
        f" for (i = 0; i < {len(rows)}; i++) if (v[i][0] == k && v[i][1] < n) p[v[i][1]] = v[i][2]; k++; }}"
    )


def _bytes(value: Value) -> Mapping[int, int]:
    """The bytes of recorded contents, by offset."""
    return {at: byte & 0xFF for at, byte in value.entries.items()} if isinstance(value, ArrayValue) else {}


def _elsewhere(span: Span, name: str) -> NotReplayable:
    return NotReplayable(f"{span}: {name} does not stand in the text there, it may come from a macro")


def _of_part(recorded: Recorded, name: str) -> Mapping[int, Value]:
    """The values recorded for the part `name` of an object; for the object where that has no other parts."""
    if name not in recorded and len(recorded) == 1:
        return next(iter(recorded.values()))
    return recorded.get(name, {})


def result_type(type_: CType) -> str:
    return "void *" if isinstance(type_, Pointer) else _plain(type_)


def _plain(type_: CType) -> str:
    """The type without tags, which the text in front of the program does not know."""
    return type_.kind.value if isinstance(type_, Integer | Float) else "void"


def _constant(value: Value | None, type_: CType) -> str:
    number = value if isinstance(value, int) else 0
    return f"({result_type(type_)}){number & (1 << 64) - 1}ULL"


def _sequence(values: Mapping[int, Value]) -> list[Value]:
    """The values by occurrence; 0 where none was recorded."""
    return [values.get(index, 0) for index in range(max(values, default=-1) + 1)]


def _source(name: str, type_: CType, values: Sequence[Value]) -> str:
    """A function that returns the values one after the other, then zeros."""
    if isinstance(type_, Void):
        return f"void {name}() {{ }}"
    result = result_type(type_)
    numbers = [value if isinstance(value, int) else 0 for value in values]
    if not numbers:
        return f"{result} {name}() {{ return 0; }}"
    if isinstance(type_, Float):
        held, listed = result, ",".join(_float_constant(number, type_) for number in numbers)
    else:
        held, listed = "unsigned long long", ",".join(f"{number & (1 << 64) - 1}ULL" for number in numbers)
    return (
        f"{result} {name}() {{ static unsigned k; static const {held} v[] = {{{listed}}};"
        f" return k < {len(numbers)} ? ({result})v[k++] : 0; }}"
    )


def _float_constant(ordinal: int, type_: Float) -> str:
    """The constant of C that is a floating-point number."""
    from core.terms.floats import to_hexadecimal  # what only programs with such numbers need
    from frontend.typed.float_formats import format_of

    format_ = format_of(type_)
    if ordinal >= format_.nan:
        return '__builtin_nan("")'
    if not format_.is_finite(ordinal):
        return "-__builtin_inf()" if ordinal < 0 else "__builtin_inf()"
    return f"{to_hexadecimal(format_, ordinal)}L"
