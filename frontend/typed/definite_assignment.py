"""Definite assignment in one function: the automatic objects that may be read before anything was written to them.

A forward data-flow analysis on the tree: the state is the set of parts of objects that may be without a value, which
branches join. Structs are taken apart into members; an array counts as written only where its declaration or an
assignment of the whole says so. An object whose address is taken must have its value by then.

It also finds whether control may reach the end of the function. Limitation: conditions are not evaluated, but for
constants; what the right operand of `&&` and `||` writes is not counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import field

from core.dataclass import dataclass
from frontend.source import Span
from frontend.typed import tree
from frontend.typed.ctype import Record, RecordKind
from frontend.typed.jumps import jumps_of
from frontend.typed.leaves import leaves
from frontend.typed.lvalues import root
from frontend.typed.traversal import callee, children, nodes

State = frozenset[str] | None
"""The parts that may be without a value; None where control does not get."""


@dataclass(frozen=True, slots=True)
class DefiniteAssignment:
    """`unassigned` has the objects that may be read without a value, each with one such place.

    `may_end` says whether control may reach the closing brace.
    """

    unassigned: tuple[tuple[tree.Object, Span], ...]
    may_end: bool


def definite_assignment(body: tree.Compound, ends: Callable[[str], bool]) -> DefiniteAssignment:
    """Analyse the body of a function; `ends` says which functions never return. It recurses as deep as the tree."""
    work = _Analysis(body, ends)
    while True:
        work.uninitialised.clear()
        before = dict(work.labels)
        end = work.statement(body, frozenset())
        if work.labels == before:
            return DefiniteAssignment(tuple(work.uninitialised.values()), end is not None)


@dataclass(slots=True)
class _Exits:
    """The states in which a loop or a switch is left, or a loop goes on."""

    breaks: State = None
    continues: State = None
    start: State = None  # of a switch
    has_default: bool = False


def _join(*states: State) -> State:
    known = [one for one in states if one is not None]
    return frozenset[str]().union(*known) if known else None


def _parts(object_: tree.Object) -> frozenset[str]:
    return frozenset(object_.name + leaf.suffix for leaf in leaves(object_.type))


@dataclass(slots=True)
class _Analysis:
    body: tree.Compound
    ends: Callable[[str], bool]
    labels: dict[str, State] = field(default_factory=dict)
    uninitialised: dict[str, tuple[tree.Object, Span]] = field(default_factory=dict)
    loops: list[_Exits] = field(default_factory=list)
    switches: list[_Exits] = field(default_factory=list)
    leaves: list[_Exits] = field(default_factory=list)  # where `break` goes
    skipped: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        self.skipped = frozenset[str]().union(*(_parts(one) for one in jumps_of(self.body).skipped))

    # Statements: each takes the state before it and gives that behind it

    def statement(self, s: tree.Statement, state: State) -> State:
        match s:
            case tree.Declaration():
                return self._declaration(s, state)
            case tree.ExpressionStatement(expression=e):
                return self.expression(e, state)
            case tree.Compound(items=items):
                for one in items:
                    state = self.statement(one, state)
                return state
            case tree.If():
                then, otherwise = self.branches(s.condition, state)
                then = self.statement(s.then, then)
                return _join(then, otherwise if s.otherwise is None else self.statement(s.otherwise, otherwise))
            case tree.While() | tree.DoWhile() | tree.For():
                return self._loop(s, state)
            case tree.Switch():
                return self._switch(s, state)
            case tree.Case() | tree.Default():
                switch = self.switches[-1]
                switch.has_default |= isinstance(s, tree.Default)
                return self.statement(s.statement, _join(state, self._with_skipped(switch.start)))
            case tree.Labeled():
                return self.statement(s.statement, _join(state, self._with_skipped(self.labels.get(s.label))))
            case tree.Return(value=value):
                self.expression(value, state)
                return None
            case tree.Goto(label=label):
                self.labels[label] = _join(self.labels.get(label), state)
                return None
            case tree.Break():
                self.leaves[-1].breaks = _join(self.leaves[-1].breaks, state)
                return None
            case tree.Continue():
                self.loops[-1].continues = _join(self.loops[-1].continues, state)
                return None
            case tree.Claim() | tree.Empty() | tree.Assembly():
                return state

    def _with_skipped(self, state: State) -> State:
        """The state behind a jump, which may pass declarations by."""
        return None if state is None else state | self.skipped

    def _declaration(self, s: tree.Declaration, state: State) -> State:
        if state is None:
            return None
        if s.initialiser is None:
            return state | _parts(s.object)
        if any(isinstance(node, tree.Variable) and node.object is s.object for node in nodes(s.initialiser)):
            state = self.expression(s.initialiser, state | _parts(s.object))
        else:
            state = self.expression(s.initialiser, state)
        return None if state is None else state - _parts(s.object)

    def _loop(self, s: tree.While | tree.DoWhile | tree.For, state: State) -> State:
        exits = _Exits()
        self.loops.append(exits)
        self.leaves.append(exits)
        if isinstance(s, tree.For):
            for one in s.initial:
                state = self.statement(one, state)
        behind: State = None
        if not isinstance(s, tree.DoWhile):
            state, behind = self.branches(s.condition, state)
        state = _join(self.statement(s.body, state), exits.continues)
        if isinstance(s, tree.DoWhile):
            behind = self.branches(s.condition, state)[1]
        elif isinstance(s, tree.For):
            self.expression(s.step, state)
        self.loops.pop()
        self.leaves.pop()
        return _join(behind, exits.breaks)

    def _switch(self, s: tree.Switch, state: State) -> State:
        exits = _Exits(start=self.expression(s.value, state))
        self.switches.append(exits)
        self.leaves.append(exits)
        end = self.statement(s.body, None)
        self.switches.pop()
        self.leaves.pop()
        return _join(end, exits.breaks, None if exits.has_default else exits.start)

    # Expressions

    def branches(self, condition: tree.Expression | None, state: State) -> tuple[State, State]:
        """The states where the condition holds, and where it does not."""
        state = self.expression(condition, state)
        number = 1 if condition is None else condition.value if isinstance(condition, tree.IntegerConstant) else None
        return (None if number == 0 else state), (None if number else state)

    def expression(self, e: tree.Node | None, state: State) -> State:
        """The state behind an expression, an lvalue or an initialiser; unsequenced operands see the state before."""
        if e is None or state is None:
            return state
        match e:
            case tree.Assign(target=target, value=value):
                state = self._operands((*self._inside(target), value), state)
                return None if state is None else state - self._covered(target)
            case tree.CompoundAssign(target=target) | tree.Increment(target=target):
                self._read(target, state)
                state = self._operands((*self._inside(target), *children(e)[1:]), state)
                return None if state is None else state - self._covered(target)
            case tree.Load(lvalue=lvalue) | tree.AddressOf(lvalue=lvalue) | tree.Decay(lvalue=lvalue):
                self._read(lvalue, state)
                return self._operands(self._inside(lvalue), state)
            case tree.Logical(left=left, right=right):
                state = self.expression(left, state)
                self.expression(right, state)
                return state
            case tree.Conditional(condition=condition, then=then, otherwise=otherwise):
                state = self.expression(condition, state)
                return _join(self.expression(then, state), self.expression(otherwise, state))
            case tree.StatementExpression(body=body, value=value):
                return self.expression(value, self.statement(body, state))
            case tree.Call():
                state = self._operands(children(e), state)
                name = callee(e)
                return None if name is not None and self.ends(name) else state
            case _:
                return self._operands(children(e), state)

    def _operands(self, parts: Iterable[tree.Node], state: State) -> State:
        """Operands from left to right; what one of them writes counts for those behind it.

        The order of conflicting ones is refused by the lowering.
        """
        for one in parts:
            state = self.expression(one, state)
        return state

    def _inside(self, lvalue: tree.Lvalue) -> list[tree.Node]:
        """The operands that are evaluated to find the object."""
        found: list[tree.Node] = []
        while isinstance(lvalue, tree.Index | tree.Member):
            if isinstance(lvalue, tree.Index):
                found.append(lvalue.index)
            lvalue = lvalue.array if isinstance(lvalue, tree.Index) else lvalue.base
        return [*found, *(children(lvalue) if not isinstance(lvalue, tree.Variable) else ())]

    def _read(self, lvalue: tree.Lvalue, state: State) -> None:
        base = root(lvalue)
        if state is None or not isinstance(base, tree.Variable):
            return
        if any(one in state for one in self._touched(lvalue)):
            self.uninitialised.setdefault(base.object.name, (base.object, lvalue.span))

    def _touched(self, lvalue: tree.Lvalue) -> list[str]:
        """The parts of the object that an lvalue is, or lies in."""
        path, exact = self._path(lvalue)
        base = root(lvalue)
        assert isinstance(base, tree.Variable)
        return [one for one in _parts(base.object) if not exact or _is_below(one, path)]

    def _covered(self, target: tree.Lvalue) -> frozenset[str]:
        """The parts that an assignment sets as a whole."""
        if not isinstance(root(target), tree.Variable):
            return frozenset()
        path, exact = self._path(target)
        return frozenset(one for one in self._touched(target) if _is_below(one, path)) if exact else frozenset()

    def _path(self, lvalue: tree.Lvalue) -> tuple[str, bool]:
        """The name of the part, and whether it is that part as a whole: no element, no member of a union."""
        suffix, exact = "", True
        while isinstance(lvalue, tree.Index | tree.Member):
            if isinstance(lvalue, tree.Index):
                suffix, exact, lvalue = "", False, lvalue.array
            else:
                is_struct = isinstance(lvalue.base.type, Record) and lvalue.base.type.kind is RecordKind.STRUCT
                suffix, exact = (f".{lvalue.field.name}{suffix}", exact) if is_struct else ("", False)
                lvalue = lvalue.base
        return (lvalue.object.name if isinstance(lvalue, tree.Variable) else "") + suffix, exact


def _is_below(part: str, path: str) -> bool:
    return part == path or part.startswith(f"{path}.")
