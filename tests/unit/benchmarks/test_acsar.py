"""The table of the engine `acsar` counts what the paper counts."""

from benchmarks.acsar import CONFIGURATIONS, PAPER, PROGRAMS, measured, table
from benchmarks.journal import Journal


def test_refinement_has_iterations_and_predicates() -> None:
    row = measured(PROGRAMS / "array_init.c", CONFIGURATIONS["refinement"], 60.0)
    assert row["verdict"] == "true"
    assert row["iterations"] == 3  # two impossible paths, and the exploration that met no error
    assert 1 <= float(str(row["predicates"])) <= 12  # at the one loop


def test_a_line_has_the_paper_beside_each_configuration() -> None:
    journal = Journal(None, "run")
    for number, name in enumerate(CONFIGURATIONS):
        row = {"verdict": "true", "cpu": number, "iterations": 3, "predicates": 6.0}
        journal.add({"run": f"array_init/{name}", **row})
    assert set(PAPER) == {p.stem for p in PROGRAMS.glob("*.c") if not p.stem.endswith("_wrong")}
    assert table(journal)[2:] == ["| array_init | 3, 6, 0.83 | 3, 6.0, 0.00 | 1.00 | 2.00 | 3.00 |"]
