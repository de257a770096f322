"""Small random C programs over input domains that can be enumerated. Everything follows from the given generator.

A *draft* is a program with holes: at each *site* an expression may be checked. What values the expression takes is
observed by running the draft on all inputs (`enumeration`); then `conditions` fills the holes so that some checks can
fail and others only just cannot.

What holds by construction, so that the truth is that of one compiler: loops and recursion are bounded; indices are in
range; no division by zero, no INT_MIN / -1, no over-wide shift; what an expression calls has no side effects, and no
object is written and otherwise used in one without a sequence point; every object is initialised; no `long` occurs,
so that both data models agree. Signed overflow does occur, and wraps around.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

T = TypeVar("T")

MAX_VALUATIONS = 2**12


@dataclass(frozen=True)
class CType:
    """An integer type of C, its range, and the suffix of the function that reads an input of it."""

    name: str
    low: int
    high: int
    nondet: str


BOOL = CType("_Bool", 0, 1, "bool")
CHAR = CType("char", -128, 127, "char")
UCHAR = CType("unsigned char", 0, 255, "uchar")
SHORT = CType("short", -(2**15), 2**15 - 1, "short")
USHORT = CType("unsigned short", 0, 2**16 - 1, "ushort")
INT = CType("int", -(2**31), 2**31 - 1, "int")
UINT = CType("unsigned int", 0, 2**32 - 1, "uint")
LLONG = CType("long long", -(2**63), 2**63 - 1, "longlong")
TYPES = (BOOL, CHAR, UCHAR, SHORT, USHORT, INT, INT, INT, UINT, UINT, LLONG)
SMALL = (CHAR, UCHAR, SHORT, INT, INT, UINT)
RESULTS = (CHAR, UCHAR, SHORT, INT, INT, UINT, LLONG)


@dataclass(frozen=True)
class Site:
    """A place for a check: the expression whose value is checked, and the form of the check."""

    line: int
    expression: str
    asserted: bool


@dataclass(frozen=True)
class Draft:
    """A program with holes.

    `lines` has `@n@` where site n is. `inputs` maps a line to the bounds of the input that is read there.
    """

    lines: tuple[str, ...]
    sites: tuple[Site, ...]
    inputs: tuple[tuple[int, int, int], ...]
    functions: tuple[str, ...]
    globals: tuple[str, ...]
    assertion_line: int  # where `__VERIFIER_assert` calls the error function


@dataclass(frozen=True)
class _Variable:
    text: str
    type: CType


@dataclass(frozen=True)
class _Array:
    name: str
    type: CType
    extent: int


@dataclass(frozen=True)
class _Function:
    """A function without side effects, which expressions may call."""

    name: str
    parameters: tuple[CType, ...]
    last_below: int | None = None  # the last argument of a recursive function must be below this


@dataclass
class _Scope:
    """The names that the code at some place can use. Loop counters are read, not written."""

    variables: list[_Variable] = field(default_factory=list)
    readable: list[_Variable] = field(default_factory=list)
    arrays: list[_Array] = field(default_factory=list)
    structs: list[str] = field(default_factory=list)
    functions: list[_Function] = field(default_factory=list)
    counters: list[_Variable] = field(default_factory=list)  # of loops that may still be nested here
    procedure: _Function | None = None
    in_loop: bool = False
    may_check: bool = False

    @property
    def all_readable(self) -> list[_Variable]:
        return self.variables + self.readable


class _Writer:
    """Lines with indentation; lines are numbered from 1."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.depth = 0

    def put(self, text: str) -> int:
        self.lines.append("    " * self.depth + text if text else "")
        return len(self.lines)

    def open(self, text: str) -> None:
        self.put(f"{text} {{")
        self.depth += 1

    def close(self, text: str = "}") -> None:
        self.depth -= 1
        self.put(text)


