"""The comparison of refinements: its programs, its tables and its pictures."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from benchmarks.journal import Journal
from benchmarks.transition.__main__ import results_of
from benchmarks.transition.configurations import COMPARISONS, CONFIGURATIONS
from benchmarks.transition.expensive import FAMILIES
from benchmarks.transition.programs import Example, examples, predicates
from benchmarks.transition.report import Measured, Results, write_report
from benchmarks.transition.run import measured
from benchmarks.transition.scatter import SIDE, Plot, Point, svg
from core.program import Program
from core.terms import BOOL
from interplay.session.default_services import DefaultServices
from interplay.session.request import Request
from methods.engines.transition.options import TransitionOptions
from methods.options import read_options


def lowered(example: Example) -> Program:
    read = Path.read_text
    return DefaultServices().load(Request(str(example.path)), lambda name: read(Path(name)), lambda _: None).program


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.name)
def test_every_program_is_lowered_and_its_predicates_speak_about_it(example: Example) -> None:
    program = lowered(example)
    assert program.checks
    found = predicates(example.path.read_text(), program)
    assert len(found) >= 3
    assert all(p.sort is BOOL and not p.is_true and not p.is_false for p in found)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_small_driver_of_each_family_is_right_and_its_predicates_prove_it(family: str, tmp_path: Path) -> None:
    path = tmp_path / "driver.c"
    path.write_text(FAMILIES[family][0](2, 2, 2))
    found = measured(path, "cores", 60.0)
    assert found["verdict"] == "true"
    assert found["discoveries"] == 0


def test_there_are_enough_programs_of_both_kinds() -> None:
    assert len(examples()) >= 25
    assert sum(not example.holds for example in examples()) >= 8
    assert len({example.path for example in examples()}) == len(examples())


@pytest.mark.parametrize(
    "text", ["x + 1", "x = 1", "y == 1", "x * 2 == 1", "x == 'a'", "x < 1 < 2", "x > 1"], ids=lambda text: text
)
def test_what_is_no_predicate_is_refused(text: str) -> None:
    program = lowered(Example("init", holds=True))
    with pytest.raises((ValueError, SyntaxError)):
        predicates(f"/*\n * predicate: {text.replace('x', 'k')}\n */", program)


def test_all_configurations_are_options_and_all_comparisons_are_of_them() -> None:
    for configuration in CONFIGURATIONS.values():
        read_options(TransitionOptions, configuration.options)
    for comparison in COMPARISONS:
        assert {comparison.horizontal, comparison.vertical} <= set(CONFIGURATIONS)


@pytest.mark.parametrize("configuration", ["Das-Dill", "cores"])
def test_a_run_is_measured_and_its_verdict_confirmed(configuration: str) -> None:
    row = measured(Example("write_then_step", holds=True).path, configuration, 30.0)
    assert row["verdict"] == "true"
    assert row["refinements"] == 1
    assert row["discoveries"] == 0


def test_a_run_without_time_is_a_timeout() -> None:
    assert measured(Example("copy", holds=True).path, "cores", 0.0)["verdict"] == "timeout"


RESULTS = Results(
    {"a": True, "b": False},
    {
        ("a", "Das-Dill"): Measured("true", 12, 2.0),
        ("a", "resolution"): Measured("true", 3, 0.5),
        ("b", "Das-Dill"): Measured("false", 2, 0.1),
        ("b", "resolution"): Measured("timeout", 40, 60.0),
    },
)


def test_the_tables_have_factors_and_losses(tmp_path: Path) -> None:
    lines = write_report(RESULTS, tmp_path)
    [row] = [line for line in lines if line.startswith("| resolution against Das-Dill |")]
    assert "1, 1, 0 | 4.0 ×, 4.0 ×, 4.00 × | 1, 0, 0 | 4.0 ×, 4.0 ×, 4.00 × | 1, 0, 0" in row
    assert "- resolution against Das-Dill, b: 40 / 60.00 s timeout against 2 / 0.10 s" in lines
    assert "| a | yes | 12 / 2.00 s | 3 / 0.50 s |" in lines
    assert (tmp_path / "figure-7.svg").is_file()
    assert not (tmp_path / "figure-8.svg").exists()
    assert RESULTS.wrong() == []


def test_a_verdict_that_contradicts_the_truth_is_wrong() -> None:
    wrong = Results({"a": True}, {("a", "cores"): Measured("false", 1, 1.0)})
    assert wrong.wrong() == ["a (cores): false"]


def test_results_are_read_from_the_journal(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "runs.jsonl", "run")
    journal.add({"run": "init/cores, hybrid", "verdict": "true", "refinements": 3, "cpu": 0.5})
    results = results_of(Journal(tmp_path / "runs.jsonl", "run"), examples())
    assert results.runs == {("init", "cores, hybrid"): Measured("true", 3, 0.5)}
    assert results.truth["init"]


def test_points_are_placed_by_their_logarithms() -> None:
    points = [Point("low & left", 1, 1), Point("high", 100, 10, hollow=True)]
    text = svg([Plot("<title>", "x", "y", points)])
    circles = ElementTree.fromstring(text).findall(".//{http://www.w3.org/2000/svg}circle")
    places = [(float(c.attrib["cx"]), float(c.attrib["cy"])) for c in circles]
    across = places[1][0] - places[0][0]
    up = places[0][1] - places[1][1]
    assert across == pytest.approx(2 * up, abs=0.2)
    assert all(0 <= x <= SIDE and 0 <= y <= SIDE for x, y in places)
    assert circles[1].attrib["fill"] == "white"


def test_a_picture_without_points_is_a_picture() -> None:
    assert ElementTree.fromstring(svg([Plot("empty", "x", "y", [])])) is not None
