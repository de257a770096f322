"""Translation units as one program: what is shared, what stays apart, what must not be there twice."""

from pathlib import Path

import pytest

from frontend.api import parse_sources
from frontend.interpreter import ErrorReached, Exited, Inputs, run
from frontend.lowering.unit import lower
from frontend.options import Preprocessing, SourceFile
from frontend.replay.policy import error_policy
from frontend.source import FrontendError
from frontend.typed.ctype import DataModel
from frontend.typed.tree import TranslationUnit

REACH = "void reach_error(void);\n"


def linked(*texts: str, folder: str = "") -> TranslationUnit:
    settings = Preprocessing(include=(folder,)) if folder else Preprocessing()
    sources = [SourceFile(f"{'abcd'[number]}.c", text, settings) for number, text in enumerate(texts)]
    return parse_sources(sources, DataModel.LP64)


def ends_well(*texts: str) -> bool:
    """Whether the program ends, and does not reach the error; the lowering accepts it too."""
    unit = linked(*texts)
    lower(unit, None)
    outcome = run(unit, error_policy(unit, None), Inputs.of([]))
    assert isinstance(outcome, Exited | ErrorReached)
    return isinstance(outcome, Exited)


def refused(*texts: str) -> str:
    with pytest.raises(FrontendError) as found:
        linked(*texts)
    return str(found.value)


def test_static_names_stay_apart() -> None:
    one = REACH + "static int n = 1; static int f(void) { return n; } int g(void);\n"
    one += "int main(void) { if (f() + g() != 11) reach_error(); return 0; }"
    two = "static int n = 10; static int f(void) { return n; } int g(void) { return f(); }"
    assert ends_well(one, two)
    assert ends_well(two, one)
    assert not ends_well(one, two.replace("= 10", "= 2"))
    assert set(linked(one, two).functions) == {"reach_error", "f", "g", "main", "f#2"}


def test_a_static_name_gives_way_to_that_of_another_file() -> None:
    one = REACH + "static int f(void) { return 1; } int g(void);\n"
    one += "int main(void) { if (f() + g() != 6) reach_error(); return 0; }"
    assert ends_well(one, "int f(void) { return 5; } int g(void) { return f(); }")
    assert ends_well(one, "int g(void) { int f(void); return f(); }", "int f(void) { return 5; }")


def test_static_objects_in_functions_and_the_name_of_a_function() -> None:
    header = "static int f(void) { static int n; return ++n; }\n"
    one = REACH + header + "int g(void); int main(void) { f(); if (f() != 2 || g() != 1) reach_error(); return 0; }"
    assert ends_well(one, header + "int g(void) { return f(); }")
    two = "static int f(void) { return sizeof __func__; } int g(void) { return f() - 1; }"
    assert ends_well(one, two)


def test_objects_and_tentative_definitions() -> None:
    one = REACH + "extern int a[]; int n; int n; void set(void);\n"
    one += "int main(void) { set(); if (n != 4 || a[1] != 7) reach_error(); return 0; }"
    assert ends_well(one, "int a[] = {6, 7}; extern int n; void set(void) { n = 4; }")
    assert not ends_well(one, "int a[] = {6, 8}; extern int n; void set(void) { n = 4; }")


def test_types_that_agree_are_one() -> None:
    types = "struct node { int v; struct node *next; }; typedef struct { struct node *first; } list;\n"
    one = REACH + types + "int sum(list *); int main(void) { struct node n = {3, 0}, m = {4, &n}; list l = {&m};\n"
    one += "if (sum(&l) != 7) reach_error(); return 0; }"
    two = "int sum(list *l) { int s = 0; for (struct node *p = l->first; p; p = p->next) s += p->v; return s; }"
    assert ends_well(one, types + two)
    opaque = "struct node; typedef struct { struct node *first; } list; int sum(list *);\n"
    assert ends_well(one, opaque + "int other(list *l) { return sum(l); }", types + two)


def test_types_of_one_name_may_differ_where_they_do_not_meet() -> None:
    one = REACH + "struct s { int v; }; int g(void);\n"
    one += "int main(void) { struct s s = {3}; if (s.v + g() != 8) reach_error(); return 0; }"
    assert ends_well(one, "struct s { char c, v; }; int g(void) { struct s s = {1, 5}; return s.v; }")


def test_a_struct_is_incomplete_where_only_another_file_has_its_members() -> None:
    one = "struct s { int v; }; int main(void) { return 0; }"
    assert refused(one, "struct s; int f(struct s *p) { return p->v; }") == "b.c:1:39: struct s is incomplete"
    assert refused(one, "struct s; int f(void) { return sizeof(struct s); }").endswith("struct s is incomplete")


def test_inline_functions() -> None:
    header = "inline int f(void) { return 4; }\n"
    one = REACH + header + "int g(void); int main(void) { if (f() + g() != 8) reach_error(); return 0; }"
    assert ends_well(one, header + "int g(void) { return f(); }")
    assert ends_well(one, "extern int f(void); int g(void) { return f(); }")


@pytest.mark.parametrize(
    ("one", "two", "message"),
    [
        (
            "int f(void) { return 1; }",
            "\nint f(void) { return 2; }",
            "b.c:2:5: 'f' is defined twice: here and at a.c:1",
        ),
        ("int n = 1;", "int n = 1;", "b.c:1:5: 'n' is defined twice: here and at a.c:1:5"),
        ("int n;", " int n;", "b.c:1:6: 'n' is defined twice: here and at a.c:1:5"),
        ("int f(int);", "long f(int x) { return x; }", "'f' has the type long (int) here, but int (int) at a.c:1:5"),
        (
            "int f(int, int);",
            "int f(int x) { return x; }",
            "has the type int (int) here, but int (int, int) at",
        ),
        ("extern int n;", "long n;", "b.c:1:6: 'n' has the type long here, but int at a.c:1:12"),
        ("extern int n[2];", "int n[3];", "'n' has the type int [3] here, but int [2] at a.c:1:12"),
        (
            "struct s { int a; }; int f(struct s *);",
            "struct s { long a; }; int f(struct s *p) { return 0; }",
            "'f' has",
        ),
        ("int f(void);", "int f;", "b.c:1:5: 'f' is a function at a.c:1:5"),
        ("int x;", "int y = 1; int y = 2;", "b.c:1:16: 'y' is initialised twice"),
    ],
)
def test_what_does_not_link(one: str, two: str, message: str) -> None:
    assert message in refused(one, two)


def test_the_error_function_of_each_file_is_one() -> None:
    own = "static void reach_error(void) { }\n"
    two = "int f(int x) { if (x) reach_error(); return 0; }"
    unit = linked(
        own + "int f(int); int main(void) { f(1); return 0; } int g(void) { reach_error(); return 0; }", own + two
    )
    assert [(one.span.file, one.span.line) for one in lower(unit, None).checks] == [("b.c", 2)]
    assert isinstance(run(unit, error_policy(unit, None), Inputs.of([])), ErrorReached)


def test_headers_of_a_search_path(tmp_path: Path) -> None:
    (tmp_path / "h.h").write_text("#define N 3\nstatic inline int twice(int x) { return 2 * x; }\n")
    one = '#include "h.h"\nint main(void) { return twice(N); }'
    unit = linked(one, "#include <h.h>\nint f(void) { return twice(N); }", folder=str(tmp_path))
    assert [one for one in unit.functions if one.startswith("twice")] == ["twice", "twice#2"]
    assert [one.file for one in unit.files] == ["a.c", "b.c"]
    assert unit.files[1].names == {"f", "twice#2"}
