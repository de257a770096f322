"""The generated programs of growing size, and the exponent that is read off their costs."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from benchmarks.curves import Curve, svg
from benchmarks.journal import Journal
from benchmarks.scaling import CONFIGURATIONS, FAMILIES, curves, exponent, table
from benchmarks.transition.configurations import CONFIGURATIONS as KNOWN
from benchmarks.transition.run import measured


@pytest.mark.parametrize("name", FAMILIES)
def test_the_smallest_program_of_a_family_is_verified(name: str, tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(FAMILIES[name].text(6))
    assert measured(path, "given", 20.0)["verdict"] == "true"


def test_configurations_are_those_of_the_comparison() -> None:
    assert set(CONFIGURATIONS) <= set(KNOWN)


def test_the_exponent_is_that_of_a_power() -> None:
    assert exponent([(n, 3 * n**2) for n in (1, 2, 4, 8, 16)]) == pytest.approx(2)
    assert exponent([(2, 5.0), (4, 5.0)]) == pytest.approx(0)
    assert str(exponent([(2, 1.0)])) == "nan"


def test_the_table_and_the_curves_have_what_was_measured(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "scaling.jsonl", "run")
    for size, cpu in ((20, 1.0), (40, 4.0)):
        journal.add({"run": f"locks/{size}/cores", "verdict": "true", "cpu": cpu, "refinements": size})
    journal.add({"run": "locks/80/cores", "verdict": "timeout", "cpu": 9.0, "refinements": 3})
    [line] = [line for line in table(journal) if line.startswith("| locks")]
    assert "20: 1.00 (20), 40: 4.00 (40), 80: 9.00 (3) timeout | 2.0 |" in line
    [curve] = curves(journal, "predicates")
    assert curve == Curve("locks, cores", [(20, 1.0), (40, 4.0)])
    assert ElementTree.fromstring(svg("cost", "n", "s", [curve])) is not None
