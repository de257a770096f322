"""Evidence in the window: reasons of a verdict, the counterexample step by step, the examination again by one click."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from core.limits import Cause
from core.verdict import Confirmer
from gui.model.current import RunState
from gui.views.counterexample import CounterexampleView
from gui.views.evidence import EvidenceView
from gui.views.formuladialog import LINK, FormulaDialog
from gui.views.path import PathView
from gui.window import MainWindow
from interplay.presentation.record.evidence import (
    at_line,
    attempt_rows,
    check_rows,
    heading,
    invariant_rows,
    outcome_in_words,
)
from interplay.presentation.record.paths import variables_at
from interplay.presentation.record.proof import duration, left_to_the_solver, slowest, tally
from interplay.presentation.record.reexamination import Broken, Examined, Examining, NotAsked
from interplay.presentation.record.run import LATEST, RunRecord
from interplay.presentation.record.summary import Action, Tone, banner, obligations
from interplay.presentation.record.timeline import columns
from interplay.presentation.record.trace import (
    StepKind,
    StepNote,
    TraceDetail,
    calls_at,
    failing_traces,
    input_rows,
    near,
    trace_rows,
)
from interplay.presentation.record.unanswered import ExplanationPart, no_answer
from interplay.presentation.run_text import RunText
from interplay.session.default_services import DefaultServices
from interplay.session.request import PORTFOLIO, Request
from runs.events import (
    AttemptEnded,
    AttemptStarted,
    CheckDecided,
    Event,
    EvidenceRepeated,
    EvidenceStep,
    InvariantShown,
    PathFound,
    PhaseStarted,
    PlanMade,
    RoundStarted,
    TermDefined,
    TraceShown,
    VerdictReached,
)
from runs.runview import RunView
from tests.gui.conftest import GOLDEN, verified
from tests.support.small_programs import counting_loop

FILE = "small.c"
PATH = (0, 1, 2, 3, 4, 5, 6)
FAILS = CheckDecided(0, "unreach-call", "assertion i == 10", FILE, 6, 5, "false", "native replay (gcc -m32)", "")
BY = "an inductive invariant"
HOLDS = CheckDecided(0, "unreach-call", "assertion i == 10", FILE, 6, 5, "true", BY, "", confirmer=Confirmer.INVARIANT)
OPEN = CheckDecided(1, "unreach-call", "assertion x > 0", FILE, 5, 5, "unknown", "", "no more rounds")
TRACE = TraceShown(
    0,
    tuple((edge, {1: (("x", "7"),), 2: (("i", "0"),), 4: (("i", "1"),)}.get(edge, ())) for edge in PATH),
    (("nondet", "__VERIFIER_nondet_int", FILE, 3, 11, 0, "7"),),
)


def record(*events: Event, engine: str = "transition") -> RunRecord:
    view = RunView()
    for number, event in enumerate(events):
        view.add(event, number * 0.5)
    found = RunRecord(Request(FILE, engine=engine), view)
    found.program = counting_loop(11)
    found.text = RunText(view, found.program)
    return found


def verdict(word: str, reason: str = "", by: str = "") -> VerdictReached:
    return VerdictReached(word, 0, (), by, reason, "")


def failing() -> RunRecord:
    return record(
        AttemptStarted(0, "bmc", (), (0,)), TRACE, FAILS, verdict("false(unreach-call)", by="native replay (gcc -m32)")
    )


# The counterexample


def test_only_what_leads_to_the_error_is_listed() -> None:
    one = failing()
    assert failing_traces(one) == (0,)
    relevant = trace_rows(one, 0, TraceDetail.RELEVANT)
    assert [row.changes for row in relevant] == [(("i", "0"),), (("i", "1"),), ()]
    assert relevant[-1].note == StepNote(StepKind.ERROR, "assertion i == 10")
    changes = trace_rows(one, 0, TraceDetail.CHANGES)
    assert [row.matters for row in changes] == [False, True, True, True]
    assert [row.index for row in trace_rows(one, 0, TraceDetail.EVERYTHING)] == [1, 2, 3, 4, 5, 6]


def test_a_step_that_is_not_listed_is_near_the_one_before() -> None:
    rows = trace_rows(failing(), 0, TraceDetail.RELEVANT)
    assert [near(rows, step) for step in (None, 0, 2, 3, 4, 6)] == [None, None, 0, 0, 1, 2]


def test_inputs_say_whether_they_have_an_influence() -> None:
    (one,) = input_rows(failing(), 0)
    assert (one.where, one.value, one.times, one.matters) == ("small.c:3", "7", 1, False)
    assert calls_at(failing(), 0, 3) == ("main",)


READS = """extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void)
{
    int width = __VERIFIER_nondet_int();
    while (__VERIFIER_nondet_int())
        width--;
    if (width == 3)
        reach_error();
    return 0;
}
"""


def test_the_inputs_that_make_it_fail_stand_in_one_sentence() -> None:
    """By the variable that gets the value, where there is one."""
    assert banner(failing()).inputs == "Its inputs (1) have no part in it."
    program = DefaultServices().load(Request(FILE), lambda _: READS, lambda _: None).program
    places = {(one.span.line, one.span.column) for one in program.inputs.values()}
    (first, second) = sorted(places)
    inputs = (
        ("nondet", "__VERIFIER_nondet_int", FILE, *first, 0, "4"),
        *(("nondet", "__VERIFIER_nondet_int", FILE, *second, number, value) for number, value in enumerate("10")),
    )
    strange = (99, ())  # what counts of it is not known then: everything may
    one = record(AttemptStarted(0, "bmc", (), (0,)), TraceShown(0, (strange,), inputs), FAILS, verdict("false(x)"))
    one.program = program
    assert banner(one).inputs == "Fails with width = 4 (line 5), __VERIFIER_nondet_int() = [1, 0] (line 6)"
    without = record(AttemptStarted(0, "bmc", (), (0,)), TraceShown(0, (strange,), ()), FAILS, verdict("false(x)"))
    assert banner(without).inputs == "Needs no input: it fails in every execution."


STORES = """extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void)
{
    int a[3];
    int k = __VERIFIER_nondet_int();
    a[1] = k;
    if (a[1] == 5)
        reach_error();
    return 0;
}
"""


def stores(text: str = STORES) -> RunRecord:
    """The counterexample of `STORES`: the array has any contents, then one element gets a value."""
    program = DefaultServices().load(Request(FILE), lambda _: text, lambda _: None).program
    set_by = {1: (("main::a", "{others = 0}"),), 2: (("main::k", "5"),), 3: (("main::a[1]", "5"),)}
    steps = tuple((edge, set_by.get(edge, ())) for edge in (0, 1, 2, 3, 4, 6))
    read = ("nondet", "__VERIFIER_nondet_int", FILE, 6, 13, 0, "5")
    inputs = (("indeterminate", "main::a", FILE, 5, 9, 0, "{others = 0}"), read)
    found = record(TraceShown(0, steps, inputs), FAILS, verdict("false(unreach-call)"))
    found.program = program
    found.text = RunText(found.view, program)
    return found


def test_an_element_that_was_set_is_told_from_what_its_array_had_at_first() -> None:
    rows = [(row.name, row.before, row.after) for row in variables_at(stores(), 0, None)]
    assert rows == [
        ("a, at first", "{others = 0}", "{others = 0}"),
        ("k", "5", "5"),
        ("a[1]", "5", "5"),
    ]
    assert [row.name for row in variables_at(stores(), 0, 1)] == ["a"]


def test_memory_that_holds_zeros_is_no_input_to_speak_of() -> None:
    reads_more = STORES.replace("a[1] == 5", "a[1] + a[0] == 5")
    assert banner(stores(reads_more)).inputs == "Fails with k = 5 (line 6), and 1 more"


def test_an_element_that_was_set_has_nothing_of_the_first_contents() -> None:
    assert banner(stores()).inputs == "Fails with k = 5 (line 6); 1 other without influence"


def test_places_of_the_main_file_are_lines() -> None:
    assert at_line(failing(), "small.c:17") == "line 17"
    assert at_line(failing(), "other.c:17") == "other.c:17"


def test_a_strangers_trace_is_listed_as_far_as_it_goes() -> None:
    one = record(AttemptStarted(0, "bmc", (), (0,)), TraceShown(0, ((0, ()), (77, (("x", "1"),))), ()), FAILS)
    assert trace_rows(one, 0, TraceDetail.RELEVANT)[-1].note == StepNote(StepKind.ERROR, "assertion i == 10")
    assert input_rows(one, 0) == ()
    assert trace_rows(one, 5, TraceDetail.RELEVANT) == ()


# The evidence


def proof() -> RunRecord:
    return record(
        PlanMade((), (("bmc", "the program is small"), ("chc", "it takes everything")), ()),
        AttemptStarted(0, "bmc", (), (0, 1)),
        AttemptEnded(0, "undecided", "no more layers", 1500),
        AttemptStarted(1, "chc", (), (0, 1)),
        TermDefined(0, "symbol", (), "main::i", "Int"),
        TermDefined(1, "le", (0,), "10", "Bool"),
        PhaseStarted("certify"),
        EvidenceStep("certificate", "well-formed", "syntax"),
        EvidenceStep("lemmas", "3 of 4 valid", "cvc5"),
        EvidenceStep("i = 0", "bit-precise", "syntax", (2,)),
        EvidenceStep("i++", "integers", "cvc5", (3, 4)),
        EvidenceRepeated(1, "bit-precise"),
        InvariantShown(((0,), 4), 1),
        HOLDS,
        AttemptEnded(1, "decided", "", 2500),
        verdict("true", by="an inductive invariant"),
    )


def test_a_proof_in_rows() -> None:
    one = proof()
    assert heading(one) == (
        "TRUE rests on an inductive invariant: 2 obligations, all bit-precise (by syntax 1, cvc5 1)."
    )
    assert left_to_the_solver(one).endswith("decide what remains: 1 of 2. Bit-precise: for machine integers.")
    (row,) = invariant_rows(one)
    assert (row.where, row.lines) == ("small.c:5 (main)", ("i <= 10",))
    steps = obligations(one)
    assert [step.place for step in steps] == ["small.c:4", "small.c:5"]
    assert [duration(step.seconds) for step in slowest(steps)] == ["1.00 s", "500 ms"]
    counted = "2 obligations: 2 bit-precise (by syntax 1 in 500 ms, cvc5 1 in 1.00 s)"
    assert tally(one).startswith(f"{counted}; of the engine's hints 3 of 4 valid in 500 ms; 4.00 s in all")
    assert tally(one).endswith("of it 500 ms to begin")
    (check,) = check_rows(one)
    assert (check.engine, check.tone, check.where) == ("chc", Tone.TRUE, "small.c:6")


def test_a_proof_over_the_integers_is_not_called_bit_precise() -> None:
    one = record(AttemptStarted(0, "pdr", (), (0,)), EvidenceStep("i++", "integers", "cvc5", (3, 4)), HOLDS)
    words = left_to_the_solver(one)
    assert "Over the integers: for mathematical ones" in words
    assert "Bit-precise" not in words


def test_times_have_units() -> None:
    assert [duration(seconds) for seconds in (0.0002, 0.0123, 0.9996, 123.4)] == [
        "< 1 ms",
        "12 ms",
        "1.00 s",
        "123 s",
    ]


def test_the_attempt_that_decided_is_told_from_the_others() -> None:
    bmc, chc = attempt_rows(proof())
    assert (bmc.engine, bmc.tone, bmc.result, bmc.seconds) == ("bmc", Tone.UNKNOWN, "undecided: no more layers", 1.5)
    assert (chc.engine, chc.tone, chc.result, chc.why) == ("chc", Tone.TRUE, "decided", "it takes everything")


def test_an_engine_that_was_stopped_may_have_decided_before() -> None:
    """bmc finds the violation, and is stopped when acsar has proved the rest: the run shows bmc."""
    one = record(
        *(AttemptStarted(0, "bmc", (), (0, 1)), FAILS, AttemptStarted(1, "acsar", (), (1,))),
        *(replace(OPEN, status="true"), AttemptEnded(0, "stopped", "another engine decided", 500)),
        *(AttemptEnded(1, "decided", "", 700), verdict("false(unreach-call)", by="native replay (gcc -m32)")),
    )
    assert [(row.engine, row.tone, row.result) for row in attempt_rows(one)] == [
        ("bmc", Tone.FALSE, "decided 1 of 2"),
        ("acsar", Tone.TRUE, "decided"),
    ]
    assert one.engine == "bmc, acsar"


def test_without_an_answer_the_engine_is_the_one_that_was_chosen() -> None:
    stopped = AttemptEnded(0, "stopped", "the time limit is reached", 900)
    started = AttemptStarted(0, "bmc", (), (1,))
    one = record(started, RoundStarted(0, "start"), stopped, verdict("TIMEOUT", "the time limit"), engine=PORTFOLIO)
    assert one.engine == "Automatic"
    assert columns(one, 1)[-1].words.startswith("Round 1: it was cut off before a path was found")
    assert proof().engine == "chc"


@pytest.mark.parametrize(
    ("word", "reason", "engine", "action"),
    [
        ("unknown", "no more rounds", "bmc", Action.TRY_ALL),
        ("unknown", "no more rounds", PORTFOLIO, Action.SHOW_LAST),
        ("TIMEOUT", "the time limit is reached", PORTFOLIO, Action.SHOW_OPTIONS),
        ("OUT OF MEMORY", "out of memory", PORTFOLIO, Action.SHOW_OPTIONS),
        ("unknown (interrupted)", Cause.INTERRUPTED, "bmc", Action.VERIFY),
        ("unknown (nothing to check)", Cause.NOTHING_TO_CHECK, "bmc", Action.NONE),
    ],
)
def test_no_answer_has_a_reason_and_one_thing_to_try(word: str, reason: str, engine: str, action: Action) -> None:
    one = record(
        AttemptStarted(0, "bmc", (), (1,)),
        RoundStarted(0, "start"),
        PathFound(1, PATH, "refuted", (5,)),
        OPEN,
        verdict(word, reason),
        engine=engine,
    )
    missing = no_answer(one)
    assert missing is not None
    assert missing.action is action
    assert missing.last_path.startswith("Refinement 1: a path to assertion x > 0 in line 5 with 7 edges. ")
    assert missing.last_path.endswith("It cannot happen: line 5 needs i > 10: alone impossible.")
    assert missing.has_path
    assert missing.advice
    assert [title for title, words in missing.parts() if words] == [
        "Why there is no answer",
        "The last path",
        "What to try",
    ]


def test_an_answer_lacks_nothing() -> None:
    assert no_answer(failing()) is None
    assert no_answer(record()) is None
    assert "No verdict yet" in heading(record())


def test_outcomes_in_words() -> None:
    assert outcome_in_words(NotAsked("why not")) == (Tone.IDLE, "why not")
    assert outcome_in_words(Examining("compiling"))[0] is Tone.RUNNING
    assert outcome_in_words(Broken("no worker")) == (Tone.TROUBLE, "no worker")
    tone, words = outcome_in_words(Examined("false(unreach-call)", (FAILS,), 0.52), 0)
    assert tone is Tone.FALSE
    assert words == "Replayed just now, in 0.5 s: native replay (gcc -m32) reaches small.c:6, assertion i == 10"
    assert outcome_in_words(Examined("unknown", (OPEN,), 1.0), 1)[1] == "Not confirmed, after 1.0 s: no more rounds"
    assert "holds" in outcome_in_words(Examined("true", (HOLDS,), 1.0))[1]


# The window


def test_the_steps_of_the_run_before_can_be_painted_once_more(
    qtbot: QtBot, window: MainWindow, program: Callable[[str], Path]
) -> None:
    verified(qtbot, window, program("false"))
    view = counterexample_of(window)
    content = view.steps.content
    rows = content.rowCount()
    assert rows
    window.open_paths([program("true")])
    words = [content.data(content.index(row, 1)) for row in range(content.rowCount())]
    assert len(words) == content.rowCount()
    verified(qtbot, window, program("false"))
    assert content.rowCount() == rows


def counterexample_of(window: MainWindow) -> CounterexampleView:
    path = window.show_panel("path")
    assert isinstance(path, PathView)
    assert path.counterexample.isVisible()
    return path.counterexample


def evidence_of(window: MainWindow) -> EvidenceView:
    view = window.show_panel("evidence")
    assert isinstance(view, EvidenceView)
    return view


def test_steps_take_the_focus_along(window: MainWindow) -> None:
    window.model.show(failing())
    view = counterexample_of(window)
    assert view.where.text() == "3 steps"
    window.toolbar.commands["next_step"].trigger()
    window.toolbar.commands["next_step"].trigger()
    assert window.focus.selection.step == 4
    assert window.focus.selection.line == (FILE, 5)
    assert view.where.text() == "step 2 of 3"
    shown = [[cell.text for cell in row] for row in view.variables.content.rows]
    assert shown == [["i", "0", "1  ←"], ["x", "7", "7"]]
    view.buttons["last"].click()
    assert not view.buttons["next"].isEnabled()
    view.buttons["previous"].click()
    assert window.focus.selection.step == 4
    view.detail.setCurrentIndex(2)
    assert view.where.text() == "step 4 of 6"
    window.focus.next_step()
    assert window.focus.selection.step == 5


def test_one_click_examines_the_evidence_again(
    qtbot: QtBot, window: MainWindow, program: Callable[[str], Path]
) -> None:
    verified(qtbot, window, program("false"))
    recheck = window.model.recheck
    assert recheck is not None
    assert recheck.outcome == NotAsked()
    shown = window.model.record
    view = counterexample_of(window)
    assert "In the run, native replay reached" in view.strip.sentence
    view.strip.button.click()
    assert isinstance(recheck.outcome, Examining)
    assert view.strip.button.text() == "Stop"
    qtbot.waitUntil(lambda: isinstance(recheck.outcome, Examined))
    assert "Replayed just now" in view.strip.sentence
    assert window.model.record is shown
    assert window.runner.state is RunState.IDLE
    view.strip.button.click()
    view.strip.button.click()
    assert recheck.outcome == NotAsked()


@pytest.mark.long
def test_opening_a_run_examines_nothing(qtbot: QtBot, window: MainWindow, program: Callable[[str], Path]) -> None:
    verified(qtbot, window, program("true"))
    assert window.model.record is not None
    assert window.model.record.path is not None
    path = window.model.record.path
    window.model.open(path)
    view = evidence_of(window)
    recheck = window.model.recheck
    assert recheck is not None
    assert recheck.outcome == NotAsked()
    assert view.strip.button.text() == "Check the proof again"
    assert view.heading.text().startswith("TRUE rests on a")
    view.strip.button.click()
    qtbot.waitUntil(lambda: isinstance(recheck.outcome, Examined))
    assert "it holds" in view.strip.sentence
    path.unlink()
    window.model.show(window.model.record)
    assert recheck.outcome == NotAsked("The file of this run is gone.")


def test_all_of_an_abridged_formula_is_one_click_away(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("formula_text", "run_text"):
        monkeypatch.setattr(f"interplay.presentation.{module}.LONGEST_FORMULA", 80)
    window.open_paths([GOLDEN])
    view, one = evidence_of(window), window.model.record
    assert one is not None
    (row,) = invariant_rows(one)
    assert any("characters)" in line for line in row.lines)
    assert f'href="{LINK}:{row.formula}"' in view.invariants.toHtml()
    view.invariants.anchorClicked.emit(QUrl(f"{LINK}:{row.formula}"))
    shown = window.findChild(FormulaDialog)
    assert shown is not None
    assert shown.isVisible()
    parts = shown.text.toPlainText().split("\n&& ")
    assert "0 <= retries <= 3" in parts
    assert any("lost == 4 && retries == 3 && sent == 4" in part for part in parts)
    shown.copy.click()
    assert QGuiApplication.clipboard().text() == shown.text.toPlainText()


def test_a_formula_that_is_far_too_long_for_c_is_smtlib() -> None:
    terms = [TermDefined(0, "symbol", (), "main::i", "Int"), TermDefined(1, "symbol", (), "main::x", "Int")]
    terms += [TermDefined(n, "bit_and" if n % 2 else "bit_or", (n - 1, n - 2), "", "Int") for n in range(2, 26)]
    one = record(AttemptStarted(0, "bmc", (), (0,)), *terms, TermDefined(26, "le", (25,), "3", "Bool"))
    assert one.is_abridged(LATEST, 26)
    whole = one.full_formula(LATEST, 26)
    assert not whole.is_c
    assert whole.text.startswith("(let (")
    assert not one.is_abridged(LATEST, 0)


def test_without_an_answer_the_panel_offers_one_action(window: MainWindow) -> None:
    view = evidence_of(window)
    window.model.show(record(AttemptStarted(0, "bmc", (), (1,)), OPEN, verdict("unknown", "no more rounds")))
    assert "No more rounds" in view.missing_words[ExplanationPart.REASON].text()
    assert view.action.text() == Action.TRY_ALL.value
    window.model.show(proof())
    assert view.action.isHidden()
    view.filter.setCurrentIndex(2)
    assert len(view.obligations.content.rows) == 0
    view.filter.setCurrentIndex(1)
    assert [row[-1].text for row in view.obligations.content.rows] == ["1.00 s", "500 ms"]
    view.obligations.selectRow(0)
    assert window.focus.selection.line == (FILE, 5)
    window.model.show(None)
    assert view.heading.isHidden() or not view.heading.isVisible()
