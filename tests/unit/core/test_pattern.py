"""Patterns of modules are regular expressions of the standard library."""

import re

import pytest

from core.pattern import pattern


def test_a_pattern_has_the_methods_of_a_regular_expression() -> None:
    word = pattern(r"(?P<first>[a-z])\w*", re.IGNORECASE)
    found = word.match("Word rest")
    assert found is not None
    assert found["first"] == "W"
    assert word.sub("-", "a b1 2") == "- - 2"
    assert word.pattern == r"(?P<first>[a-z])\w*"
    assert word.groupindex == {"first": 1}


def test_a_wrong_pattern_is_an_error_when_it_is_used() -> None:
    wrong = pattern("(")
    with pytest.raises(re.error):
        wrong.match("")