class Generator:
    """Draws one draft."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._out = _Writer()
        self._sites: list[Site] = []
        self._inputs: list[tuple[int, int, int]] = []
        self._functions: list[str] = []
        self._globals = _Scope()
        self._global_names: list[str] = []
        self._names = 0
        self._valuations = 1
        self._assertion_line = 0
        self._has_struct = random.random() < 0.3
        self._statements = random.randint(4, 8)  # of main
        self._nested = random.randint(2, 8)  # compound statements that are still allowed

    # The program

    def draft(self) -> Draft:
        self._prelude()
        self._file_scope()
        for _ in range(self._random.choice((0, 1, 1, 2))):
            self._pure_function()
        if self._chance(0.25):
            self._recursive_function()
        procedure = self._procedure() if self._chance(0.4) else None
        self._main(procedure)
        return Draft(
            tuple(self._out.lines),
            tuple(self._sites),
            tuple(self._inputs),
            tuple(self._functions),
            tuple(self._global_names),
            self._assertion_line,
        )

    def _prelude(self) -> None:
        put = self._out.put
        put("extern void abort(void);")
        put("extern void reach_error(void);")
        put("extern void __VERIFIER_assume(int);")
        for suffix, name in {t.nondet: t.name for t in TYPES}.items():
            put(f"extern {name} __VERIFIER_nondet_{suffix}(void);")
        self._functions.append("__VERIFIER_assert")
        self._out.open("static void __VERIFIER_assert(int condition)")
        self._out.open("if (!condition)")
        self._assertion_line = put("reach_error();")
        self._out.close()
        self._out.close()
        if self._has_struct:
            first, second = self._draw(SMALL), self._draw(RESULTS)
            self._members = (("a", first), ("b", second))
            put(f"struct pair {{ {first.name} a; {second.name} b; }};")

    def _file_scope(self) -> None:
        for _ in range(self._random.choice((0, 0, 1, 2))):
            variable = _Variable(self._fresh("g"), self._draw(TYPES))
            self._global_names.append(variable.text)
            initial = f" = {self._constant_of(variable.type)}" if self._chance(0.5) else ""
            self._out.put(f"{self._draw(('', 'static '))}{variable.type.name} {variable.text}{initial};")
            self._globals.variables.append(variable)
        if self._chance(0.2):
            array = _Array(self._fresh("t"), self._draw(RESULTS), self._random.randint(2, 4))
            self._global_names.append(array.name)
            self._out.put(f"{array.type.name} {array.name}[{array.extent}]{self._array_initialiser(array)};")
            self._globals.arrays.append(array)

    def _array_initialiser(self, array: _Array) -> str:
        count = self._random.randint(0, array.extent)
        return f" = {{{', '.join(self._constant_of(array.type) for _ in range(count))}}}" if count else ""

    def _pure_function(self) -> None:
        result = self._draw(RESULTS)
        parameters = tuple(_Variable(f"p{i}", self._draw(TYPES)) for i in range(self._random.randint(1, 2)))
        name = self._function("f", result, parameters)
        scope = _Scope(variables=list(parameters), functions=list(self._globals.functions))
        scope.readable = list(self._globals.variables)
        local = self._local(scope, result)
        if self._chance(0.5):
            self._out.open(f"if ({self._condition(scope, 1)})")
            self._out.put(f"return {self._expression(scope, 1)};")
            self._out.close()
        else:
            self._out.put(self._update(scope))
        self._out.put(f"return {self._draw((local.text, self._expression(scope, 2)))};")
        self._out.close()
        self._globals.functions.append(_Function(name, tuple(p.type for p in parameters)))

    def _recursive_function(self) -> None:
        result = self._draw(RESULTS)
        parameters = (_Variable("p0", self._draw(RESULTS)), _Variable("n", self._draw((INT, UCHAR, UINT))))
        name = self._function("r", result, parameters)
        scope = _Scope(variables=[parameters[0]], readable=[parameters[1], *self._globals.variables])
        self._out.open(f"if ({self._draw(('n == 0', 'n < 1', '!n'))})")
        self._out.put(f"return {self._expression(scope, 1)};")
        self._out.close()
        again = f"{name}({self._expression(scope, 1)}, n - 1)"
        self._out.put(f"return {self._draw((again, f'{again} + {self._constant()}', f'1 + {again}'))};")
        self._out.close()
        self._globals.functions.append(_Function(name, tuple(p.type for p in parameters), self._random.randint(2, 4)))

    def _procedure(self) -> _Function:
        """A function that writes globals and may fail; called as a statement only."""
        parameters = tuple(_Variable(f"p{i}", self._draw(TYPES)) for i in range(self._random.randint(0, 2)))
        name = self._function("h", None, parameters)
        scope = self._inner(variables=list(parameters), may_check=True)
        self._local(scope, self._draw(TYPES))
        self._block(scope, self._random.randint(1, 3))
        self._out.close()
        return _Function(name, tuple(p.type for p in parameters))

    def _function(self, prefix: str, result: CType | None, parameters: Sequence[_Variable]) -> str:
        name = self._fresh(prefix)
        self._functions.append(name)
        declared = ", ".join(f"{p.type.name} {p.text}" for p in parameters) or "void"
        self._out.open(
            f"{'static ' if self._chance(0.5) else ''}{result.name if result else 'void'} {name}({declared})"
        )
        return name

    def _inner(self, variables: list[_Variable], may_check: bool) -> _Scope:
        shared = self._globals
        return _Scope(
            variables=[*shared.variables, *variables],
            arrays=list(shared.arrays),
            functions=list(shared.functions),
            may_check=may_check,
        )

    def _main(self, procedure: _Function | None) -> None:
        self._functions.append("main")
        self._out.open("int main(void)")
        scope = self._inner([], may_check=True)
        for _ in range(self._random.randint(1, 4)):
            self._input(scope)
        for _ in range(self._random.randint(1, 3)):
            self._local(scope, self._draw(TYPES))
        if self._chance(0.3):
            array = _Array(self._fresh("a"), self._draw(RESULTS), self._random.randint(2, 4))
            self._out.put(f"{array.type.name} {array.name}[{array.extent}] = {{{self._constant_of(array.type)}}};")
            scope.arrays.append(array)
        if self._has_struct:
            self._structs(scope)
        scope.counters = [_Variable(f"i{k}", self._draw(SMALL)) for k in range(2)]
        for counter in scope.counters:
            self._out.put(f"{counter.type.name} {counter.text} = 0;")
        scope.procedure = procedure
        self._block(scope, self._statements)
        if not self._sites or self._chance(0.8):
            self._site(scope)
        self._out.put("return 0;")
        self._out.close()

    def _structs(self, scope: _Scope) -> None:
        for _ in range(self._random.randint(1, 2)):
            name = self._fresh("s")
            values = ", ".join(self._constant_of(type_) for _, type_ in self._members)
            self._out.put(f"struct pair {name} = {{{values}}};")
            scope.structs.append(name)
            scope.variables += [_Variable(f"{name}.{member}", type_) for member, type_ in self._members]

    def _local(self, scope: _Scope, type_: CType) -> _Variable:
        variable = _Variable(self._fresh("v"), type_)
        value = self._expression(scope, 1) if self._chance(0.5) else self._constant_of(type_)
        self._out.put(f"{type_.name} {variable.text} = {value};")
        scope.variables.append(variable)
        return variable

    # Inputs

    def _input(self, scope: _Scope) -> None:
        type_ = self._draw(TYPES)
        variable = _Variable(self._fresh("x"), type_)
        self._out.put(f"{type_.name} {variable.text};")
        self._read(variable, 1)
        scope.variables.append(variable)

    def _read(self, variable: _Variable, times: int) -> None:
        """Read an input into `variable`, at most `times` times in a run; nothing if there are enough valuations."""
        type_ = variable.type
        room = MAX_VALUATIONS // self._valuations
        sizes = [n for n in (2, 3, 4, 8, 16, 256) if n**times <= room and n <= type_.high - type_.low + 1]
        sizes = [n for n in sizes if n < 256 or (type_ in (CHAR, UCHAR) and self._chance(0.3))]
        if not sizes:
            self._out.put(f"{variable.text} = {self._constant_of(type_)};")
            return
        size = 2 if type_ is BOOL else self._draw(sizes)
        low = self._low_bound(type_, size)
        self._valuations *= size**times
        line = self._out.put(f"{variable.text} = __VERIFIER_nondet_{type_.nondet}();")
        self._inputs.append((line, low, low + size - 1))
        if size < type_.high - type_.low + 1:
            self._assume(variable, low, low + size - 1)

    def _low_bound(self, type_: CType, size: int) -> int:
        low = self._random.choice((0, 0, 0, 1, -1, -2, type_.low, type_.high - size + 1, type_.high // 2))
        return max(type_.low, min(low, type_.high - size + 1))

    def _assume(self, variable: _Variable, low: int, high: int) -> None:
        x = variable.text
        outside = [f"{x} < {literal(low)}"] if low > variable.type.low else []
        outside += [f"{x} > {literal(high)}"] if high < variable.type.high else []
        if self._chance(0.7):
            self._out.put(f"if ({' || '.join(outside)}) abort();")
        else:
            self._out.put(f"__VERIFIER_assume(!({' || '.join(outside)}));")

    # Statements

    def _block(self, scope: _Scope, count: int) -> None:
        for _ in range(count):
            self._statement(scope)

    def _statement(self, scope: _Scope) -> None:
        kind = self._random.choices(
            ("update", "if", "loop", "switch", "goto", "site", "call", "struct", "element"),
            (34, 16, 12, 5, 4, 10 if scope.may_check else 0, 6, 4, 9),
        )[0]
        put = self._out.put
        compound = {"if": self._if, "loop": self._loop, "switch": self._switch, "goto": self._goto}
        if kind in compound and self._nested > 0 and (kind != "loop" or scope.counters):
            self._nested -= 1
            compound[kind](scope)
        elif kind == "site" and len(self._sites) < 4:
            self._site(scope)
        elif kind == "call" and scope.procedure is not None:
            put(f"{scope.procedure.name}({self._arguments(scope.procedure, scope)});")
        elif kind == "struct" and len(scope.structs) > 1:
            put(f"{scope.structs[0]} = {scope.structs[1]};")
        elif kind == "element" and scope.arrays:
            array = self._draw(scope.arrays)
            put(f"{self._element(array, scope, 1)} {self._draw(('=', '=', '+=', '-='))} {self._expression(scope, 1)};")
        else:
            put(self._update(scope))

    def _update(self, scope: _Scope) -> str:
        target = self._draw(scope.variables)
        kind = self._random.randrange(10)
        if kind < 4:
            return f"{target.text} = {self._expression(scope, 2)};"
        if kind == 4:
            return f"{target.text}{self._draw(('++', '--'))};"
        if kind == 5:
            source = self._draw(scope.variables)
            if source is not target:
                step = self._draw(("{0}++", "{0}--", "++{0}", "--{0}", "({0}++, {0} + 1)", "({0} += 3)"))
                return f"{target.text} = {step.format(source.text)};"
        if kind == 6 and target.type is not BOOL:
            return f"{target.text} {self._draw(('/=', '%='))} {self._draw(('2', '3', '5', '7', '10'))};"
        if kind == 7 and target.type is not BOOL:
            return f"{target.text} {self._draw(('<<=', '>>=', '&=', '|=', '^='))} {self._draw('1234')};"
        return f"{target.text} {self._draw(('+=', '-=', '+=', '-=', '*='))} {self._expression(scope, 1)};"

    def _if(self, scope: _Scope) -> None:
        self._out.open(f"if ({self._condition(scope, 2, effects=True)})")
        self._block(scope, self._random.randint(1, 2))
        if self._chance(0.4):
            self._out.close("} else {")
            self._out.depth += 1
            self._block(scope, self._random.randint(1, 2))
        self._out.close()

    def _loop(self, scope: _Scope) -> None:
        counter = scope.counters.pop()
        outermost, scope.in_loop = not scope.in_loop, True
        bound = self._bound(scope, outermost)
        scope.readable.append(counter)
        i, label = counter.text, self._fresh("again")
        match self._random.choice(("for", "for", "while", "do", "goto")):
            case "for":
                self._out.open(f"for ({i} = 0; {i} < {bound}; {self._draw((f'{i}++', f'++{i}', f'{i} += 1'))})")
                self._loop_body(scope, bound, outermost)
                self._out.close()
            case "while":
                self._counted(i, f"while ({i} < {bound})")
                self._loop_body(scope, bound, outermost)
                self._out.close()
            case "do":
                self._counted(i, "do")
                self._loop_body(scope, bound, outermost)
                self._out.close(f"}} while ({i} < {bound});")
            case _:
                self._out.put(f"{i} = 0;")
                self._out.put(f"{label}: {i}++;")
                self._block(scope, self._random.randint(1, 3))
                self._out.put(f"if ({i} < {bound}) goto {label};")
        scope.readable.pop()
        scope.in_loop = not outermost
        scope.counters.append(counter)

    def _counted(self, counter: str, head: str) -> None:
        self._out.put(f"{counter} = 0;")
        self._out.open(head)
        self._out.put(f"{counter}++;")

    def _loop_body(self, scope: _Scope, bound: str, outermost: bool) -> None:
        plain = [v for v in scope.variables if v.type is not BOOL and "." not in v.text]
        if outermost and plain and bound.isdigit() and self._chance(0.2):
            self._read(self._draw(plain), int(bound))
        self._block(scope, self._random.randint(1, 3))
        if self._chance(0.35):
            self._out.put(f"if ({self._condition(scope, 1)}) {self._draw(('break', 'break', 'continue'))};")
            self._out.put(self._update(scope))

    def _bound(self, scope: _Scope, outermost: bool) -> str:
        if self._chance(0.75):
            return str(self._random.randint(1, 6))
        return f"({self._draw(scope.all_readable).text} & 3)" if outermost else "3"

    def _switch(self, scope: _Scope) -> None:
        self._out.open(f"switch ({self._draw(scope.all_readable).text} {self._draw(('& 3', '% 3', '+ 0'))})")
        for value in self._random.sample(range(-1, 4), self._random.randint(1, 3)):
            self._out.put(f"case {value}:")
            self._out.put(self._update(scope))
            if self._chance(0.65):
                self._out.put("break;")
        if self._chance(0.6):
            self._out.put("default:")
            self._out.put(self._update(scope))
        self._out.close()

    def _goto(self, scope: _Scope) -> None:
        label = self._fresh("skip")
        self._out.put(f"if ({self._condition(scope, 1)}) goto {label};")
        self._block(scope, 1)
        self._out.put(f"{label}: ;")

    def _site(self, scope: _Scope) -> None:
        watched = [v for v in scope.all_readable if v.type is not LLONG]
        if not watched:
            return
        pair = self._draw(watched).text, self._draw(watched).text
        expression = self._draw(
            (pair[0], pair[0], pair[0], f"{pair[0]} - {pair[1]}", f"{pair[0]} + {pair[1]}", f"({pair[0]} < {pair[1]})")
        )
        number = len(self._sites)
        line = self._out.put(f"@{number}@")
        self._sites.append(Site(line, expression, self._chance(0.3)))

    # Expressions

    def _condition(self, scope: _Scope, depth: int, effects: bool = False) -> str:
        kind = self._random.randrange(8)
        if effects and kind == 0:
            first, second = self._draw(scope.variables), self._draw(scope.variables)
            return f"{self._comparison(scope, 0)} {self._draw(('&&', '||'))} {second.text}++ > {self._constant()}" + (
                f" && {first.text} != 1" if self._chance(0.3) else ""
            )
        if depth > 1 and kind < 3:
            return f"{self._comparison(scope, 1)} {self._draw(('&&', '||'))} {self._comparison(scope, 0)}"
        if kind == 3:
            return self._draw(("", "!")) + self._draw(scope.all_readable).text
        return self._comparison(scope, depth - 1)

    def _comparison(self, scope: _Scope, depth: int) -> str:
        right = self._constant() if self._chance(0.6) else self._draw(scope.all_readable).text
        return f"{self._expression(scope, depth)} {self._draw(('<', '<=', '>', '>=', '==', '!='))} {right}"

    def _expression(self, scope: _Scope, depth: int) -> str:
        """An expression without side effects, in parentheses where it is composed."""
        if depth <= 0 or not scope.all_readable:
            return self._leaf(scope)
        inner = self._expression(scope, depth - 1)
        leaf = self._leaf(scope)
        match self._random.randrange(15):
            case 0 | 1 | 2 | 3:
                return f"({inner} {self._draw(('+', '+', '-'))} {leaf})"
            case 4:
                return f"({inner} * {self._draw(('2', '3', '5', '-1', '7', leaf))})"
            case 5:
                return f"({inner} {self._draw(('/', '%'))} {self._draw(('2', '3', '7', '10', '-3', '4u'))})"
            case 6:
                divisor = self._draw(scope.all_readable).text
                return f"({divisor} > 0 ? {inner} {self._draw(('/', '%'))} {divisor} : {leaf})"
            case 7:
                return f"({self._comparison(scope, 0)} ? {inner} : {leaf})"
            case 8 | 9:
                return f"({self._draw(TYPES).name}){self._parenthesised(inner)}"
            case 10:
                return f"({inner} {self._draw(('&', '|', '^', '<<', '>>'))} {self._draw('1347')})"
            case 11:
                return f"({self._condition(scope, 1)})"
            case 12:
                return f"({self._draw(('-', '~', '!'))}{self._parenthesised(inner)})"
            case 13 if scope.functions:
                function = self._draw(scope.functions)
                return f"{function.name}({self._arguments(function, scope)})"
            case 14 if scope.arrays:
                return self._element(self._draw(scope.arrays), scope, 0)
            case _:
                return leaf

    @staticmethod
    def _parenthesised(text: str) -> str:
        return text if text.isalnum() else f"({text})"

    def _arguments(self, function: _Function, scope: _Scope) -> str:
        arguments = [self._leaf(scope) for _ in function.parameters]
        if function.last_below is not None:
            limit = function.last_below
            small = f"(unsigned char){self._draw(scope.all_readable).text} % {limit}" if scope.all_readable else "1"
            arguments[-1] = self._draw((str(self._random.randrange(limit)), small))
        return ", ".join(arguments)

    def _element(self, array: _Array, scope: _Scope, depth: int) -> str:
        if self._chance(0.3):
            return f"{array.name}[{self._random.randrange(array.extent)}]"
        index = self._expression(scope, depth)
        return f"{array.name}[(unsigned){self._parenthesised(index)} % {array.extent}u]"

    def _leaf(self, scope: _Scope) -> str:
        if scope.all_readable and self._chance(0.75):
            return self._draw(scope.all_readable).text
        return self._constant()

    def _constant(self) -> str:
        if self._chance(0.85):
            return literal(self._random.choice((0, 1, 2, 3, 4, 5, 7, 8, 10, -1, -2, -5)))
        return self._draw(("127", "128", "255", "256", "32767", "65535", "2147483647", "1u", "4294967295u", "100LL"))

    def _constant_of(self, type_: CType) -> str:
        value = self._random.choice((0, 0, 1, 2, 3, 5, 10, -1, type_.high, type_.low))
        return literal(max(type_.low, min(value, type_.high)))

    def _fresh(self, prefix: str) -> str:
        self._names += 1
        return f"{prefix}{self._names}"

    def _chance(self, probability: float) -> bool:
        return self._random.random() < probability

    def _draw(self, values: Sequence[T]) -> T:
        return self._random.choice(values)


def literal(value: int) -> str:
    """A constant expression of C with this value, in parentheses if it is negative."""
    suffix = "" if -(2**31) < value < 2**31 else "LL"
    if value == -(2**63):
        return "(-9223372036854775807LL - 1)"
    return f"({value}{suffix})" if value < 0 else f"{value}{suffix}"
