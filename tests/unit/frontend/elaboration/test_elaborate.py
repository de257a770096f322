"""C text to the typed tree: conversions, scopes, names, statements, places."""

import pytest

from frontend.api import parse_program
from frontend.options import Acsl
from frontend.source import FrontendError, Unsupported
from frontend.typed import tree
from frontend.typed.ctype import Array, DataModel, Integer, IntegerKind, Pointer, VariableLength
from tests.unit.frontend.elaboration.laws import check, nodes


def parse(text: str, model: DataModel = DataModel.ILP32) -> tree.TranslationUnit:
    unit = parse_program(text, "f.c", model)
    check(unit)
    return unit


def body(text: str, model: DataModel = DataModel.ILP32) -> tuple[tree.Statement, ...]:
    """The statements of the function `f` of the text."""
    block = parse(text, model).functions["f"].body
    assert block is not None
    return block.items


def only(text: str) -> tree.Expression:
    """The expression of the last statement of `f`."""
    statement = body(text)[-1]
    assert isinstance(statement, tree.ExpressionStatement)
    return statement.expression


def test_operands_are_promoted_and_converted() -> None:
    value = only("void f(char c, unsigned u) { c + u; }")
    assert isinstance(value, tree.Binary)
    assert str(value.type) == "unsigned int"
    assert isinstance(value.left, tree.Convert)
    assert str(value.left.operand.type) == "int"
    assert isinstance(value.right, tree.Load)


def test_bit_fields_promote_by_their_width() -> None:
    value = only("struct s { unsigned a : 3; unsigned b : 32; }; void f(struct s *p) { p->a - p->b < p->a; }")
    assert isinstance(value, tree.Binary)
    assert str(value.left.type) == "unsigned int"
    value = only("struct s { unsigned a : 3; }; void f(struct s *p) { p->a < -1; }")
    assert isinstance(value, tree.Binary)
    assert str(value.left.type) == "int"


def test_compound_assignment_keeps_its_computation_type() -> None:
    value = only("void f(char c, long long l) { c += l; }")
    assert isinstance(value, tree.CompoundAssign)
    assert (str(value.type), str(value.computation)) == ("char", "long long")
    value = only("void f(short s) { s <<= 2; s++; }")
    assert isinstance(value, tree.Increment)
    assert str(value.computation) == "int"


def test_elements_of_arrays_and_of_pointers() -> None:
    value = only("int a[3][4]; void f(int i, int j) { a[i][j]; }")
    assert isinstance(value, tree.Load)
    assert isinstance(value.lvalue, tree.Index)
    assert isinstance(value.lvalue.array, tree.Index)
    value = only("int a[3]; void f(int i) { *(a + i); }")
    assert isinstance(value, tree.Load)
    assert isinstance(value.lvalue, tree.Index)
    value = only("void f(int *p, int i) { i[p]; }")
    assert isinstance(value, tree.Load)
    assert isinstance(value.lvalue, tree.Dereference)
    assert isinstance(value.lvalue.pointer, tree.PointerOffset)


def test_address_and_dereference_cancel() -> None:
    assert isinstance(only("void f(int *p) { &*p; }"), tree.Load)
    value = only("int g(void); void f(void) { (***&g)(); }")
    assert isinstance(value, tree.Call)
    assert isinstance(value.function, tree.FunctionAddress)


def test_members_of_values() -> None:
    value = only("struct s { int a, b; }; struct s g(void); void f(void) { g().b; }")
    assert isinstance(value, tree.Load)
    assert isinstance(value.lvalue, tree.Member)
    assert isinstance(value.lvalue.base, tree.Temporary)


def test_names_are_unique_and_stable() -> None:
    unit = parse("int x; void f(int y) { int x; { int x; static int x2; } for (int x = 0;;) ; }")
    names = [node.object.name for node in nodes(unit) if isinstance(node, tree.Declaration)]
    assert sorted(names) == ["f::x", "f::x#2", "f::x#3", "f::x2", "x"]
    statics = unit.globals[-1].object
    assert (statics.name, statics.source_name, statics.function) == ("f::x2", "x2", "f")


def test_storage_of_globals() -> None:
    unit = parse("extern int a; extern int b; int b; extern int c = 1; int d; int d = 2; static int e[]; int e[3];")
    storage = {one.object.name: (one.object.storage.value, one.initialiser is not None) for one in unit.globals}
    assert storage == {"a": ("external", False), "b": ("static", False), "c": ("static", True), "d": ("static", True),
                       "e": ("static", False)}  # fmt: skip
    assert unit.globals[-1].object.type == Array(DataModel.ILP32.integer(IntegerKind.INT), 3)


