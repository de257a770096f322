"""A function that is not defined and has nearly the name of another one is noticed."""

import pytest

from frontend.typed.library_table import similar_name


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("asert", "assert"),
        ("asserts", "assert"),
        ("amlloc", "malloc"),
        ("memcpyy", "memcpy"),
        ("memcqy", "memcpy"),
        ("malloc", ""),
        ("choose", ""),
        ("now", ""),
        ("uart_read", ""),
    ],
)
def test_a_name_with_another_letter(name: str, meant: str) -> None:
    assert similar_name(name) == meant
