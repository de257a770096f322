"""Forged evidence: what proves a right program, or refutes a wrong one, changed at random and put to another one.

A *subject* is a program whose evidence is taken, with twins of the same structure for which the claim is false. So
whatever is made of the evidence must not be accepted for a twin.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from core.limits import Limits, NoAnswer, cpu_used
from core.program import Program
from core.terms import Arena
from core.verdict import Executed, Outcome, Safe, Status, Unsafe
from interplay.session.attempt import RESERVED
from interplay.session.context import Steering
from interplay.session.default_services import DefaultServices
from interplay.session.examiners import certify
from interplay.session.member_storage import NoStorage
from interplay.session.request import ReplayMode, Request
from interplay.session.services import EvidenceAccepted, PreparedTask
from interplay.session.session import Session, check_references
from runs.events import CheckDecided, Event
from runs.evidence_json import decode_evidence
from runs.jsondata import Malformed
from runs.serialize import decode_program, encode_program

Document = dict[str, Any]

SECONDS = 1.0  # CPU seconds that the examination of one forgery gets
_PRELUDE = """extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void *malloc(unsigned long);
struct node { int h; struct node *n; };
"""
_LIST = (
    "struct node *a = malloc(sizeof *a), *p = a; a->h = 1; while (__VERIFIER_nondet_int()) {"
    " p->n = malloc(sizeof *p); p = p->n; p->h = 1; } p->n = 0;"
)


@dataclass(frozen=True)
class Subject:
    """A program with evidence of a kind. Each of `twins` is a text to replace and another in its place."""

    body: str
    engine: str
    twins: tuple[tuple[str, str], ...]
    options: tuple[tuple[str, str], ...] = ()
    refutes: bool = False  # the evidence is a counterexample
    weight: int = 4  # how many forgeries there are of it beside those of others, as examining one takes longer or not
    replay: ReplayMode = ReplayMode.INTERPRETER

    def texts(self) -> Iterator[str]:
        """The texts of the twins."""
        for old, new in self.twins:
            assert old in self.body
            yield _PRELUDE + self.body.replace(old, new)

    @property
    def text(self) -> str:
        return _PRELUDE + self.body


SUBJECTS: Mapping[str, Subject] = {
    "invariants": Subject(
        "int main(void) { int i = 0, s = 0, n = __VERIFIER_nondet_int(); while (i < n) {"
        " if (s != 0) reach_error(); s = 1; i++; s = 0; } return 0; }",
        "explicit",
        (("s = 0; }", "s = i; }"), ("s != 0", "s != 1"), ("s = 0; }", "s -= 2; }")),
    ),
    "lemmas": Subject(
        "int main(void) { int i = 0, s = 0; while (i < 9) { s += 2; i++; if (s != 2 * i) reach_error(); } return 0; }",
        "transition",
        (("s += 2", "s += 3"), ("s != 2 * i", "s == 2 * i"), ("s = 0;", "s = 1;")),
    ),
    "contracts": Subject(
        "int g; int count(int n) { g = 1; if (n <= 0) return 0; return count(n - 1) + 1; } int main(void) {"
        " int n = __VERIFIER_nondet_int(); if (n < 0 || n > 9) return 0; if (count(n) != n || g != 1) reach_error();"
        " return 0; }",
        "chc",
        (("return 0; return", "return 1; return"), ("g = 1;", "g = n;"), ("n < 0", "n < -1"), ("+ 1;", "+ 2;")),
    ),
    "heap": Subject(
        f"int main(void) {{ {_LIST} for (p = a; p; p = p->n) if (p->h != 1) reach_error(); return 0; }}",
        "pdr",
        (("a->h = 1", "a->h = 2"), ("a->h = 1", "a->h = 0"), ("a->h = 1", "a->h = -1")),
        weight=1,
    ),
    "folds": Subject(
        "int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 9) return 0; int a[n]; int i; int s = 0;"
        " for (i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int(); for (i = 0; i < n; i++) s = s + a[i];"
        " for (i = 0; i < n; i++) s = s - a[i]; if (s != 0) reach_error(); return 0; }",
        "acsar",
        (("int s = 0", "int s = 1"), ("s + a[i]", "s - a[i]"), ("s != 0", "s == 0")),
        weight=1,
    ),
    "unrolling": Subject(
        "int main(void) { int i, s = 0, t = 0, x = __VERIFIER_nondet_int(); for (i = 0; i < 4; i++) {"
        " if (x > i) s++; else t++; } if (s + t != 4) reach_error(); return 0; }",
        "bmc",
        (("!= 4", "== 4"), ("i < 4", "i < 5"), ("s = 0", "s = 2"), ("t++", "t += 2")),
        (("induction", "off"),),
    ),
    "equations": Subject(
        "int main(void) { unsigned n = __VERIFIER_nondet_uint(), x = 0, y = 1, z = 6, i = 0; while (i <= n) {"
        " if (z != 6 * i + 6) reach_error(); if (y != 3 * i * i + 3 * i + 1) reach_error();"
        " if (x != i * i * i) reach_error(); i++; x += y; y += z; z += 6; } return 0; }",
        "bmc",
        (("z += 6", "z += 7"), ("y = 1", "y = 3"), ("x = 0", "x = 8")),
        weight=1,
    ),
    "instances": Subject(
        "int a[6]; int main(void) { int i; for (i = 0; i < 6; i++) a[i] = 7; for (i = 0; i < 6; i++)"
        " if (a[i] != 7) reach_error(); return 0; }",
        "acsar",
        (("a[i] = 7", "a[i] = i"), ("!= 7", "!= 8"), ("i < 6; i++) a", "i < 5; i++) a")),
    ),
    "executions": Subject(
        "int main(void) { int i, s = 3; for (i = 0; i < 6; i++) s = s * 5 + i; if (s == 77777) reach_error();"
        " return 0; }",
        "concrete",
        (
            ("s == 77777", "s > 9"),
            ("s == 77777", "s != 77777"),
            ("s == 77777", "s < 0 || i == 6"),
            ("s == 77777", "__VERIFIER_nondet_int() == 4"),
            ("s = 3", "s = __VERIFIER_nondet_int()"),
            ("s = 3;", "s = 3; if (__VERIFIER_nondet_int() == 9) reach_error();"),
        ),
    ),
    "counterexamples": Subject(
        "int main(void) { int x = __VERIFIER_nondet_int(), y, i; for (i = 0; i < 3; i++) { y = __VERIFIER_nondet_int();"
        " if (x == 5 && y == x + i) reach_error(); } return 0; }",
        "bmc",
        (("x == 5 &&", "x == 5 && x == 6 &&"), ("y == x + i", "y + y == 2 * i + 1"), ("i < 3", "i < 0")),
        refutes=True,
    ),
    "native replays": Subject(
        "int main(void) { int x = __VERIFIER_nondet_int(); int a[3]; if (a[1] == 5 && x == 7) reach_error();"
        " return 0; }",
        "bmc",
        (("x == 7", "x == 7 && x < 5"), ("a[1] == 5", "a[1] == 5 && a[1] < 5")),
        refutes=True,
        replay=ReplayMode.NATIVE,
        weight=1,
    ),
}


class _Kept(NoStorage):
    """Storage of the evidence alone."""

    def __init__(self) -> None:
        self.evidence: Document = {}

    def document(self, name: str, make: Callable[[], object]) -> None:
        if name == "evidence.json":
            made = make()
            assert isinstance(made, dict)
            self.evidence = made


@dataclass(frozen=True)
class Twin:
    """A program for which what is claimed of each of the `checks` is false."""

    task: PreparedTask
    program: Document
    checks: frozenset[int]
    replay: ReplayMode

    def accepts(self, document: Document) -> bool:
        """Whether evidence for one of the checks is accepted."""
        program = decode_program(self.program, Arena())
        try:
            evidence = decode_evidence(document, program.arena)
            check_references(program, evidence)
        except Malformed:
            return False
        limits = Limits(cpu_used() + SECONDS)
        outcomes = evidence.outcomes().items()
        return any(self._is_accepted(program, check, one, limits) for check, one in outcomes if check in self.checks)

    def _is_accepted(self, program: Program, check: int, outcome: Outcome, limits: Limits) -> bool:
        try:
            match outcome:
                case Safe(certificate):
                    found = certify(program, certificate, [check], 0, limits, _ignore)
                case Executed():
                    found = self.task.repeat([check], limits)
                case Unsafe():
                    found = self.task.replay(check, outcome, self.replay, limits, _ignore)
                case _:
                    return False
        except NoAnswer:
            return False
        return isinstance(found, EvidenceAccepted)


def evidence_of(subject: Subject, folder: Path) -> Document:
    """The evidence that the engine gives for the subject itself, which is accepted."""
    evidence, _ = _decided(subject.text, subject.engine, subject.options, folder)
    itself = _loaded(subject.text, folder)
    known = frozenset(check.id for check in itself.program.checks)
    assert Twin(itself, encode_program(itself.program), known, subject.replay).accepts(evidence), subject
    return evidence


def twins_of(subject: Subject, folder: Path) -> list[Twin]:
    """The twins, with the checks that have the other answer than the subject, as executions or unrollings show."""
    other = Status.TRUE if subject.refutes else Status.FALSE
    found: list[Twin] = []
    for text in subject.texts():
        task, answers = _loaded(text, folder), _decided(text, "bmc", (), folder)[1]
        checks = frozenset(check for check, status in answers.items() if status == other)
        assert checks, text
        found.append(Twin(task, encode_program(task.program), checks, subject.replay))
    return found


def _decided(
    text: str, engine: str, options: tuple[tuple[str, str], ...], folder: Path
) -> tuple[Document, Mapping[int, str]]:
    """The evidence of an engine for a program, and the answers that it shows."""
    limit = (cpu_used() + 60) / (1 - RESERVED)
    request = replace(_request(text, folder), engine=engine, options=options, time_limit=limit)
    kept, seen = _Kept(), list[Event]()
    Session(request, DefaultServices(), seen.append, Steering(), kept).run()
    return kept.evidence, {one.check: one.status for one in seen if isinstance(one, CheckDecided)}


def _loaded(text: str, folder: Path) -> PreparedTask:
    return DefaultServices().load(_request(text, folder), lambda name: Path(name).read_text(), _ignore)


def _request(text: str, folder: Path) -> Request:
    file = folder / "subject.c"
    file.write_text(text)
    return Request(str(file), "unreach-call", replay=ReplayMode.INTERPRETER, shorten=0.0, vacuity=0.0)


def _ignore(_: object) -> None:
    pass


# Changes


def forgeries(evidence: Document, twins: Sequence[Twin], random: Random, count: int) -> Iterator[tuple[Twin, Document]]:
    """Pairs of a twin and what is put to it: the evidence as it is for each, then changes of it."""
    forgers = [Forger(random, names_of(twin.task.program)) for twin in twins]
    for number in range(count):
        place = number % len(twins)
        yield twins[place], evidence if number < len(twins) else forgers[place].forged(evidence)


class Forger:
    """Changes evidence at random; `names` are those of the symbols of a program."""

    def __init__(self, random: Random, names: Sequence[str]) -> None:
        self._random = random
        self._names = names

    def forged(self, evidence: Document) -> Document:
        """The evidence with some changes; that there was one execution is all that can be said of it."""
        document, changes = deepcopy(evidence), self._random.randint(1, 4)
        while changes > 0 or (document == evidence and not evidence.get("executed")):
            changes -= 1
            with suppress(IndexError, KeyError, TypeError, ValueError):  # it does not fit what is left of the evidence
                self._random.choice((self._row, self._row, self._part, self._claim))(document)
        return document

    # Terms

    def _row(self, document: Document) -> None:
        """Change one row of the terms."""
        rows = document["terms"]
        if not rows:
            return self._part(document)
        row = self._random.choice(rows)
        operator, arguments, payload, _ = row
        if arguments and self._random.random() < 0.4:
            self._argument(rows, row)
        elif operator == "symbol":
            row[2] = self._name(rows, row)
        elif operator == "constant":
            row[2] = self._number(payload) if payload not in ("true", "false") else str(payload == "false").lower()
        elif operator in ("le", "eq"):
            row[self._random.choice((0, 2))] = "eq" if operator == "le" else "le"
            if row[2] in ("eq", "le"):
                row[2] = self._number(payload)
        elif operator in ("and", "or"):
            row[0] = "or" if operator == "and" else "and"
        elif operator == "linear":
            factors, constant = payload.split(";")
            row[2] = ",".join(map(self._number, factors.split(","))) + ";" + self._number(constant)
        elif operator == "forall":
            row[2] = str(self._random.randrange(len(rows)))
        return None

    def _argument(self, rows: list[list[Any]], row: list[Any]) -> None:
        """Another argument of the same sort, or the arguments in another order or number."""
        place, number = self._random.randrange(len(row[1])), rows.index(row)
        same = [k for k in range(number) if rows[k][3] == rows[row[1][place]][3]]
        row[1] = list(row[1])
        match self._random.randrange(3):
            case 0:
                row[1][place] = self._random.choice(same)
            case 1 if row[0] in ("and", "or") and len(row[1]) > 1:
                del row[1][place]
            case _:
                self._random.shuffle(row[1])

    def _number(self, text: str) -> str:
        number, random = int(text), self._random
        near = number + random.choice((-2, -1, 1, 2))
        return str(random.choice((near, near, near, -number, 0, 1, number * 2, random.choice((-1, 1)) << 31)))

    def _name(self, rows: Sequence[Sequence[Any]], row: Sequence[Any]) -> str:
        """A name of the program, of the evidence, or of what an expansion or a check could make of one."""
        known = [*self._names, *(one[2] for one in rows if one[0] == "symbol" and one[3] == row[3])]
        suffix = self._random.choice(("", "", "", "#1", "#2", "@entry", "@return", "@0", "!0", "!1"))
        prefix = self._random.choice(("", "", "", "\\"))
        return f"{prefix}{self._random.choice(known)}{suffix}"

    # Claims and the rest

    def _part(self, document: Document) -> None:
        """Change a number, a text or a list somewhere beside the terms."""
        places = list(_places([document[name] for name in document if name != "terms"]))
        if not places:
            return
        holder, key = self._random.choice(places)
        value = holder[key]
        match value:
            case bool() | None:
                holder[key] = not value
            case int():
                terms = max(len(document["terms"]), 8)
                holder[key] = self._random.choice((int(self._number(str(value))), self._random.randrange(terms)))
            case str():
                texts = [place[index] for place, index in places if isinstance(place[index], str)]
                holder[key] = self._random.choice([*texts, *self._names])
            case list():
                self._list(value)
            case _:
                pass

    def _list(self, value: list[Any]) -> None:
        if not value:
            return
        place = self._random.randrange(len(value))
        match self._random.randrange(3):
            case 0:
                del value[place]
            case 1:
                value.insert(place, deepcopy(self._random.choice(value)))
            case _:
                self._random.shuffle(value)

    def _claim(self, document: Document) -> None:
        """Claim something stronger, something weaker, or something else at a place."""
        if not document["certificates"]:
            return self._part(document)
        certificate, terms = self._random.choice(document["certificates"]), document["terms"]
        formulas = [number for number, row in enumerate(terms) if row[3] == "Bool"]
        new = len(terms)
        terms.append(["constant", [], self._random.choice(("true", "false")), "Bool"])
        invariants = certificate["invariants"]
        formula = self._random.choice((*formulas, new, new))
        match self._random.randrange(7):
            case 0:
                certificate["lemmas"].append(formula)
            case 1:
                certificate["lemmas"].clear()
            case 2 if certificate.get("contracts"):
                self._random.choice(certificate["contracts"])[self._random.randrange(1, 3)] = formula
            case 3 if any(kind == "fold" for kind, _ in certificate.get("ghosts", ())):
                folds = [ghost for kind, ghost in certificate["ghosts"] if kind == "fold"]
                self._random.choice(folds)[3][5] = formula
            case 4 if len(invariants) > 1:
                one, other = self._random.sample(invariants, 2)
                one[2], other[2] = other[2], one[2]
            case 5 if invariants:
                one = self._random.choice(invariants)
                one[2] = len(terms)
                terms.append(["and", [self._random.choice(invariants)[2], formula], "", "Bool"])
            case _:
                self._random.choice(invariants)[2] = formula
        return None


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """The containers of all values within one, with their keys there."""
    stack = [value]
    while stack:
        one = stack.pop()
        if isinstance(one, dict | list):
            for key in one if isinstance(one, dict) else range(len(one)):
                yield one, key
                stack.append(one[key])


def names_of(program: Program) -> list[str]:
    return [symbol.name for symbol in (*program.variables, *program.inputs)]
