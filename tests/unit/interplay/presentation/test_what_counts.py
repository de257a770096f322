"""Counterexamples of C programs show releases, null pointers and what decides, and no idle initialisation."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import interplay
from core.limits import Limits
from core.program import InputKind
from core.program.blocks import BlockEncoding
from core.program.expansion import Expansion
from core.terms import Arena
from core.verdict import Status, Unsafe
from interplay.presentation.record.run import RunRecord
from interplay.presentation.record.trace import TraceDetail, folded_rows, trace_rows
from interplay.presentation.run_text import RunText
from interplay.presentation.slicing import PathSlice, slice_of
from interplay.presentation.text import TextReport, TraceExtent
from interplay.session.context import Steering
from interplay.session.default_services import DefaultServices
from interplay.session.member_storage import JournalStorage
from interplay.session.request import ReplayMode, Request
from interplay.session.session import Session
from methods.paths.fewer_rounds import with_fewer_rounds
from runs.events import Event
from runs.evidence_json import decode_evidence
from runs.runfile import open_run
from runs.runview import RunView
from runs.serialize import decode_program

DECLARATIONS = """extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
void *malloc(__SIZE_TYPE__); void free(void *);
struct node { int v; struct node *next; }; int logged; int *global; int *table[3]; int value;
void log_it(void) { logged++; }
void drop(struct node *n) { log_it(); free(n); }
void set(void) { int local = 4; global = &local; }
"""
PROGRAMS = {
    "use after free": (
        """struct node *a = malloc(sizeof *a); struct node *b = malloc(sizeof *b);
a->v = 1; a->next = b; b->v = 2; b->next = 0;
log_it();
if (__VERIFIER_nondet_int() == 7) drop(a->next);
log_it();
return a->next->v;""",
        "valid-deref",
        ["struct node *a = malloc(8)", "struct node *b = malloc(8)", "a->next = b", "drop(a->next)", "free(n)"],
    ),
    "double free": (
        """char *d = malloc(8); for (int i = 0; i < 8; i++) d[i] = 0;
if (__VERIFIER_nondet_int() < 0) free(d);
free(d); return 0;""",
        "valid-free",
        ["char *d = malloc(8)", "free(d)"],
    ),
    "end of an object": (
        "int z = 5; global = &z; if (__VERIFIER_nondet_int() > 3) set(); return *global;",
        "valid-deref",
        ["global = &local", "end of local"],
    ),
    "null": (
        """for (int i = 0; i < 3; i++) table[i] = &value;
if (__VERIFIER_nondet_int() == 2) table[1] = 0;
log_it(); return *table[1];""",
        "valid-deref",
        ["table[1] = 0"],
    ),
    "an element": (
        """int a[5], k = __VERIFIER_nondet_int(); for (int i = 0; i < 5; i++) a[i] = 1;
log_it(); if (k < 0 || k > 4) return 0;
a[k] = 3;
if (a[2] == 3) reach_error(); return 0;""",
        "unreach-call",
        ["int k = __VERIFIER_nondet_int()", "a[k] = 3"],
    ),
    "a value that stays": (
        "int x = 1; for (int i = 0; i < 3; i++) x = 0; if (x == 0) reach_error(); return 0;",
        "unreach-call",
        ["x = 0"],
    ),
    "inputs without influence": (
        """int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), z = __VERIFIER_nondet_int(), a[4] = {0};
for (int i = 0; i < 3; i++) if (y > i) log_it();
if (z > 4) a[1] = z; else log_it();
if (x > 2 && a[2] == 0) reach_error(); return 0;""",
        "unreach-call",
        ["int x = __VERIFIER_nondet_int()", "int a[4] = {…}"],
    ),
    "a check that is passed": (
        """int n = 0, h = __VERIFIER_nondet_int() & 7;
for (;;) { if (__VERIFIER_nondet_int()) n++; if (!(h < 8 && n <= 3)) reach_error(); h = (h + 1) & 7; }""",
        "unreach-call",
        ["int n = 0", "n++", "n++"],
    ),
    "rounds that an input decides": (
        """int a[9], n = __VERIFIER_nondet_int(); if (n < 0 || n > 4) return 0;
for (int i = 0; i < n; i++) a[i] = 7;
if (n > 1 && a[1] == 7) reach_error(); return 0;""",
        "unreach-call",
        ["int n = __VERIFIER_nondet_int()", "int i = 0", "i++", "a[i] = 7", "i++"],
    ),
}
"""A body of main, the property, and the texts of the steps that count, in order."""


@pytest.mark.long
@pytest.mark.parametrize("name", PROGRAMS)
def test_what_counts(name: str, tmp_path: Path) -> None:
    body, kind, expected = PROGRAMS[name]
    path = tmp_path / "program.c"
    path.write_text(f"{DECLARATIONS}int main(void) {{\n{body}\n}}\n")
    events: list[Event] = []
    request = Request(str(path), property=kind, engine="bmc", replay=ReplayMode.INTERPRETER)
    storage = JournalStorage(tmp_path)
    found = Session(request, DefaultServices(), events.append, Steering(), storage).run().verdict
    assert found.status is Status.FALSE
    view = RunView()
    for event in events:
        view.add(event)
    program = decode_program(json.loads(storage.read("program.json") or ""), Arena())
    report = list(TextReport(RunText(view, program)).lines(TraceExtent.RELEVANT))
    begin = next(number for number, line in enumerate(report) if line.startswith("Trace"))
    steps = [line for line in report[begin + 1 : report.index("Inputs:") if "Inputs:" in report else None] if line]
    assert [line.split("    ")[-1].split(": ")[-1] for line in steps if line.startswith(f"  {path}")] == expected
    (trace,) = view.traces.values()
    evidence = decode_evidence(json.loads(storage.read("evidence.json") or ""), program.arena)
    for claim in with_others(evidence.counterexamples[trace.check], slice_of(program, trace)):
        found_again = with_fewer_rounds(Expansion(program, BlockEncoding.STATEMENTS), trace.check, claim, Limits())
        assert found_again is not None, "the error needs an input that is said to have no influence"


def with_others(claim: Unsafe, part: PathSlice) -> Iterator[Unsafe]:
    """The claim with other values of each input that a call returns and that has no influence."""
    for number, one in enumerate(claim.inputs):
        place = (one.kind.value, one.name, one.span.file, one.span.line, one.span.column)
        if one.kind is InputKind.NONDET and (*place, one.occurrence) not in part.inputs:
            for value in (-7, 1, 2, 3, 100):
                changed = replace(one, value=value)
                yield replace(claim, inputs=(*claim.inputs[:number], changed, *claim.inputs[number + 1 :]))


@pytest.mark.long
def test_what_matters_has_no_idle_calls_and_folds_loops(tmp_path: Path) -> None:
    file, run = tmp_path / "a.c", tmp_path / "a.interplay"
    file.write_text(
        "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n"
        "static int idle(int x) { int y = 2 * x; return y; }\n"
        "int main(void) {\n  int sum = 0;\n  idle(3);\n"
        "  for (int i = 0; i < 6; i++)\n    sum += __VERIFIER_nondet_int();\n"
        "  if (sum == 77)\n    reach_error();\n  return 0;\n}\n"
    )
    interplay.verify(str(file), output=str(run), engine="bmc")
    record = RunRecord.of(open_run(run))
    rows = trace_rows(record, 0, TraceDetail.RELEVANT)
    assert [row.line for row in rows] == [5, *[8] * 6, 10]
    shown = [row.text for row in folded_rows(rows)]
    assert sum("more times" in text for text in shown) == 1
    assert len(shown) < len(rows)
