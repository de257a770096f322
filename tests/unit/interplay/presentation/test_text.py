"""The texts of a run: the verdict first, traces that show changes only, and nothing that fails on odd data."""

from dataclasses import replace

from interplay.commands import live
from interplay.presentation.folding import LONGEST_TRACE
from interplay.presentation.run_text import RunText
from interplay.presentation.text import TextReport, TraceExtent
from runs.events import (
    AttemptStarted,
    CheckDecided,
    Event,
    InvariantShown,
    PhaseStarted,
    PlanMade,
    RoundStarted,
    TermDefined,
    TraceShown,
    VerdictReached,
)
from runs.runview import RunView
from runs.termtable import TermWriter
from tests.support.small_programs import counting_loop

CHECK = CheckDecided(0, "assertion", "assertion i == 10", "small.c", 6, 5, "false", "native replay", "")
FALSE = VerdictReached("false(assertion)", 10, ("no signed overflow",), "native replay", "", "")


def lines(*events: Event, extent: TraceExtent = TraceExtent.ALL) -> list[str]:
    view = RunView()
    for event in events:
        view.add(event)
    return list(TextReport(RunText(view, counting_loop(10))).lines(extent))


def test_calls_and_labels_are_reached() -> None:
    label = replace(CHECK, property="unreach-call", description="label ERROR in main")
    assert lines(label, FALSE)[0] == "FALSE: small.c:6: label ERROR in main can be reached"


def test_what_plays_no_part_in_a_violation_is_counted_only() -> None:
    """The path of `x = nondet(); i = 0; i < bound; i++; …`: nothing reads x."""
    program = counting_loop(1)
    changes = {1: (("x", "7"),), 2: (("i", "0"),), 4: (("i", "1"),)}
    steps = tuple((edge, changes.get(edge, ())) for edge in (0, 1, 2, 3, 4, 5, 6))
    inputs = (("nondet", "__VERIFIER_nondet_int", "small.c", 3, 11, 0, "7"),)
    view = RunView()
    for event in (CHECK, TraceShown(0, steps, inputs), FALSE):
        view.add(event)
    found = list(TextReport(RunText(view, program)).lines(TraceExtent.RELEVANT))
    assert "  small.c:4: i = 0    i = 0" in found
    assert not any("x = 7" in line or "= 7" in line for line in found)
    assert any(line.startswith("  (1 other input without influence") for line in found)
    assert any("= 7" in line for line in TextReport(RunText(view, program)).lines(TraceExtent.ALL))


def test_long_invariants_are_abridged() -> None:
    program, events = counting_loop(10), list[Event]()
    arena = program.arena
    i = next(x for x in program.variables if x.name == "main::i")
    odd = arena.or_(*(arena.equals(i, arena.integer(n * n)) for n in range(200)))
    number = TermWriter(events.append).id(arena.and_(arena.ge(i, arena.zero), odd))
    said = (*events, InvariantShown(((0,), 4), number), VerdictReached("true", 0, (), "c", "", ""))
    found = lines(*said, extent=TraceExtent.RELEVANT)
    at = found.index("  small.c:5 (main):")
    assert "    i >= 0" in found[at + 1 : at + 3]
    assert any("characters)" in line for line in found[at + 1 : at + 3])
    assert "interplay show RUN" in found[at + 3]
    whole = lines(*said)
    assert max(map(len, whole)) > 400
    events.clear()
    number = TermWriter(events.append).id(arena.true)
    found = lines(*events, InvariantShown(((0,), 4), number), VerdictReached("true", 0, (), "c", "", ""))
    assert found[found.index("  small.c:5 (main):") + 1] == "    true"


def test_invariants_use_the_values_that_they_state() -> None:
    program, events = counting_loop(10), list[Event]()
    arena = program.arena
    i, x = (next(v for v in program.variables if v.name == f"main::{name}") for name in "ix")
    parts = (
        arena.equals(i, arena.one),
        arena.ge(i, arena.zero),
        arena.or_(arena.ge(x, i), arena.ge(i, arena.integer(5))),
    )
    number = TermWriter(events.append).id(arena.and_(*parts))
    found = lines(*events, InvariantShown(((0,), 4), number), VerdictReached("true", 0, (), "c", "", ""))
    at = found.index("  small.c:5 (main):")
    assert found[at + 1 : at + 3] == ["    i == 1", "    x > 0"]


