"""Functions that may end the program, and functions that may be an error: it matters which of the two is called first.

One that may loop forever (`loops.py`) counts as one that ends the program.

Limitations: functions that never come back since they call themselves do not, nor loops whose text does not show it.
Which of two errors comes first is left open, where both could happen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

from core.dataclass import dataclass
from core.program.properties import CheckKind
from frontend.lowering.sequencing.endless_loops import ReadsAndWrites, jumps_back, may_be_endless
from frontend.properties.errors import Effect, ErrorPolicy
from frontend.typed import tree
from frontend.typed.ctype import Integer, Pointer, Signature, Void
from frontend.typed.library_table import library_function
from frontend.typed.promises import never_returns
from frontend.typed.traversal import callee, nodes
from frontend.typed.tree import ClaimKind, TranslationUnit

_FAILS = {Effect.ASSERT, Effect.VERIFIER_ASSERT, Effect.ASSERT_FAIL}


@dataclass(frozen=True, slots=True)
class _Ending:
    """Whether code may end the program as it should, and whether it may be an error."""

    ends: bool = False
    fails: bool = False

    def or_(self, other: _Ending) -> _Ending:
        return _Ending(self.ends or other.ends, self.fails or other.fails)


class Endings:
    """Ways in which evaluations may end the program. `may_fail` says where undefined behaviour is checked."""

    def __init__(
        self,
        unit: TranslationUnit,
        reachable: Iterable[str],
        indirect: Mapping[int, tuple[str, ...]],
        policy: ErrorPolicy,
        may_fail: Callable[[tree.Node], bool],
        accesses: ReadsAndWrites,
    ) -> None:
        self._unit, self._reachable, self._indirect = unit, tuple(reachable), indirect
        self._policy, self._may_fail, self._accesses = policy, may_fail, accesses

    def ends(self, node: tree.Node) -> bool:
        """Whether an evaluation may end the program without an error."""
        return self._of(_whole(node)).ends

    def fails(self, node: tree.Node) -> bool:
        """Whether an evaluation may be an error."""
        return self._of(_whole(node)).fails

    def _of(self, found: Iterable[tree.Node]) -> _Ending:
        result = _Ending()
        for node in found:
            result = result.or_(self._own(node))
            if isinstance(node, tree.Call):
                for name in self._callees(node):
                    result = result.or_(self._functions.get(name, _Ending()))
        return result

    def _callees(self, call: tree.Call) -> tuple[str, ...]:
        name = callee(call)
        return self._indirect.get(id(call), ()) if name is None else (name,)

    @cached_property
    def _functions(self) -> Mapping[str, _Ending]:
        """The functions with a body that may end the program."""
        endings: dict[str, _Ending] = {}
        calls: dict[str, set[str]] = {}
        for name in self._reachable:
            body = self._unit.functions[name].body
            assert body is not None
            inside = list(nodes(body))
            own = _Ending(jumps_back(body, self._accesses), self._begins_or_ends_wrongly(name, inside))
            for node in inside:
                own = own.or_(self._own(node))
            endings[name] = own
            calls[name] = {one for node in inside if isinstance(node, tree.Call) for one in self._callees(node)}
        changed = True
        while changed:
            changed = False
            for name, called in calls.items():
                new = endings[name]
                for one in called:
                    new = new.or_(endings.get(one, _Ending()))
                changed |= new != endings[name]
                endings[name] = new
        return endings

    def _own(self, node: tree.Node) -> _Ending:
        """Ways in which the node itself may end the program."""
        match node:
            case tree.Claim(kind=kind):
                return _Ending(ends=kind is ClaimKind.ASSUMED, fails=kind is ClaimKind.CHECKED)
            case tree.While() | tree.DoWhile() | tree.For():
                return _Ending(ends=may_be_endless(node, self._accesses))
            case tree.Labeled(label=label):
                return _Ending(fails=label in self._policy.labels)
            case tree.Call():
                result = _Ending(never_returns(node.function.type), self._is_checked(node))
                for name in self._callees(node):
                    result = result.or_(self._called(name))
                return result
            case _:
                return _Ending(fails=self._may_fail(node) or self._is_checked(node))

    def _is_checked(self, node: tree.Node) -> bool:
        """Whether undefined behaviour of a store or a call itself may be checked, judged by its form."""
        kinds = self._policy.kinds
        match node:
            case tree.Call():
                return self._is_call_checked(node)
            case tree.Declaration(object=object_, initialiser=initialiser):
                is_named = initialiser is not None and _is_enumerated(object_)
                is_length = object_.source_name == tree.LENGTH
                return (CheckKind.ENUM in kinds and is_named) or (CheckKind.LENGTH in kinds and is_length)
            case tree.NextArgument():
                return CheckKind.ARGUMENTS in kinds
            case tree.Assign(target=tree.Variable(type=Integer(enumerators=()))):
                return CheckKind.SEQUENCE in kinds
            case tree.Assign() | tree.CompoundAssign() | tree.Increment():
                return bool(kinds)
            case _:
                return False

    def _is_call_checked(self, call: tree.Call) -> bool:
        """Whether undefined behaviour of a call itself may be checked, judged by what is called, and with what."""
        kinds, names = self._policy.kinds, self._callees(call)
        type_ = call.function.type.target if isinstance(call.function.type, Pointer) else None
        is_named = isinstance(call.function, tree.FunctionAddress)
        is_typed = is_named and isinstance(type_, Signature) and type_.prototype
        is_outside = not any(self._body(name) for name in names)
        pointers = any(isinstance(one.type, Pointer) for one in (call, *call.arguments))
        return (
            (CheckKind.CALL in kinds and not is_typed)
            or (not is_named and not {CheckKind.NULL, CheckKind.DANGLING, CheckKind.NORETURN}.isdisjoint(kinds))
            or (pointers and (CheckKind.NONNULL in kinds or (is_outside and bool(kinds))))
        )

    def _begins_or_ends_wrongly(self, name: str, inside: Sequence[tree.Node]) -> bool:
        """Whether it may be an error that a function begins with its arguments, or that it ends."""
        function, kinds = self._unit.functions[name], self._policy.kinds
        body = inside[0]
        assert isinstance(body, tree.Compound)
        returns = bool(body.items) and isinstance(body.items[-1], tree.Return)
        is_complete = returns and not any(isinstance(one, tree.Return) and one.value is None for one in inside)
        has_extents = any(one.name in self._unit.extents for one in function.parameters)
        return (
            (CheckKind.NORETURN in kinds and name in self._unit.no_return)
            or (CheckKind.RETURN in kinds and not is_complete and not isinstance(function.type.result, Void))
            or (has_extents and not {CheckKind.NULL, CheckKind.DANGLING}.isdisjoint(kinds))
            or (CheckKind.ENUM in kinds and any(map(_is_enumerated, function.parameters)))
        )

    def _body(self, name: str) -> tree.Compound | None:
        declared = self._unit.functions.get(name)
        return None if declared is None else declared.body

    def _called(self, name: str) -> _Ending:
        """Ways in which the call of a function without a body may end the program."""
        if self._policy.is_error(name):
            return _Ending(fails=True)
        if self._body(name) is not None:
            return _Ending()
        if library_function(name).never and CheckKind.UNREACHABLE in self._policy.kinds:
            return _Ending(fails=True)
        effect = self._policy.effect_of(name)
        if effect in _FAILS:
            is_error = effect is Effect.VERIFIER_ASSERT or self._policy.asserts is Effect.ASSERT
            return _Ending(ends=not is_error, fails=is_error)
        return _Ending(ends=effect in (Effect.END, Effect.ASSUME) or name in self._unit.no_return)


def _is_enumerated(object_: tree.Object) -> bool:
    return isinstance(object_.type, Integer) and bool(object_.type.enumerators)


def _whole(node: tree.Node) -> Iterable[tree.Node]:
    """The evaluations that are done at once: all of a statement expression."""
    return nodes(node) if isinstance(node, tree.StatementExpression) else (node,)
