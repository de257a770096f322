"""Characters and strings are written as C has them."""

import pytest

from core.program.automaton import Program
from core.program.changes import SourceChanges
from core.program.characters import character, string
from core.program.naming import Naming
from interplay.session.default_services import DefaultServices
from interplay.session.request import Request

TEXT = """extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);
int main(void)
{
    char c = __VERIFIER_nondet_char();
    signed char small = 65;
    if (c == 'q' && small != 66)
        reach_error();
    return 0;
}
"""


@pytest.mark.parametrize(
    ("value", "text"), [(113, "'q'"), (39, r"'\''"), (92, r"'\\'"), (34, "'\"'"), (10, None), (-1, None), (200, None)]
)
def test_printable_characters_have_texts(value: int, text: str | None) -> None:
    assert character(value) == text


def test_strings_are_escaped() -> None:
    assert string(b"a'\"\\\n\x01") == '"a\'\\"\\\\\\n\\x01"'


def program() -> Program:
    return DefaultServices().load(Request("f.c"), lambda _: TEXT, lambda _: None).program


def test_a_char_is_a_character_and_a_signed_char_a_number() -> None:
    found = program()
    assert any("c == 'q' && small != 66" in edge.text for edge in found.edges)
    names = {known.name: x for x, known in found.variables.items()}
    naming = Naming(found)
    assert naming.value(names["main::c"], 113) == "'q'"
    assert naming.value(names["main::small"], 66) is None
    step = next(edge.id for edge in found.edges if edge.text.startswith("char c"))
    assert SourceChanges(naming, [(step, (("main::c", "113"),))]).of_step(0) == (("c", "'q' (113)"),)
    assert SourceChanges(naming, [(step, (("main::c", "7"),))]).of_step(0) == (("c", "7"),)
