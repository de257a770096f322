"""Options are named values of enumerations."""

import pytest

from methods.engines.transition.options import ImageMethod, RefinementMethod, TransitionOptions
from methods.options import WrongOption, describe_options, read_options
from methods.registry import ENGINES


def test_what_is_not_given_has_its_default() -> None:
    options = read_options(TransitionOptions, {"refinement": "das-dill"})
    assert options == TransitionOptions(refinement=RefinementMethod.DAS_DILL)
    assert options.image is ImageMethod.RELATION


@pytest.mark.parametrize("values", [{"refinements": "das-dill"}, {"image": "cartesian"}, {"": ""}])
def test_what_does_not_exist_is_refused_with_what_does(values: dict[str, str]) -> None:
    with pytest.raises(WrongOption, match=r"interpolants|relation|refinement"):
        read_options(TransitionOptions, {"refinement": "interpolants", **values})


def test_every_option_has_a_line_that_begins_with_its_default() -> None:
    lines = describe_options(TransitionOptions)
    assert any(line.startswith("refinement=interpolants|das-dill: ") for line in lines)
    for engine in ENGINES.values():
        kind = engine.options
        for line in describe_options(kind):
            name, default = line.partition(":")[0].partition("|")[0].split("=")
            assert read_options(kind, {name: default}) == kind()
