"""Patterns of modules are regular expressions of the standard library."""

import re

import pytest

from core.pattern import compiled_later, pattern


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


def test_a_library_that_is_imported_compiles_its_patterns_later() -> None:
    with compiled_later():
        wrong, right = re.compile("("), re.compile("a+")
    assert right.match("aab") is not None
    with pytest.raises(re.error):
        wrong.match("")
    assert isinstance(re.compile("a"), re.Pattern)
