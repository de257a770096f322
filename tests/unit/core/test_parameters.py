"""Parameters of search: values are read, chosen before they are taken, and anything else is said."""

import subprocess
import sys

import pytest

from core import parameters
from core.parameters import WrongParameter, choose, parameter, read_value, real_parameter

NAME, SHARE, FIXED = "bmc.induction.effort", "portfolio.limits.exploring", "concrete.trail.longest"


@pytest.fixture(autouse=True)
def own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parameters, "_chosen", {})
    monkeypatch.setattr(parameters, "_taken", set())


def test_a_parameter_has_its_default_or_what_was_chosen() -> None:
    assert (parameter(NAME), real_parameter(SHARE), parameter(FIXED)) == (500, 0.9, 200_000)
    choose({"bmc.induction.patience": "3", "portfolio.schedule.growth": "1"})
    assert (parameter("bmc.induction.patience"), real_parameter("portfolio.schedule.growth")) == (3, 1.0)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("bmc.nothing", "1", "there is no parameter bmc.nothing; `interplay engine --parameters` lists them"),
        (NAME, "0", f"{NAME} is between 1 and 1000000, not 0"),
        (NAME, "1.5", f"{NAME}: '1.5' is no integer"),
        (SHARE, "nan", f"{SHARE} is between 0 and 1, not nan"),
        (SHARE, "half", f"{SHARE}: 'half' is no number"),
        (FIXED, "100", f"{FIXED} is always 200000"),
    ],
)
def test_what_is_no_value_is_said(name: str, text: str, message: str) -> None:
    with pytest.raises(WrongParameter) as caught:
        read_value(name, text)
    assert str(caught.value) == message


def test_a_value_that_comes_too_late_is_no_value() -> None:
    assert parameter(NAME) == 500
    choose({NAME: "500"})
    with pytest.raises(RuntimeError, match=NAME):
        choose({NAME: "7"})


def test_a_module_takes_what_was_chosen_before() -> None:
    code = (
        f"from core.parameters import choose; choose({{{NAME!r}: '7'}}); "
        "import methods.engines.bmc.induction as module; print(module.EFFORT, module.PATIENCE)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["7", "12"]
