"""Outcomes of engines, their evidence, and the verdict of a run. Plain data.

An engine ends each check with an `Outcome` that carries its evidence. The session has separate code examine the
evidence, and only then states a `Verdict`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum

from core.dataclass import dataclass
from core.program import InputKind
from core.program.expansion import At
from core.program.span import Span
from core.program.unwinding import UnwoundPlace
from core.terms import BOOL, INT, ArraySort, Term, Value, subterms

SET = ArraySort(INT, BOOL)
RELATION = ArraySort(INT, SET)
"""The sorts of ghost variables for lists: sets of addresses, and relations between addresses."""


@dataclass(frozen=True, eq=False)
class Contract:
    """A contract of a function: a claim about every call of it, in the terms of `core.program.modular`.

    `pre` holds when it is entered, over its parameters and the globals. `post` holds when it returns, over the globals
    and the snapshots of the parameters and of the globals that the function may change.
    """

    pre: Term
    post: Term


@dataclass(frozen=True, slots=True)
class GhostField:
    """Ghost variables for a pointer field, which lies in `array`, `offset` bytes behind the address of a record.

    `reaches` is an array of arrays of truth values: whether pointers of the field lead from one address to another, in
    any number of steps. `written` says of an address whether the field was written there since it was allocated.
    `length` says how many records the list at an address has. `around` is there for lists that may have cycles: these
    are cut, so that `reaches` knows none, and what is around an address is behind the cut pointer at its list's end.
    """

    array: Term
    offset: int
    reaches: Term
    written: Term
    length: Term | None = None
    around: Term | None = None

    @property
    def symbols(self) -> tuple[Term, ...]:
        """The ghost variables."""
        return (self.reaches, self.written, *(one for one in (self.length, self.around) if one is not None))


@dataclass(frozen=True, eq=False)
class HeapGhosts:
    """Ghost variables of an invariant about lists. `core.certificate.heap` has their first values and their updates.

    `allocated` says of each address whether an allocation returned it, or whether it is in `roots`: addresses that are
    followed like those of records, because pointers to fields may lead to variables, too. At the locations in
    `structured` the invariant includes that the ghost variables describe the heap: lists of allocated nodes.
    """

    allocated: Term
    fields: tuple[GhostField, ...]
    structured: frozenset[At]
    roots: tuple[int, ...] = ()

    @property
    def symbols(self) -> tuple[Term, ...]:
        """The ghost variables."""
        return (self.allocated, *(s for one in self.fields for s in one.symbols))


@dataclass(frozen=True, eq=False)
class Fold:
    """A ghost array with the results of going through arrays from the left: sums, counts, maxima of their beginnings.

    `symbol` gets a new value when one of `edges` leads to `at`: `symbol[0]` is `first`, and for k ≥ 0 `symbol[k + 1]`
    is `step`, where `result` stands for `symbol[k]` and `index` for k; both over the variables as they are then.
    `bound` is a claim about every result with its index.
    """

    symbol: Term
    at: At
    edges: frozenset[int]
    result: Term
    index: Term
    first: Term
    step: Term
    bound: Term

    @property
    def symbols(self) -> tuple[Term, Term, Term]:
        """The ghost array, and what stands for its elements in its definition."""
        return self.symbol, self.result, self.index


Ghost = HeapGhosts | Fold
"""Ghost variables of one kind, which are added to the states of a program and change nothing in it."""


@dataclass(frozen=True, eq=False)
class Certificate:
    """An inductive invariant of a program.

    `invariants` maps locations to formulas over the variables; they must cut every cycle. A location that is
    missing is unconstrained only if it lies between others: the checker walks through it. A reachable location whose
    invariant is false is claimed unreachable. `lemmas` are formulas that are claimed valid for all values within
    range: untrusted hints, checked before use.

    The locations are those of the expansion; where functions have `contracts`, those of the modular view in which
    these functions are not expanded, and invariants may also speak about snapshots.

    Invariants and contracts may speak about `ghosts`, which are globals to them, and universally about all indices and
    addresses: a quantifier is a conjunct.

    With `rounds` there is no invariant: the program can be unrolled completely. They are all the rounds of loops, and
    all calls of functions that were active already, that executions reach.
    """

    invariants: Mapping[At, Term]
    lemmas: tuple[Term, ...] = ()
    contracts: Mapping[str, Contract] = field(default_factory=dict)
    ghosts: tuple[Ghost, ...] = ()
    rounds: tuple[UnwoundPlace, ...] | None = None

    @property
    def size(self) -> int:
        """The rounds that it claims, or the different nodes of its formulas."""
        if self.rounds is not None:
            return len(self.rounds)
        contracts = [formula for one in self.contracts.values() for formula in (one.pre, one.post)]
        return sum(1 for _ in subterms(*self.invariants.values(), *self.lemmas, *contracts))


@dataclass(frozen=True, slots=True)
class InputValue:
    """The value that the environment supplies at one execution of an input.

    `occurrence` counts, from 0, the executions of the inputs with this kind, name and span so far. `value` is an int,
    or for storage of arrays an `ArrayValue`.
    """

    kind: InputKind
    name: str
    span: Span
    occurrence: int
    value: Value


@dataclass(frozen=True)
class Safe:
    """The check's error location is unreachable, because of `certificate`."""

    certificate: Certificate