def test_a_violation() -> None:
    changes = ((1, (("x", "7"),)), (3, ()), (4, (("i", "1"),)))
    inputs = (("nondet", "__VERIFIER_nondet_int", "small.c", 3, 11, 1, "7"),)
    assert lines(CHECK, TraceShown(0, changes, inputs), FALSE) == [
        "FALSE: small.c:6: assertion i == 10 can fail",
        "",
        "Trace to small.c:6:",
        "  small.c:3: x = 7    x = __VERIFIER_nondet_int()",
        "  small.c:5: i = 1    i++",
        "Inputs:",
        "  small.c:3: __VERIFIER_nondet_int (nondet, time 2) = 7",
        "",
        "Confirmed by: native replay",
        "Assumes: no signed overflow",
    ]


def test_a_violation_that_was_not_confirmed_is_told_as_such() -> None:
    trace = TraceShown(0, ((2, ()),), ())
    for status in ("unknown", "TIMEOUT"):
        open_ = replace(CHECK, status=status, confirmed_by="", reason="the time limit is reached")
        assert "Trace to small.c:6 (not confirmed):" in lines(open_, trace)
        told = lines(open_, replace(trace, note="short"))
        assert "Trace to small.c:6 (not confirmed; short):" in told
    assert "Trace to small.c:6:" in lines(CHECK, trace)


def test_the_middle_of_a_long_trace_is_left_out() -> None:
    steps = tuple((4, (("i", str(n)),)) for n in range(1000))
    found = lines(CHECK, TraceShown(0, steps, ()), FALSE)
    assert len(found) < LONGEST_TRACE + 10
    assert f"  … {1000 - LONGEST_TRACE} steps …" in found


def test_an_invariant_is_shown_at_its_loop_in_c() -> None:
    program, events = counting_loop(10), list[Event]()
    i = next(x for x in program.variables if x.name == "main::i")
    number = TermWriter(events.append).id(program.arena.le(i, program.arena.integer(10)))
    found = lines(*events, InvariantShown(((0,), 4), number), VerdictReached("true", 0, (), "c", "", ""))
    assert found[found.index("  small.c:5 (main):") + 1] == "    i <= 10"


def test_an_unknown_says_why_and_what_to_try() -> None:
    assert lines(VerdictReached("unknown", 5, (), "", "no more rounds", "more time")) == [
        "UNKNOWN: no more rounds",
        "  what to try: more time",
    ]


def test_several_checks_are_listed() -> None:
    other = CheckDecided(1, "unreach-call", "call of reach_error", "small.c", 9, 1, "unknown", "", "no more rounds")
    found = lines(CHECK, other, FALSE)
    assert "  false    small.c:6: assertion i == 10 (native replay)" in found
    assert "  unknown  small.c:9: call of reach_error (no more rounds)" in found
    again = replace(other, check=2, line=10)
    assert "  unknown  small.c:10: call of reach_error (the same)" in lines(CHECK, other, again, FALSE)


def test_a_run_that_was_cut_off() -> None:
    assert lines(PhaseStarted("parse")) == ["The run did not finish."]


def test_data_that_does_not_fit_the_program_does_no_harm() -> None:
    found = lines(
        TermDefined(0, "frobnicate", (), "", "Bool"),
        InvariantShown(((99,), 99), 0),
        InvariantShown(((), 0), 7),
        TraceShown(5, ((99, (("x", "1"),)),), ()),
        VerdictReached("true", 0, (), "", "", ""),
    )
    assert "  edge 99: x = 1" in found
    assert any("unreadable" in line for line in found)


def test_a_portfolio_that_was_cut_off() -> None:
    plan = PlanMade((), (("explicit", "why"),), ())
    end = VerdictReached("unknown (interrupted)", 130, (), "", "interrupted", "")
    assert lines(plan, AttemptStarted(0, "explicit", (), (0,)), end)[-1] == "Portfolio: cut off: explicit"


def test_the_live_line_fits_and_counts() -> None:
    view = RunView()
    for event in (AttemptStarted(0, "transition", (), (0,)), PhaseStarted("explore"), RoundStarted(3, "refined")):
        view.add(event, 1.25)
    assert live.line(view, 1.25, 80) == "explore · round 3 · 1.2 s"
    assert len(live.line(view, 1.25, 10)) == 10
