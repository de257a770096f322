"""Recursion of any depth through the whole checker, and again from the run file, also where somebody changed it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support import prepared
from tests.support.forged import forged, members_of
from tests.support.prepared import command as main

pytestmark = pytest.mark.long

RECURSIVE = """extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int calls;
int count(int n) {
  calls = 1;
  if (n <= 0) return 0;
  n = n - 1;
  return count(n) + 1;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 1000000) return 0;
  if (count(n) != n || calls != 1) reach_error();
  return 0;
}
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("recursive")
    source, target = folder / "count.c", folder / "run.interplay"
    source.write_text(RECURSIVE)
    verdict = prepared.verify(source, property="unreach-call", engine="chc", output=target)
    assert verdict.status == "true", verdict
    return target


def changed(run: Path, target: Path, change: Callable[[str], str]) -> str:
    """The name of a run file with other evidence."""
    return str(forged(run, target, {"evidence.json": change(members_of(run)["evidence.json"].decode()).encode()}))


def test_stored_contracts_are_examined_again(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(run)]) == 0
    assert capsys.readouterr().out.endswith("VERDICT: true\n")


@pytest.mark.parametrize(
    ("old", "new", "code", "message"),
    [
        ('["count",', '["main",', 5, "the certificate is not accepted"),  # the contract of another function
        ('["count",', '["nobody",', 3, "the program has no function 'nobody'"),
        # The parameter as it is now, not as it was.
        ('"count::n@entry"', '"count::n"', 5, "the certificate is not accepted"),
        ('"calls"', '"count.result"', 5, "the certificate is not accepted"),
    ],
    ids=["another function", "no function", "no snapshot", "another global"],
)
def test_changed_contracts_prove_nothing(
    run: Path, tmp_path: Path, old: str, new: str, code: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = changed(run, tmp_path / "changed.interplay", lambda evidence: evidence.replace(old, new))
    assert main(["check", file, "--time-limit", "300"]) == code
    assert message in capsys.readouterr().out


def test_without_contracts_the_recursion_is_followed_for_long(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def without(evidence: str) -> str:
        document = json.loads(evidence)
        assert document["certificates"][0]["contracts"]
        document["certificates"][0]["contracts"] = []
        return json.dumps(document)

    assert main(["check", changed(run, tmp_path / "changed.interplay", without), "--time-limit", "1"]) == 124
    assert "time limit" in capsys.readouterr().out
