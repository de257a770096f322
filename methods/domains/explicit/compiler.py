"""A compiler of program edges to Python functions over explicit values: the strongest postcondition of operations.

D. Beyer, S. Löwe, "Explicit-value analysis based on CEGAR and interpolation", 2012, sections II-C and III-A.

The edges of a step become one function, in single assignment form: it reads the values it needs, evaluates guards and
assignments in order, and returns the new values of what it changes; or nothing where the step is impossible. Logic is
Kleene's, with None for what is not known. An assumption that determines a value assigns it: `x = c`, sums with one
unknown summand, cells of arrays, negations, conjunctions, and disjunctions of which one part is left. A value that
would leave the range of its variable is impossible (see `core.program`).

Deviation: one function covers a whole step, so inside it all variables are tracked, whatever the precision.

Limitations: of `e₁ ⇔ e₂` and choices between formulas nothing is learned; quantified formulas are not evaluated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import cast

from core.dataclass import dataclass
from core.parameters import parameter
from core.program import Call, Edge
from core.program.expansion import Expansion, Step
from core.program.semantics import Transition, transition
from core.terms import (
    BOOL,
    ArraySort,
    Op,
    Substitution,
    Term,
    Treatment,
    called_functions,
    literals,
    subterms,
    to_python,
)
from methods.domains.explicit.cells import Cells, Explicit, common, divide, modulo, shift_left, shift_right, store

OTHER_OPERATORS = Treatment.EXACT

Values = Mapping[Term, Explicit]
_StepRun = Callable[[Values], Sequence[Explicit | None] | None]
_Evaluate = Callable[[Values], Explicit | None]

_HELPERS = {
    "Cells": Cells,
    "common": common,
    "divide": divide,
    "modulo": modulo,
    "shift_left": shift_left,
    "shift_right": shift_right,
    "store": store,
}
_PARTIAL = {Op.DIVIDE: "divide", Op.MODULO: "modulo", Op.SHIFT_LEFT: "shift_left", Op.SHIFT_RIGHT: "shift_right"}
_LONGEST = parameter("domains.explicit.compiler.longest")


@dataclass(frozen=True, slots=True)
class CompiledStep:
    """A step as a Python function.

    `run` gives the new values of `targets`, in order (None: not known), or None where the step is impossible.
    """

    run: _StepRun
    targets: tuple[Term, ...]


class StepCompiler:
    """Compiles the steps of an expansion, each transition once."""

    def __init__(self, expansion: Expansion) -> None:
        self._expansion = expansion
        self._steps: dict[Transition, CompiledStep] = {}
        self._terms: dict[Term, _Evaluate] = {}

    def step(self, step: Step) -> CompiledStep:
        found = self._steps.get(step.transition)
        if found is None:
            found = self._steps[step.transition] = self._compile(step)
        return found

    def term(self, term: Term) -> _Evaluate:
        """The function that evaluates one term."""
        found = self._terms.get(term)
        if found is None:
            writer = _StepWriter(self._expansion)
            result = writer.value(term)
            found = self._terms[term] = cast(_Evaluate, writer.function(result))
        return found

    def _compile(self, step: Step) -> CompiledStep:
        writer = _StepWriter(self._expansion)
        for part in self._parts(step):
            writer.assume(part.guard)
            writer.assign(part.updates)
        targets = writer.changed()
        values = "".join(f"{writer.local(x)}, " for x in targets)
        return CompiledStep(cast(_StepRun, writer.function(f"({values})")), tuple(targets))

    def _parts(self, step: Step) -> list[Transition]:
        """The transitions of a chain of edges, one by one; the whole of a call, of a large block, or without edges."""
        arena, rename = self._expansion.arena, self._expansion.in_frame(step.source)
        if not step.edges or not _is_chain(step.edges) or any(isinstance(edge.operation, Call) for edge in step.edges):
            return [step.transition]
        return [_renamed(transition(arena, edge.operation), rename) for edge in step.edges]


def _is_chain(edges: Sequence[Edge]) -> bool:
    return all(a.target == b.source for a, b in pairwise(edges))


def _renamed(plain: Transition, rename: Substitution) -> Transition:
    updates = {rename(x): rename(value) for x, value in plain.updates.items()}
    return Transition(plain.arena, rename(plain.guard), updates)


@dataclass(frozen=True, slots=True)
class _Code:
    """A Python expression with the locals it needs: where one of these is None, so is the value."""

    text: str
    needs: tuple[str, ...]


class _StepWriter:
    """Writes one Python function. Locals hold the values of symbols, and are assigned anew as these change."""

    def __init__(self, expansion: Expansion) -> None:
        self._expansion = expansion
        self._constants: dict[str, Term] = {}
        self._tables: dict[str, object] = {}
        self._locals: dict[Term, str] = {}
        self._loads: list[str] = []
        self._lines: list[str] = []
        self._indent = ""
        self._memo: dict[Term, _Code] = {}
        self._changed: dict[Term, None] = {}
        self._names = 0

    def changed(self) -> list[Term]:
        """The variables that may have another value afterwards."""
        return [x for x in self._changed if not self._expansion.is_input(x)]

    def local(self, symbol: Term) -> str:
        """The local that holds the value of a symbol now."""
        if symbol not in self._locals:
            name, key = self._name("s"), f"K{len(self._constants)}"
            self._constants[key] = symbol
            self._loads.append(f"{name} = get({key})")
            self._locals[symbol] = name
        return self._locals[symbol]

    def function(self, end: str) -> object:
        """The Python function of the lines so far."""
        body = "".join(f"\n    {line}" for line in ["get = values.get", *self._loads, *self._lines, f"return {end}"])
        namespace: dict[str, object] = {**_HELPERS, **called_functions(), **self._tables, **self._constants}
        exec(f"def run(values):{body}", namespace)  # the text is built here from terms, not from input
        return namespace["run"]

    # Operations

    def assign(self, updates: Mapping[Term, Term]) -> None:
        """Write a simultaneous assignment."""
        new: list[tuple[Term, str]] = []
        for x, term in updates.items():
            name = self._name("v")
            self._line(f"{name} = {self.value(term)}")
            self._keep_in_range(x, name, term)
            new.append((x, name))
        for x, name in new:
            self._locals[x] = name
            self._changed[x] = None
        self._memo.clear()

    def _keep_in_range(self, x: Term, name: str, term: Term) -> None:
        bounds = self._expansion.range_of(x)
        if bounds is None or isinstance(x.sort, ArraySort) or x.sort is BOOL:
            return
        if term.is_constant or (term.is_symbol and self._expansion.range_of(term) == bounds):
            return
        self._line(f"if {name} is not None and not {bounds.low} <= {name} <= {bounds.high}: return None")

    def assume(self, guard: Term) -> None:
        for conjunct in literals(guard):
            self._assume(conjunct, True)

    def _assume(self, t: Term, truth: bool) -> None:
        """Write a test that ends the function where `t` has the other truth value; note what passing it determines."""
        result = self._named(t)
        self._line(f"if {result} is {not truth}: return None")
        if _teaches(t, truth):
            self._line(f"if {result} is None:")
            with self._branch():
                self._learn(t, truth)

    @contextmanager
    def _branch(self) -> Iterator[None]:
        """Write a branch. What it names has no value outside of it, and what it learns makes names outdated."""
        outer, self._indent = self._indent, self._indent + "    "
        self._memo.clear()
        self._line("pass")
        yield
        self._indent = outer
        self._memo.clear()

    def _learn(self, t: Term, truth: bool) -> None:
        """Write what follows from `t` having a truth value, where it is not known to have it."""
        match t.op:
            case Op.SYMBOL:
                self._set(t, repr(truth))
            case Op.NOT:
                self._assume(t.args[0], not truth)
            case Op.EQ if truth:
                self._equate(t.args[0], t.value)
            case Op.AND | Op.OR if (t.is_conjunction) is truth:
                for part in t.args:
                    self._assume(part, truth)
            case Op.AND | Op.OR:
                self._learn_last(t, truth)
            case _:
                pass

    def _learn_last(self, t: Term, truth: bool) -> None:
        """Write that the one part of a disjunction that is not false is true."""
        named = [self._named(part) for part in t.args]
        for part, name in zip(t.args, named, strict=True):
            if _teaches(part, truth):
                others = " and ".join(f"{other} is {not truth}" for other in named if other is not name)
                self._line(f"if {name} is None and {others or 'True'}:")
                with self._branch():
                    self._learn(part, truth)

    def _equate(self, body: Term, value: int) -> None:
        """Write what `body = value` determines, where the value of `body` is not known."""
        if body.is_symbol:
            self._set(body, str(value))
        elif body.is_select:
            self._set_cell(body, str(value))
        elif body.is_sum:
            for coefficient, x in zip(body.coefficients, body.args, strict=True):
                if x.op in (Op.SYMBOL, Op.SELECT):
                    self._solve(body, value, coefficient, x)

    def _solve(self, body: Term, value: int, coefficient: int, x: Term) -> None:
        """Write the solution for `x`, where all summands but `coefficient · x` are known."""
        rest = [(c, y) for c, y in zip(body.coefficients, body.args, strict=True) if y is not x]
        codes = [(c, self._code(y)) for c, y in rest]
        needs = _together([code for _, code in codes])
        known = "".join(f" and {name} is not None" for name in needs)
        self._line(f"if {self._named(x)} is None{known}:")
        with self._branch():
            remainder = self._name("r")
            self._line(f"{remainder} = {value}{''.join(f' - {c} * ({code.text})' for c, code in codes)}")
            if abs(coefficient) != 1:
                self._line(f"if {remainder} % {coefficient}: return None")
            solved = remainder if coefficient == 1 else f"{remainder} // {coefficient}"
            if x.is_symbol:
                self._set(x, solved)
            else:
                self._set_cell(x, solved)

    def _set(self, symbol: Term, text: str) -> None:
        name = self.local(symbol)
        self._line(f"{name} = {text}")
        self._changed[symbol] = None
        bounds = self._expansion.range_of(symbol)
        if bounds is not None and not isinstance(symbol.sort, ArraySort) and symbol.sort is not BOOL:
            self._line(f"if not {bounds.low} <= {name} <= {bounds.high}: return None")

    def _set_cell(self, cell: Term, text: str) -> None:
        array, index = cell.args
        if not array.is_symbol:
            return
        at = self._named(index)
        self._line(f"if {at} is not None: {self.local(array)} = store({self.local(array)}, {at}, {text})")
        self._changed[array] = None

    # Terms

    def value(self, t: Term) -> str:
        """An expression for the value of `t`, None where it is not known."""
        code = self._code(t)
        if not code.needs or code.text in code.needs:
            return code.text
        return f"None if {_any_missing(code.needs)} else {code.text}"

    def _named(self, t: Term) -> str:
        """A local, or a constant, with the value of `t`."""
        code = self._code(t)
        if code.text in code.needs:
            return code.text
        name = self._name("t")
        self._line(f"{name} = {self.value(t)}")
        self._memo[t] = _Code(name, (name,))
        return name

    def _code(self, root: Term) -> _Code:
        for t in subterms(root):
            if t not in self._memo:
                code = self._node(t, [self._memo[a] for a in t.args])
                self._memo[t] = code
                if len(code.text) > _LONGEST:
                    self._named(t)
        return self._memo[root]

    def _node(self, t: Term, args: list[_Code]) -> _Code:
        texts, needs = [f"({code.text})" for code in args], _together(args)
        if t.op in (Op.LOOKUP, Op.FLOAT):
            self._tables |= called_functions([t])
        python = to_python(t, texts)
        if python is not None:
            return _Code(python, needs)
        match t.op:
            case Op.CONSTANT:
                return _Code(repr(t.payload), ())
            case Op.SYMBOL:
                name = self.local(t)
                return _Code(name, (name,))
            case Op.DIVIDE | Op.MODULO | Op.SHIFT_LEFT | Op.SHIFT_RIGHT:
                return self._new(f"{_PARTIAL[t.op]}({texts[0]}, {texts[1]})", needs)
            case Op.AND | Op.OR:
                return self._junction(t, args)
            case Op.ITE:
                return self._choice(t, args)
            case Op.SELECT:
                return self._new(f"{texts[0]}.at({texts[1]})", needs)
            case Op.STORE:
                array, index, value = (self._named(a) if not a.is_constant else repr(a.payload) for a in t.args)
                return self._new(f"store({array}, {index}, {value})", ())
            case Op.CONST_ARRAY:
                return self._new(f"Cells({texts[0]})", needs)
            case _:
                return self._new("None", ())

    def _junction(self, t: Term, args: list[_Code]) -> _Code:
        word, decisive = ("and", "False") if t.is_conjunction else ("or", "True")
        needs = _together(args)
        if all(set(code.needs) == set(needs) for code in args):
            return _Code(f" {word} ".join(f"({code.text})" for code in args), needs)
        names = [self._named(a) for a in t.args]
        decided = " or ".join(f"{name} is {decisive}" for name in names)
        unknown = " or ".join(f"{name} is None" for name in names)
        return self._new(f"{decisive} if {decided} else None if {unknown} else {decisive == 'False'}", ())

    def _choice(self, t: Term, args: list[_Code]) -> _Code:
        condition, a, b = args
        if {*a.needs, *b.needs} <= {*condition.needs}:
            return _Code(f"({a.text}) if ({condition.text}) else ({b.text})", condition.needs)
        c = self._named(t.args[0])
        x, y = (f"({self.value(part)})" for part in t.args[1:])
        return self._new(f"({x} if {c} else {y}) if {c} is not None else common({x}, {y})", ())

    def _new(self, text: str, needs: tuple[str, ...]) -> _Code:
        """A new local; its value may be None even where all of `needs` have one."""
        name = self._name("t")
        self._line(f"{name} = {f'None if {_any_missing(needs)} else ' if needs else ''}{text}")
        return _Code(name, (name,))

    def _name(self, prefix: str) -> str:
        self._names += 1
        return f"{prefix}{self._names}"

    def _line(self, text: str) -> None:
        self._lines.append(self._indent + text)


def _together(codes: Sequence[_Code]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for code in codes for name in code.needs))


def _any_missing(names: Sequence[str]) -> str:
    return " or ".join(f"{name} is None" for name in names)


def _teaches(t: Term, truth: bool) -> bool:
    """Whether a value may follow from `t` having a truth value that is not known of it."""
    stack = [(t, truth)]
    while stack:
        u, wanted = stack.pop()
        if u.is_symbol or (u.is_equation and wanted and u.args[0].op in (Op.SYMBOL, Op.SELECT, Op.LINEAR)):
            return True
        if u.op in (Op.NOT, Op.AND, Op.OR):
            stack += [(a, wanted is not (u.is_negation)) for a in u.args]
    return False
