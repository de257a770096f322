"""Proofs by explicit values about arrays whose cells all have one value."""

from pathlib import Path

import pytest

from core.verdict import Status
from interplay.session.request import Request
from tests.support.verdicts import bare_verdict

TEXT = """extern void __VERIFIER_error(void);
static int zeros[9]; static struct { int a, b; } s, *p = &s;
int main(void) {
    for (int i = 0; i < 3; i++)
        if (zeros[2 * i] != 0 || p->b != 0) __VERIFIER_error();
}
"""


@pytest.mark.parametrize("configuration", ["explicit-plain", "explicit-plain+predicates"])
def test_cells_that_nobody_wrote_are_in_the_certificate(configuration: str, tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(TEXT)
    request = Request(str(path), engine="explicit", options=(("configuration", configuration),))
    verdict = bare_verdict(request)
    assert verdict.status is Status.TRUE, verdict.reason
