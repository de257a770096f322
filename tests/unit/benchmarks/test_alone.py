"""The table of what engines need alone: their parts of a run, who gave up, and who was not waited for."""

from benchmarks.alone import lines
from methods.registry import ENGINES

FEATURES = {"edges": 12, "loops": 1}


def _row(engine: str, verdict: str, cpu: float, **more: object) -> dict[str, object]:
    return {"task": "set/a.yml", "engine": engine, "verdict": verdict, "cpu": cpu, **more}


def _cells(*rows: dict[str, object]) -> dict[str, str]:
    """The cells of the one task of the table, without those that are empty."""
    header, *tasks = lines(rows)
    (task,) = tasks
    return {str(name): str(cell) for name, cell in zip(header, task, strict=True) if str(cell) and cell != 0}


def test_an_engine_has_its_search_and_its_examination_without_the_reading() -> None:
    cells = _cells(
        _row("portfolio", "true", 4.0, features=FEATURES, deciders=["bmc"], reading=0.5, examination=0.0),
        _row("bmc", "true", 2.0, reading=0.25, examination=0.5),
        _row("explicit", "none", 1.0, reading=0.3),
        _row("transition", "timeout", 6.0, reading=0.3),
    )
    assert cells == {
        "task": "set/a.yml",
        "edges": "12",
        "loops": "1",
        "reading": "0.25",
        "bmc": "1.25+0.50",
        "explicit": "none 0.75",
    }


def test_a_task_decided_soon_counts_for_its_decider() -> None:
    cells = _cells(_row("portfolio", "false", 0.5, features={}, deciders=["concrete"], reading=0.2, examination=0.1))
    assert {name for name in cells if name in ENGINES} == {"concrete"}
    assert cells["concrete"] == "0.20+0.10"


def test_a_task_that_nobody_decides_has_no_row() -> None:
    assert len(list(lines([_row("portfolio", "none", 20.0, features=FEATURES, reading=0.2)]))) == 1
