"""Evidence as JSON: what engines claim, in run files, and what people and other tools write for `interplay check`.

`docs/evidence.md` describes the document. A term is the number of a row in a table, or a text in SMT-LIB; a place is
the number of a location, or a line. Texts and lines need the program that they speak about.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Iterable, Mapping, Sequence

from core.dataclass import dataclass
from core.program import Call, Program
from core.program.expansion import At
from core.program.unwinding import UnwoundPlace
from core.terms import BOOL, INT, INT_ARRAY, PROOF_SIGN, Arena, ArrayValue, Sort, Term, Value
from core.verdict import (
    RELATION,
    SET,
    Certificate,
    Contract,
    Executed,
    Fold,
    Gap,
    Ghost,
    GhostField,
    HeapGhosts,
    InputValue,
    Outcome,
    Safe,
    Unsafe,
)
from runs.jsondata import Fields, Malformed, as_int, as_ints, as_list, as_object, as_row, as_str, compact, each
from runs.serialize import input_kind
from runs.spans import decode_span, encode_span
from runs.termtable import TermTable, read_table

FORMAT = "interplay-evidence"
VERSION = 1
_EVIDENCE = (
    *("format", "version", "options", "digest"),  # of a document that is no part of a run file
    *("certificates", "counterexamples", "executed", "terms"),
)
_CERTIFICATE = ("checks", "invariants", "lemmas", "contracts", "ghosts", "rounds")
_COUNTEREXAMPLE = ("check", "path", "inputs", "gaps")
_Json = dict[str, object]


@dataclass(frozen=True)
class Evidence:
    """The evidence of an engine for the checks that it decided, by check id."""

    certificates: Mapping[int, Certificate]
    counterexamples: Mapping[int, Unsafe]
    executed: tuple[int, ...] = ()

    def outcomes(self) -> dict[int, Outcome]:
        """The outcomes that the evidence is of."""
        proofs: dict[int, Outcome] = {check: Safe(one) for check, one in self.certificates.items()}
        return {**proofs, **dict.fromkeys(self.executed, Executed()), **self.counterexamples}


def digest(program: object) -> str:
    """The name of a program as `encode_program` writes it, by which evidence says that it is about this one."""
    from hashlib import sha256  # few ask

    return sha256(compact(program).encode()).hexdigest()


# Writing


def encode_evidence(outcomes: Mapping[int, Outcome]) -> _Json:
    """The JSON value of the evidence in `outcomes`; a certificate that several checks share is written once."""
    table = TermTable()
    shared: dict[int, tuple[Certificate, list[int]]] = {}
    for check, outcome in outcomes.items():
        if isinstance(outcome, Safe):
            shared.setdefault(id(outcome.certificate), (outcome.certificate, []))[1].append(check)
    executed = [check for check, outcome in outcomes.items() if isinstance(outcome, Executed)]
    return {
        "certificates": [_encode_certificate(c, checks, table) for c, checks in shared.values()],
        "counterexamples": [
            {
                "check": check,
                "inputs": [_encode_input_value(i) for i in outcome.inputs],
                "path": list(outcome.path),
                **({"gaps": [_encode_gap(gap, table) for gap in outcome.gaps]} if outcome.gaps else {}),
            }
            for check, outcome in outcomes.items()
            if isinstance(outcome, Unsafe)
        ],
        **({"executed": executed} if executed else {}),
        "terms": table.rows,
    }


def _encode_certificate(certificate: Certificate, checks: list[int], table: TermTable) -> _Json:
    contracts = [[name, table.id(c.pre), table.id(c.post)] for name, c in certificate.contracts.items()]
    return {
        "checks": checks,
        "invariants": [
            [list(at.stack), at.location, table.id(formula)] for at, formula in certificate.invariants.items()
        ],
        "lemmas": [table.id(t) for t in certificate.lemmas],
        **({"contracts": contracts} if contracts else {}),
        **({"ghosts": [_encode_ghost(one, table) for one in certificate.ghosts]} if certificate.ghosts else {}),
        **({"rounds": [_encode_round(one) for one in certificate.rounds]} if certificate.rounds is not None else {}),
    }


def _encode_ghost(ghost: Ghost, table: TermTable) -> list[object]:
    if isinstance(ghost, HeapGhosts):
        return ["heap", _encode_heap(ghost, table)]
    return ["fold", _encode_fold(ghost, table)]


def _encode_fold(fold: Fold, table: TermTable) -> list[object]:
    terms = (fold.symbol, fold.result, fold.index, fold.first, fold.step, fold.bound)
    return [list(fold.at.stack), fold.at.location, sorted(fold.edges), [table.id(t) for t in terms]]


def _encode_round(place: UnwoundPlace) -> list[object]:
    return [list(place.at.stack), place.at.location, [list(numbers) for numbers in place.rounds]]


def _encode_heap(ghosts: HeapGhosts, table: TermTable) -> _Json:
    number = table.id
    return {
        "allocated": number(ghosts.allocated),
        "fields": [
            [number(g.array), g.offset, *(None if x is None else number(x) for x in _ghosts_of(g))]
            for g in ghosts.fields
        ],
        "structured": sorted([list(at.stack), at.location] for at in ghosts.structured),
        **({"roots": list(ghosts.roots)} if ghosts.roots else {}),
    }


def _ghosts_of(field: GhostField) -> Sequence[Term | None]:
    """The ghosts of a field, without those at the end that it does not have."""
    every = [field.reaches, field.written, field.length, field.around]
    while every[-1] is None:
        every.pop()
    return every


def _encode_gap(gap: Gap, table: TermTable) -> list[object]:
    return [gap.position, [[table.id(x), value] for x, value in gap.values.items()]]


def _encode_input_value(i: InputValue) -> list[object]:
    return [i.kind.value, i.name, encode_span(i.span), i.occurrence, _encode_value(i.value)]


def _encode_value(value: Value) -> object:
    if isinstance(value, ArrayValue):
        return [value.default, sorted([i, v] for i, v in value.entries.items())]
    return value


# Reading


def head(value: object) -> dict[str, object]:
    """The options of the program that evidence outside of a run file is about. Raises `Malformed`."""
    data = Fields(value, _EVIDENCE)
    if data["format"] != FORMAT or data["version"] != VERSION:
        raise Malformed(f"this is not {FORMAT} of version {VERSION}, which is read here")
    return as_object(data["options"])


def decode_evidence(value: object, arena: Arena, program: Program | None = None) -> Evidence:
    """The evidence that a document states, with terms in `arena`. Raises `Malformed`."""
    return _EvidenceReader(Fields(value, _EVIDENCE), arena, program).evidence()


class _EvidenceReader:
    """A reader of one document."""

    def __init__(self, data: Fields, arena: Arena, program: Program | None) -> None:
        self._data, self._arena, self._program = data, arena, program
        self._table = read_table(data.get("terms"), arena)
        self._names: dict[str | None, dict[str, Term]] = {}  # by the function in which texts stand
        self._ghosts: dict[str, Term] = {}  # of the certificate that is read, by the names in texts

    def evidence(self) -> Evidence:
        certificates: dict[int, Certificate] = {}
        for checks, certificate in each(self._data.get("certificates"), "certificates", self._certificate):
            certificates.update(dict.fromkeys(checks, certificate))
        counterexamples = dict(each(self._data.get("counterexamples"), "counterexamples", self._counterexample))
        return Evidence(certificates, counterexamples, as_ints(self._data.get("executed")))

    def _certificate(self, _: int, value: object) -> tuple[Iterable[int], Certificate]:
        """A certificate, and the checks that it is for: all of the program where it does not say."""
        data = Fields(_renamed(value), _CERTIFICATE)
        checks = as_ints(data["checks"]) if "checks" in data else range(len(self._named().checks))
        self._ghosts = {}
        ghosts = tuple(each(data.get("ghosts"), "ghosts", self._ghost))
        return checks, Certificate(
            self._invariants(data.get("invariants")),
            tuple(each(data.get("lemmas"), "lemmas", lambda _, one: self._term(one, None))),
            dict(each(data.get("contracts"), "contracts", self._contract)),
            ghosts,
            tuple(each(data["rounds"], "rounds", self._round)) if "rounds" in data else None,
        )

    def _invariants(self, values: object) -> dict[At, Term]:
        invariants: dict[At, Term] = {}

        def add(_: int, value: object) -> None:
            calls, location, formula = as_row(value, 3)
            at = self._place(calls, location)
            if at in invariants:
                raise Malformed("this place has an invariant already")
            invariants[at] = self._term(formula, at.location)

        each(values, "invariants", add)
        return invariants

    def _contract(self, _: int, value: object) -> tuple[str, Contract]:
        name, pre, post = as_row(value, 3)
        function = as_str(name)
        if self._program is None:
            return function, Contract(self._term(pre, None), self._term(post, None))
        if function not in self._program.functions:
            raise Malformed(f"the program has no function {function!r}")
        entry = self._program.functions[function].entry
        return function, Contract(self._term(pre, entry), self._term(post, entry))

    def _ghost(self, _: int, value: object) -> Ghost:
        kinds: Mapping[object, Callable[[object], Ghost]] = {"heap": self._heap, "fold": self._fold}
        kind, ghost = as_row(value, 2)
        if not isinstance(kind, str) or kind not in kinds:
            raise Malformed(f"unknown kind of ghost {kind!r}")
        return kinds[kind](ghost)

    def _heap(self, value: object) -> HeapGhosts:
        data = Fields(value, ("allocated", "fields", "structured", "roots"))
        allocated = self._new(data["allocated"], SET)
        fields = each(data["fields"], "fields", self._field)
        places = each(data["structured"], "structured", lambda _, row: self._place(*as_row(row, 2)))
        return HeapGhosts(allocated, tuple(fields), frozenset(places), tuple(as_ints(data.get("roots"))))

    def _field(self, _: int, value: object) -> GhostField:
        row = as_list(value)
        array, offset, reaches, written, *more = as_row(row, min(max(len(row), 4), 6))
        length, around = (*more, None, None)[:2]
        return GhostField(
            self._term(array, None, INT_ARRAY),
            as_int(offset),
            self._new(reaches, RELATION),
            self._new(written, SET),
            None if length is None else self._new(length, INT_ARRAY),
            None if around is None else self._new(around, RELATION),
        )

    def _fold(self, value: object) -> Fold:
        calls, location, edges, terms = as_row(value, 4)
        at = self._place(calls, location)
        names, (first, step, bound) = as_row(terms, 6)[:3], as_list(terms)[3:]
        symbol, result, index = self._new(names[0], INT_ARRAY), self._new(names[1], INT), self._new(names[2], INT)
        parts = self._term(first, at.location, INT), self._term(step, at.location, INT), self._term(bound, at.location)
        for name in filter(lambda one: isinstance(one, str), names[1:]):
            del self._ghosts[as_str(name)]  # bound here alone
        return Fold(symbol, at, frozenset(as_ints(edges)), result, index, *parts)

    def _new(self, value: object, sort: Sort) -> Term:
        """A ghost, of which a text is the name."""
        if not isinstance(value, str):
            return self._term(value, None, sort)
        if value in self._ghosts:
            raise Malformed(f"two ghosts have the name {value!r}")
        arena = self._arena  # numbers are bound in a fold, and several folds may have one name for theirs
        new = arena.proof_symbol(value, sort) if sort == INT else arena.symbol(f"{PROOF_SIGN}{value}", sort)
        self._ghosts[value] = new
        return new

    def _round(self, _: int, value: object) -> UnwoundPlace:
        calls, location, rounds = as_row(value, 3)
        return UnwoundPlace(self._place(calls, location), tuple(map(as_ints, as_list(rounds))))

    def _counterexample(self, _: int, value: object) -> tuple[int, Unsafe]:
        data = Fields(_renamed(value), _COUNTEREXAMPLE)
        inputs = each(data.get("inputs"), "inputs", lambda _, one: _decode_input_value(one))
        gaps = each(data.get("gaps"), "gaps", self._gap)
        return as_int(data["check"]), Unsafe(tuple(inputs), as_ints(data["path"]), tuple(gaps))

    def _gap(self, _: int, value: object) -> Gap:
        """A gap; one of which no values are known was written as its position once."""
        if not isinstance(value, list):
            return Gap(as_int(value))
        position, values = as_row(value, 2)
        rows = [as_row(row, 2) for row in as_list(values)]
        return Gap(as_int(position), {self._term(x, None, None): as_int(number) for x, number in rows})

    # Places and terms

    def _named(self) -> Program:
        """The program that texts speak about."""
        if self._program is None:
            raise Malformed("what a text or a missing field means is said by the program, which is not at hand")
        return self._program

    def _place(self, calls: object, location: object) -> At:
        """A location of the program, inside the calls that lead to it: the only ones where `calls` is null."""
        number = _on_line(self._named(), location) if isinstance(location, str) else as_int(location)
        if self._program is not None and not 0 <= number < len(self._program.locations):
            raise Malformed(f"the program has no location {number}")
        return At(_calls_to(self._named(), number) if calls is None else as_ints(calls), number)

    def _term(self, value: object, location: int | None, sort: Sort | None = BOOL) -> Term:
        """The term of a sort that a document means at a location: a row of its table, or a text."""
        if isinstance(value, str):
            return self._read(value, location, sort or INT)
        term = self._table.term(as_int(value))
        if sort is not None and term.sort != sort:
            raise Malformed(f"term {value!r} has sort {term.sort}, not {sort}")
        return term

    def _read(self, text: str, location: int | None, sort: Sort) -> Term:
        from core.terms.formulas import read_formula  # engines write no texts
        from core.terms.smtlib import NotReadable

        program = self._named()
        names = self._names_in(None if location is None else program.locations[location].function)
        snapshots = {f"{name}@entry": self._snapshot(ghost) for name, ghost in self._ghosts.items()}
        try:
            return read_formula(self._arena, text, ChainMap(self._ghosts, snapshots, names), sort)
        except NotReadable as error:
            raise Malformed(f"{text[:60]!r}: {error}") from None

    def _names_in(self, function: str | None) -> dict[str, Term]:
        """The symbols by their names, which need not name the function in which formulas stand; with snapshots."""
        if function not in self._names:
            program = self._named()
            names = {symbol.name: symbol for symbol in program.variables}
            if function is not None:
                prefix, result = f"{function}::", program.functions[function].result
                names.update({n.removeprefix(prefix): s for n, s in names.items() if n.startswith(prefix)})
                names.update({} if result is None else {"\\result": result})
            self._names[function] = {**names, **{f"{n}@entry": self._snapshot(s) for n, s in names.items()}}
        return self._names[function]

    def _snapshot(self, symbol: Term) -> Term:
        return self._arena.symbol(f"{symbol.name}@entry", symbol.sort)


def _renamed(value: object) -> dict[str, object]:
    """A part of evidence, of which fields had other names once: ghosts until schema 6, gaps when there was one."""
    data = dict(as_object(value))
    ghosts = [["heap", data.pop("heap")]] if "heap" in data else []
    ghosts += [["fold", fold] for fold in as_list(data.pop("folds", []))]
    gaps = [data.pop("gap")] if "gap" in data else []
    return {**data, **({"ghosts": ghosts} if ghosts else {}), **({"gaps": gaps} if gaps else {})}


def _on_line(program: Program, text: str) -> int:
    """The location on a line, `12` or `file.c:12`: the head of a loop where there is one, and the only one."""
    file, _, line = text.rpartition(":")
    there = [at for at in program.locations if at.span is not None and str(at.span.line) == line]
    there = [at for at in there if at.span is not None and at.span.file == (file or at.span.file)]
    found = [at.id for at in there if at.loop] or [at.id for at in there]
    if len(found) != 1:
        said = f"the locations {', '.join(map(str, found))}: say which, by its number" if found else "no location"
        raise Malformed(f"line {text} has {said}")
    return found[0]


def _calls_to(program: Program, location: int) -> tuple[int, ...]:
    """The calls that lead to a location, where there is one way only."""
    function, calls = program.locations[location].function, list[int]()
    while function != program.start:
        sites = [e for e in program.edges if isinstance(e.operation, Call) and e.operation.function == function]
        if len(sites) != 1 or sites[0].id in calls:
            raise Malformed(f"there are several ways to {function}, or none: list the calls by their edges")
        calls.insert(0, sites[0].id)
        function = program.locations[sites[0].source].function
    return tuple(calls)


def _decode_input_value(value: object) -> InputValue:
    kind, name, span, occurrence, payload = as_row(value, 5)
    return InputValue(input_kind(kind), as_str(name), decode_span(span), as_int(occurrence), _decode_value(payload))


def _decode_value(value: object) -> Value:
    if isinstance(value, bool):
        return value
    if not isinstance(value, list):
        return as_int(value)
    default, entries = as_row(value, 2)
    return ArrayValue(as_int(default), {as_int(i): as_int(v) for i, v in (as_row(e, 2) for e in as_list(entries))})
