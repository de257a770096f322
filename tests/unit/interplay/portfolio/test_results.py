"""The results of a portfolio where an execution breaks what its proofs assume, and the evidence that it keeps."""

from dataclasses import replace
from pathlib import Path

from core.limits import Cause
from core.verdict import Certificate, CheckResult, Safe, Status
from interplay.portfolio import attempt_ends
from interplay.portfolio.attempt import PortfolioAttempt
from interplay.portfolio.plan import Turn
from interplay.portfolio.results import keep_evidence, results_for
from interplay.session.endings import combined
from interplay.session.member_storage import JournalStorage
from runs.events import CheckDecided
from runs.evidence_json import decode_evidence, encode_evidence
from runs.jsondata import parse
from tests.support.small_programs import counting_loop

PROGRAM = counting_loop(3)
CHECK = PROGRAM.checks[0]
OTHER = replace(CHECK, id=1)
TOLD = "undefined behaviour at a.c:3: index 4"
BROKEN = CheckDecided(0, "assertion", "d", "a.c", 1, 1, "unknown", "", f"it runs into {TOLD}", TOLD)
PROVED = CheckDecided(1, "assertion", "d", "a.c", 2, 1, "true", "a certificate", "")


def attempt(*decided: CheckDecided) -> PortfolioAttempt:
    return PortfolioAttempt(
        Turn("bmc", 0, 1, ""), decided={one.check: one for one in decided}, end=attempt_ends.TIME_IS_UP
    )


def test_undefined_behaviour_says_more_than_a_limit() -> None:
    (result,) = results_for([CHECK], [attempt(BROKEN), attempt()], attempt_ends.TIME_IS_UP)
    assert (result.status, result.reason, result.undefined) == (Status.UNKNOWN, BROKEN.reason, TOLD)


def test_a_proof_does_not_stand_beside_it() -> None:
    results = results_for([CHECK, OTHER], [attempt(PROVED), attempt(BROKEN)], None)
    assert [one.status for one in results] == [Status.UNKNOWN, Status.UNKNOWN]
    assert TOLD in results[1].reason


def test_it_explains_the_verdict() -> None:
    late = results_for([OTHER], [attempt()], attempt_ends.TIME_IS_UP)[0]
    found = combined([late, *results_for([CHECK], [attempt(BROKEN)], None)], ())
    assert (late.status, found.status, found.reason) == (Status.TIMEOUT, Status.UNKNOWN, BROKEN.reason)


def test_an_attempt_that_was_ended_before_it_told_all_its_answers(tmp_path: Path) -> None:
    storage = JournalStorage(tmp_path)
    proof = Safe(Certificate({}))
    storage.beside(0).document("evidence.json", lambda: encode_evidence({0: proof, 1: proof}))
    ended = replace(attempt(replace(PROVED, check=0)), id=0)
    keep_evidence(storage, [ended], PROGRAM)
    kept = storage.read("evidence.json")
    assert kept is not None
    assert list(decode_evidence(parse(kept), PROGRAM.arena).outcomes()) == [0]


def test_answers_to_some_checks_rest_on_assumptions() -> None:
    late = CheckResult(0, "", "", CHECK.span, Status.TIMEOUT, reason=Cause.TIME_LIMIT)
    proved = CheckResult(1, "", "", CHECK.span, Status.TRUE, "a proof")
    assert combined([late, proved], ("no overflow",)).assumptions == ("no overflow",)
    assert combined([late], ("no overflow",)).assumptions == ()