@dataclass(frozen=True)
class Executed:
    """The check's error location is not reached by the one execution of the program, which reads no input."""


@dataclass(frozen=True)
class Gap:
    """A part that is left out of a path before `position`, and that leads back to where it begins.

    `values` are those after it of globals and of the innermost activation's variables, as far as they are known.
    """

    position: int
    values: Mapping[Term, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Unsafe:
    """The error is reached along `path` (edge ids, in order; a call edge when entered and again when left).

    A call whose edge comes twice in a row may be left out: then the path has had a call of the function with the same
    arguments, on which alone its result depends. Of a very long path parts are left out: `gaps`, in their order.
    """

    inputs: tuple[InputValue, ...]
    path: tuple[int, ...]
    gaps: tuple[Gap, ...] = ()


@dataclass(frozen=True)
class Shortened:
    """A counterexample, and whether it is known to be the shortest and smallest."""

    claim: Unsafe
    is_minimal: bool


@dataclass(frozen=True)
class Unknown:
    """No answer, for the `reason` given; `last_path` is the last path (edge ids) that was analysed, if any."""

    reason: str
    last_path: tuple[int, ...] = ()


Outcome = Safe | Executed | Unsafe | Unknown


class Status(StrEnum):
    """The verdict on one check or on a whole run."""

    TRUE = "true"
    FALSE = "false"
    UNKNOWN = "unknown"
    TIMEOUT = "TIMEOUT"
    OUT_OF_MEMORY = "OUT OF MEMORY"
    ERROR = "ERROR"


ANSWERS = (Status.TRUE, Status.FALSE)


def stated_status(verdict: str) -> Status:
    """The status that a verdict string states: of `false(unreach-call)` false; of words that are none, unknown."""
    try:
        return Status(verdict.partition("(")[0].strip())
    except ValueError:
        return Status.UNKNOWN


class Confirmer(StrEnum):
    """The kinds of confirmation, as the words that `confirmed_by` begins with; details follow."""

    INVARIANT = "an inductive invariant"
    UNROLLING = "a complete unrolling"
    EXECUTION = "the only execution of the program"
    NATIVE_REPLAY = "native replay"
    INTERPRETER = "interpreter of typed C"


class Reachability(StrEnum):
    """The answer to the question whether any execution comes to a check; empty where nobody asked."""

    REACHED = "reached"
    UNREACHED = "unreached"
    NOT_KNOWN = "not known"


@dataclass(frozen=True)
class CheckResult:
    """The verdict on one check. `confirmed_by` says what examined the evidence, `confirmer` its kind (a `Confirmer` or
    empty); `reason` explains an unknown.

    `undefined` is the undefined behaviour that an execution runs into, against an assumption of the verdict, and
    `advice` what to ask then. `reach` is a `Reachability` or empty, and `reached_by` the execution that comes to the
    check, or the evidence that none does.
    """

    check: int
    property: str
    description: str
    span: Span
    status: Status
    confirmed_by: str = ""
    reason: str = ""
    undefined: str = ""
    advice: str = ""
    reach: str = ""
    reached_by: str = ""
    confirmer: str = ""


@dataclass(frozen=True)
class Verdict:
    """The verdict of a run. `assumptions` is what a true or false rests on; `advice` what to try on unknown.

    `premises` are what people overlook, and so stand in its first lines, behind `untested`: what it says nothing about,
    since no execution comes there. `data_model` is that of the program.
    """

    status: Status
    property: str  # the property that is violated, for false
    checks: tuple[CheckResult, ...]
    assumptions: tuple[str, ...] = ()
    confirmed_by: str = ""
    reason: str = ""
    advice: str = ""
    premises: tuple[str, ...] = ()
    data_model: str = ""
    untested: tuple[str, ...] = ()

    def __str__(self) -> str:
        """The verdict string of SV-COMP: `true`, `false(unreach-call)`, `unknown`, `TIMEOUT`, …"""
        return f"{self.status}({self.property})" if self.status is Status.FALSE and self.property else str(self.status)


EXIT_CODES: Mapping[Status, int] = {
    Status.TRUE: 0,
    Status.FALSE: 10,
    Status.UNKNOWN: 5,
    Status.TIMEOUT: 124,
    Status.OUT_OF_MEMORY: 137,
    Status.ERROR: 70,
}