def test_variable_length_arrays_keep_their_length() -> None:
    length, array, *_ = body("void f(int n) { int a[n + 1]; sizeof a; }")
    assert isinstance(length, tree.Declaration)
    assert isinstance(array, tree.Declaration)
    assert length.object.type == DataModel.ILP32.size_type
    assert isinstance(array.object.type, Array)
    assert array.object.type.length == VariableLength(length.object.name)


def test_cases_stand_in_their_block() -> None:
    (switch,) = body("void f(int x) { switch (x) { case 1: x = 2; x = 3; break; case 2: case 3: default: ; } }")
    assert isinstance(switch, tree.Switch)
    assert isinstance(switch.body, tree.Compound)
    kinds = [type(item).__name__ for item in switch.body.items]
    assert kinds == ["Case", "ExpressionStatement", "Break", "Case", "Case", "Default"]


def test_expanded_assert_is_a_choice() -> None:
    failure = '__assert_fail ("x > 0", "f.c", 3, "f")'
    expanded = f"((void) sizeof ((x > 0) ? 1 : 0), __extension__ ({{ if (x > 0) ; else {failure}; }}))"
    parameters = "const char *, const char *, unsigned, const char *"
    header = f"extern void __assert_fail ({parameters}) __attribute__ ((__nothrow__));"
    value = only(f"{header} void f(int x) {{ {expanded}; }}")
    assert isinstance(value, tree.Conditional)
    assert isinstance(value.otherwise, tree.Call)
    assert isinstance(value.otherwise.function, tree.FunctionAddress)
    assert value.otherwise.function.function == "__assert_fail"


def test_undefined_assert_gets_a_truth_value() -> None:
    value = only("void f(long long x) { assert(x); }")
    assert isinstance(value, tree.Call)
    assert [str(argument.type) for argument in value.arguments] == ["int"]
    assert isinstance(value.arguments[0], tree.Binary)
    value = only("void assert(char c) { } void f(long long x) { assert(x); }")
    assert isinstance(value, tree.Call)
    assert str(value.arguments[0].type) == "char"


def test_implicit_declarations_warn() -> None:
    unit = parse("void f(void) { char *p = malloc(3); unknown(1.0f, 'a'); }")
    assert [str(warning) for warning in unit.warnings] == [
        "f.c:1:37: warning: 'unknown' is called but not declared: it returns int"
    ]
    assert isinstance(unit.functions["malloc"].type.result, Pointer)


def test_places_cover_what_is_written() -> None:
    text = "int g(int);\nvoid f(int x)\n{\n  x = (g)(x + 1) * -(x);\n  if (x) { x--; }\n}\n"
    unit = parse(text)
    places: dict[str, list[str]] = {}
    for node in nodes(unit):
        lines = text.splitlines()[node.span.line - 1 : node.span.end_line]
        if len(lines) == 1:
            places.setdefault(type(node).__name__, []).append(lines[0][node.span.column - 1 : node.span.end_column - 1])
    assert places["Call"] == ["(g)(x + 1)"]
    assert places["Unary"] == ["-(x)"]
    assert places["Assign"] == ["x = (g)(x + 1) * -(x)"]
    assert sorted(places["ExpressionStatement"]) == ["x = (g)(x + 1) * -(x);", "x--;"]
    assert places["If"] == ["if (x) { x--; }"]


def test_gnu_words_do_not_move_anything() -> None:
    unit = parse("typedef int small __attribute__((__mode__(__QI__)));\n__extension__ static __inline small __const g;")
    (only_global,) = unit.globals
    assert (only_global.span.line, only_global.span.column) == (2, 45)
    assert isinstance(only_global.object.type, Integer)
    assert only_global.object.type.bits == 8


def test_line_markers_do_not_move_anything() -> None:
    unit = parse('# 1 "other.c"\nint x; /* comment */ int y;\n')
    assert [(one.span.file, one.span.line, one.span.column) for one in unit.globals] == [("f.c", 2, 5), ("f.c", 2, 26)]


