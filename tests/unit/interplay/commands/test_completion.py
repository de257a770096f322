"""The completion of the command line knows commands, options and values."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.prepared import command as main


@pytest.mark.skipif(shutil.which("bash") is None, reason="it is for bash")
@pytest.mark.parametrize(
    ("words", "answers"),
    [
        (("ver",), {"verify"}),
        (("verify", "--time-l"), {"--time-limit"}),
        (("verify", "--engine", "p"), {"portfolio", "pdr"}),
        (("cfa", "--format", "s"), {"svg"}),
        (("batch", "--check", "bounds,ov"), {"bounds,overflow", "bounds,overlap"}),
        (("verify", "--property", "no-o"), {"no-overflow"}),
        (("verify", "--option", "sel"), {"selection="}),
    ],
)
def test_words_are_completed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], answers: set[str]
) -> None:
    assert main(["completion"]) == 0
    (tmp_path / "script").write_text(capsys.readouterr().out)
    asked = " ".join(("interplay", *words))
    text = (
        f'source {tmp_path}/script; COMP_WORDS=({asked}); COMP_CWORD={len(words)}; _interplay; echo "${{COMPREPLY[@]}}"'
    )
    done = subprocess.run(["bash", "-c", text], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) == answers
