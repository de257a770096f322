"""Large arrays of constants that are only read."""

import pytest

from core.program import Program, terms_of
from core.terms import Op, subterms
from frontend.api import parse_program
from frontend.lowering import UnreachCall, lower
from frontend.typed.ctype import DataModel

COUNT = 1100
VALUES = [(37 * i) % 700 - 150 for i in range(COUNT)]
HEAD = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n"
TEXT = ", ".join(map(str, VALUES))


def program(declaration: str, body: str) -> Program:
    text = f"{HEAD}{declaration};\nint main(void) {{ int i = __VERIFIER_nondet_int(); {body} return 0; }}\n"
    return lower(parse_program(text, "a.c", DataModel.ILP32), UnreachCall())


def has_table(program: Program) -> bool:
    return any(t.op is Op.LOOKUP for edge in program.edges for t in subterms(*terms_of(edge)))


READ = "if (t[i] == 5) reach_error();"


def test_what_is_read_is_a_function_of_the_index_and_no_variable() -> None:
    lowered = program(f"static const int t[{COUNT}] = {{{TEXT}}}", READ)
    assert has_table(lowered)
    assert not [one for one in lowered.variables.values() if one.name == "t"]


@pytest.mark.parametrize(
    ("declaration", "body"),
    [
        (f"static int t[{COUNT}] = {{{TEXT}}}", f"t[3] = 4; {READ}"),
        (f"static int t[{COUNT}] = {{{TEXT}}}", f"int *p = t; p[1] = 2; {READ}"),
        (f"static int t[{COUNT}] = {{{TEXT}}}", f"t[i]++; {READ}"),
        (f"static const unsigned char t[{COUNT}] = {{{TEXT}}}", READ),  # some do not fit
        (f"static int x; static int *t[{COUNT}] = {{[{COUNT - 1}] = &x}}", "if (t[i] == 0) reach_error();"),
        ("static const int t[3] = {1, 2, 3}", READ),
    ],
    ids=["written", "through a pointer", "counted up", "truncated", "pointers", "small"],
)
def test_what_is_written_or_has_an_address_is_an_array(declaration: str, body: str) -> None:
    assert not has_table(program(declaration, body))