def test_annotations_are_kept() -> None:
    text = "/*@ requires x > 0;\n */\nint f(int x) { //@ assert x;\n return x; /* no */ }"
    assert parse(text).annotations == ()
    unit = parse_program(text, "f.c", DataModel.LP64, Acsl.READ)
    assert [(one.text.strip(), one.span.line, one.span.column) for one in unit.annotations] == [
        ("requires x > 0;", 1, 1),
        ("assert x;", 3, 16),
    ]


def test_assembly_and_floats_are_nodes() -> None:
    items = body(
        'extern int g(void) __asm__("" "__isoc99_g"); void f(double d) { asm volatile ("nop" : : "r"(1)); d * 2; }'
    )
    assert isinstance(items[0], tree.Assembly)
    assert isinstance(items[1], tree.ExpressionStatement)
    assert str(items[1].expression.type) == "double"


@pytest.mark.parametrize("clobbers", ['"" : : : "memory"', '"" : : "r"(p) : "memory"', '"" : "+r"(p)'])
def test_assembly_that_only_compilers_see_is_an_empty_statement(clobbers: str) -> None:
    assert isinstance(body(f"void f(char *p) {{ __asm__ __volatile__({clobbers}); p++; }}")[0], tree.Empty)


@pytest.mark.parametrize(
    "assembly", ['"nop" : : : "memory"', '"" : "=r"(p) : : "memory"', '"" : : "r"(p++) : "memory"']
)
def test_other_assembly_is_not(assembly: str) -> None:
    assert isinstance(body(f"void f(char *p) {{ __asm__ __volatile__({assembly}); }}")[0], tree.Assembly)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("int x = ;", "f.c:1:9: syntax error before ';'"),
        ("int f(void) { return y; }", "f.c:1:22: 'y' is not declared"),
        ("int f(void) { goto l; }", "f.c:1:15: there is no label 'l' in f"),
        ("struct s *p; int f(void) { return p->x; }", "f.c:1:35: struct s is incomplete"),
        ("struct s { int x; } s; int f(void) { return s; }", "f.c:1:45: a value of type struct s cannot become int"),
        ("int f(int a) { return f(); }", "f.c:1:23: the function takes 1 argument, but is given 0"),
        ("int f(void) { 1 = 2; }", "f.c:1:15: this is no object that could be assigned to"),
        ("int x; int x(void);", "f.c:1:12: 'x' is declared as something else"),
        ("int f(void) { break; }", "f.c:1:15: break must be in a loop or a switch"),
        ("int f(int x) { switch (x) { case 1: case 1: ; } }", "f.c:1:37: this case is there twice"),
        ("int x\n", "f.c:1:5: unexpected end of the file"),
        ("int f(void) {", "f.c:1:13: this '{' is never closed"),
        ("int a[-1];", "f.c:1:7: the length of an array must not be negative"),
        ("int x = 'a;", "f.c:1:9: missing closing '"),
        ("/* open", "f.c:1:1: this comment has no end"),
        ("int x = 09;", "f.c:1:9: malformed number 09"),
        ("int x = " + "(" * 10_000, "f.c:1:1009: nested too deeply"),
    ],
)
def test_bad_text_is_located(text: str, message: str) -> None:
    with pytest.raises(FrontendError) as caught:
        parse_program(text, "f.c", DataModel.LP64)
    assert str(caught.value) == message
    assert caught.value.exit_code == 3


def test_what_is_not_supported_says_so() -> None:
    with pytest.raises(Unsupported, match=r"f\.c:1:15: vector types"):
        parse_program("typedef int v __attribute__((vector_size(16)));", "f.c", DataModel.LP64)


@pytest.mark.long
@pytest.mark.parametrize(
    "text",
    [
        "int f(int x) { return " + "- " * 10_000 + "x; }",
        "int f(int x) { " + "if (x == 1) x = 2; else " * 3_000 + "; }",
        "int f(int x) { return " + "x + " * 10_000 + "x; }",
        "int " + "*" * 10_000 + "p;",
    ],
)
def test_deep_text_gets_an_answer(text: str) -> None:
    complaint = ""
    try:
        parse_program(text, "f.c", DataModel.LP64)
    except FrontendError as error:
        complaint = error.message
    assert complaint in ("", "nested too deeply")


def test_type_attributes_are_never_passed_over() -> None:
    with pytest.raises(Unsupported, match=r"f\.c:1:15: attribute 'mode' is not supported here"):
        parse_program("typedef int * __attribute__((mode(QI))) t;", "f.c", DataModel.LP64)
