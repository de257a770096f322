"""Each bug in the code that examines evidence is noticed, and without one nothing is."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.seeded_bugs.adversaries import ADVERSARIES
from tests.seeded_bugs.checker_bugs import BUGS, LawBug
from tests.seeded_bugs.laws import broken, keeper

_REPLAYED = "the kernel replays what it finds: test_stages.py has bugs"

HARMLESS = {
    **dict.fromkeys(("bounding.py", "cases.py", "instances.py", "polynomials.py"), _REPLAYED),
    **dict.fromkeys(("proof_search.py", "propositional.py", "refutation.py", "strides.py"), _REPLAYED),
    "value_sets.py": "what it proposes is a claim: adversaries leave numbers out",
    "proof_results.py": "it only says what was found",
    "justification.py": "it only names what there is",
    "results.py": "it only says what was found",
    "symbols.py": "test_symbols.py has a certificate for each rule",
    "__init__.py": "it only names what there is",
}
"""Modules of the certificate check without a bug, and why."""


@pytest.mark.parametrize("name", ADVERSARIES)
def test_no_adversary_is_accepted(name: str) -> None:
    assert not ADVERSARIES[name]()


@pytest.mark.long
@pytest.mark.parametrize("bug", BUGS, ids=[f"{number}: {bug.law}" for number, bug in enumerate(BUGS)])
def test_a_broken_law_is_noticed(bug: LawBug, monkeypatch: pytest.MonkeyPatch) -> None:
    broken(monkeypatch, bug.law, bug.change)
    assert bug.is_noticed()


def test_each_module_of_the_check_has_a_bug() -> None:
    owners = [keeper(bug.law)[0] for bug in BUGS]
    modules = {getattr(owner, "__module__", None) or owner.__name__ for owner in owners}
    folders = (Path("core/certificate"), Path("core/decision"))
    files = {path.name for folder in folders for path in folder.glob("*.py")} - HARMLESS.keys()
    assert files <= {f"{module.rpartition('.')[2]}.py" for module in modules}
