"""The error policy of a program: what counts as an error, and the effects of undefined functions with known names.

With a property that names an error function, calls of it are the checks, and a failed assertion ends the path. Without
one, failed assertions are checks of their own. Labels `ERROR` count where reachable code calls no error function.
Undefined behaviour of the kinds that are asked for is an error too, whatever else is one.
"""

from __future__ import annotations

from dataclasses import field
from enum import Enum

from core.dataclass import dataclass
from core.program.properties import NO_KINDS, CheckKind, Kinds
from frontend.typed.library_table import library_function

ERROR_LABEL = "ERROR"


@dataclass(frozen=True, slots=True)
class UnreachCall:
    """The property `CHECK( init(main()), LTL(G ! call(f())) )`: `function` is f."""

    function: str = "reach_error"


@dataclass(frozen=True, slots=True)
class NoReach:
    """A property that is about something else: nothing is an error for being reached."""


Reach = UnreachCall | NoReach | None
"""Places that must not be reached; None where nobody says: error functions, error labels, failing assertions."""


class Effect(Enum):
    """The effect of a call of an undefined function."""

    NONDET = "nondet"
    VOLATILE = "volatile"
    ASSUME = "assume"
    END = "end"
    ASSERT = "assert"
    VERIFIER_ASSERT = "verifier-assert"
    ASSERT_FAIL = "assert-fail"
    OUTPUT = "output"
    EXPECT = "expect"
    UNKNOWN = "unknown"


VOLATILE_READ = "volatile "
"""Prefix of the names of functions whose results are the values of volatile objects."""

_WITHOUT_ACCESS = (
    *(Effect.NONDET, Effect.VOLATILE, Effect.ASSUME, Effect.END, Effect.ASSERT),
    *(Effect.VERIFIER_ASSERT, Effect.ASSERT_FAIL, Effect.EXPECT),
)
_UNINTERPRETED = "__CPROVER_uninterpreted_"
"""Of CBMC: functions without effects, of which nothing is said but that they are functions."""


@dataclass(frozen=True, slots=True)
class ErrorPolicy:
    """The errors of a program: `functions` are the error functions, `labels` the error labels.

    `asserts` says what failed assertions are.
    """

    functions: frozenset[str]
    labels: frozenset[str]
    asserts: Effect
    """ASSERT: a check; END: the end of the path."""
    kinds: Kinds = field(default_factory=lambda: NO_KINDS, compare=False)
    """Undefined behaviour that is an error."""
    guards: frozenset[str] = frozenset()
    """Functions that end the program unless their argument holds, and do no more; their bodies are left out."""

    def is_error(self, name: str) -> bool:
        """Whether a call of the function is an error; `reach_error#2` is the one of another file."""
        return name.partition("#")[0] in self.functions

    def accesses_nothing(self, name: str, is_defined: bool) -> bool:
        """Whether a call of the function accesses no memory: by its name, where the program does not define it."""
        return self.is_error(name) or (not is_defined and self.effect_of(name) in _WITHOUT_ACCESS)

    @property
    def tracks(self) -> bool:
        """Whether the lives of objects matter."""
        return needs_sizes(self.kinds)

    @property
    def checks_memory(self) -> bool:
        """Whether it matters where pointers lead."""
        return CheckKind.NULL in self.kinds or CheckKind.DANGLING in self.kinds

    def effect_of(self, name: str) -> Effect:
        """The effect of the undefined function, by its name.

        Where failed assertions are checks, so is every function whose name says `assert_fail`. Where they end the path,
        only those of C libraries do: a function that a program merely declares under such a name may return.
        """
        if name in self.guards:
            return Effect.ASSUME
        if name.startswith("__VERIFIER_nondet_"):
            return Effect.NONDET
        if name.startswith(VOLATILE_READ):
            return Effect.VOLATILE
        if "assert_fail" in name and self.asserts is Effect.ASSERT:
            return Effect.ASSERT_FAIL
        return Effect.OUTPUT if is_output(name) else _library_effect(name)


def needs_sizes(kinds: Kinds) -> bool:
    """Whether checks of these kinds ask which objects live, and how large they are."""
    return any(kind.row.needs_sizes for kind in kinds)


def is_output(name: str) -> bool:
    """Whether the undefined function only reads what its arguments point to."""
    return name.startswith(_UNINTERPRETED) or _library_effect(name) is Effect.OUTPUT


def _library_effect(name: str) -> Effect:
    """The effect that the table of library functions has for the name."""
    effect = library_function(name).effect
    return Effect(effect) if effect else Effect.UNKNOWN


def error_functions(property_: Reach) -> frozenset[str]:
    match property_:
        case NoReach():
            return frozenset()
        case UnreachCall(function):
            return frozenset({"__VERIFIER_error", function})
        case None:
            return frozenset({"__VERIFIER_error", "reach_error"})


def policy(
    property_: Reach, called: frozenset[str], kinds: Kinds = NO_KINDS, guards: frozenset[str] = frozenset()
) -> ErrorPolicy:
    """The policy for a program whose reachable code calls the functions in `called`; `guards` only assume."""
    functions = error_functions(property_)
    has_labels = not isinstance(property_, NoReach) and not functions & called
    labels = frozenset({ERROR_LABEL}) if has_labels else frozenset[str]()
    return ErrorPolicy(functions, labels, Effect.ASSERT if property_ is None else Effect.END, kinds, guards)
