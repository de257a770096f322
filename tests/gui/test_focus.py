"""The focus: two cursors, and what moves along with what."""

import pytest

from gui.model.focus import Aspect, Focus, FocusState
from interplay.presentation.record.moments import born_in, rounds
from interplay.presentation.record.run import LATEST, RunRecord
from runs.runfile import open_run
from tests.gui.conftest import GOLDEN


@pytest.fixture(scope="module")
def record() -> RunRecord:
    return RunRecord.of(open_run(GOLDEN))


@pytest.fixture
def focus(record: RunRecord) -> Focus:
    one = Focus()
    one.attach(record)
    return one


def heard(focus: Focus) -> list[Aspect]:
    found: list[Aspect] = []
    focus.changed.connect(found.append)
    return found


def test_rounds_go_one_by_one_and_end_in_the_end(focus: Focus, record: RunRecord) -> None:
    numbers = [row.round for row in rounds(record)]
    focus.first_round()
    seen = [focus.selection.round]
    while focus.selection.round is not None:
        focus.next_round()
        seen.append(focus.selection.round)
    assert seen == [*numbers, None]
    focus.previous_round()
    assert focus.selection.round == numbers[-1]


def test_a_move_is_heard_once_and_no_move_is_not(focus: Focus) -> None:
    found = heard(focus)
    focus.go_to_round(0)
    focus.go_to_round(0)
    assert found == [Aspect.MOMENT | Aspect.PATH]


def test_steps_belong_to_the_path_of_the_round(focus: Focus) -> None:
    focus.go_to_round(0)
    path = focus.path
    assert path is not None
    focus.next_step()
    assert focus.selection.step == 0
    focus.go_to_step(10_000)
    assert focus.selection.step == len(path.steps) - 1
    assert focus.selection.place == path.steps[-1].source
    focus.next_round()
    assert focus.selection.step is None


def test_a_path_is_refuted_where_its_statements_have_come_to_contradict(focus: Focus) -> None:
    focus.go_to_round(0)
    path = focus.path
    assert path is not None
    against = [step.index for step in path.steps if step.in_core]
    assert against
    assert against[-1] > 0
    focus.refuted_step()
    assert focus.selection.step == against[-1]


def test_a_lemma_brings_its_place_and_line(focus: Focus, record: RunRecord) -> None:
    lemma = next(one for one in record.view.attempt.lemmas if one.event.place is not None)
    focus.go_to_lemma(lemma.event.lemma)
    assert focus.selection.place == lemma.event.place
    assert focus.selection.line is not None


def test_the_birth_of_a_lemma(focus: Focus, record: RunRecord) -> None:
    lemma = record.view.attempt.lemmas[-1]
    focus.go_to_birth(lemma.event.lemma)
    assert focus.selection.round == born_in(record, LATEST, lemma)
    assert focus.selection.lemma == lemma.event.lemma


def test_a_line_selects_a_location_on_it(focus: Focus, record: RunRecord) -> None:
    assert record.program is not None
    loop = next(location for location in record.program.locations if location.loop)
    assert loop.span is not None
    focus.go_to_line(loop.span.file, loop.span.line)
    assert focus.selection.place is not None
    span = record.span_of_place(focus.selection.place)
    assert span is not None
    assert span.line == loop.span.line


def test_what_does_not_exist_is_not_selected(focus: Focus) -> None:
    focus.go_to_round(10_000)
    assert focus.selection == FocusState()
    focus.go_to_lemma(10_000)
    focus.go_to_place(((), 10_000))
    assert focus.selection.line is None


def test_without_a_run_nothing_happens() -> None:
    focus = Focus()
    focus.first_round()
    focus.next_round()
    focus.next_step()
    focus.go_to_line("a.c", 3)
    assert focus.selection == FocusState(line=("a.c", 3))
