"""Functions that nothing names are left out before a tree is lowered or run."""

from frontend.api import parse_program
from frontend.typed.ctype import DataModel
from frontend.typed.traversal import used

TEXT = """
int in_table(void) { return 1; }
int (*table[])(void) = {in_table};
int deep(void) { return 2; }
int near(void) { return deep(); }
int other(void) { return near(); }
void *malloc(unsigned n) { return (void *)0; }
extern int outside(void);
int main(void) { return near(); }
"""


def test_what_main_initialisers_and_kept_functions_name_is_used() -> None:
    unit = parse_program(TEXT, "a.c", DataModel.ILP32)
    assert set(used(unit, "main", lambda name: name == "malloc").functions) == {
        *("in_table", "deep", "near", "malloc", "outside", "main")
    }
    assert "malloc" not in used(unit, "main", lambda _: False).functions
