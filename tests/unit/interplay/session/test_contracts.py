"""Recursion of any depth through the whole checker, and again from the run file, also where somebody changed it."""

from pathlib import Path

import pytest

import interplay
from interplay.commands.cli import main
from tests.support.forged import forged, members_of

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
    verdict = interplay.verify(source, property="unreach-call", engine="chc", output=target)
    assert verdict.status == "true", verdict
    return target


def changed(run: Path, target: Path, old: bytes, new: bytes) -> Path:
    """The run file with other evidence."""
    evidence = members_of(run)["evidence.json"]
    assert old in evidence
    return forged(run, target, {"evidence.json": evidence.replace(old, new)})


def test_stored_contracts_are_examined_again(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(run)]) == 0
    assert capsys.readouterr().out.endswith("VERDICT: true\n")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'["count",', b'["main",'),  # the contract of another function
        (b'["count",', b'["nobody",'),
        (b'"count::n@entry"', b'"count::n"'),  # the parameter as it is now, not as it was
        (b'"calls"', b'"count.result"'),
        (b'"contracts":', b'"contradicts":'),  # no contracts: the recursion is followed for long
    ],
    ids=["another function", "no function", "no snapshot", "another global", "no contracts"],
)
def test_changed_contracts_prove_nothing(
    run: Path, tmp_path: Path, old: bytes, new: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    endless = b"contradicts" in new
    words = [str(changed(run, tmp_path / "changed.interplay", old, new)), "--time-limit", "1" if endless else "300"]
    assert main(["check", *words]) == (124 if endless else 5)
    assert ("time limit" if endless else "the certificate is not accepted") in capsys.readouterr().out
