"""Types of variables as the source writes them."""

import pytest

from core.program.source import POINTER, SourceType


@pytest.mark.parametrize("text", ["", "int", "unsigned long long", "pointer", "int[3]", "pointer[3][]", "char[2][4]"])
def test_a_type_survives_as_text(text: str) -> None:
    assert str(SourceType.read(text)) == text


def test_what_types_say() -> None:
    array = SourceType.read("pointer[3][]")
    assert array == SourceType(POINTER, (3, None))
    assert array.has_pointers
    assert not array.is_pointer
    assert SourceType.read("pointer[]").of_element.is_pointer
    assert SourceType.read("int[3]").of_element == SourceType("int", (3,))
