"""The table of library functions: its rows are well-formed, bodies and rows belong together, and nobody else has names.

What the lowering, the interpreter and the replay do with a row is tested with them.
"""

import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import frontend
from frontend.elaboration.builtins import builtin_type
from frontend.interpreter.library import interpreted
from frontend.libc.names import is_library_function
from frontend.libc.texts import text_of
from frontend.properties.errors import Effect
from frontend.typed.ctype import DataModel
from frontend.typed.library_table import (
    BUILTIN,
    FLOAT_FORMATS,
    Body,
    Form,
    LibraryFunction,
    library_function,
    library_functions,
)

ROWS = library_functions()
FOREIGN = ("__VERIFIER_", "klee_", "assume_abort_if_not", "__isoc99_", "__assert")
"""How the names of functions begin that are of no C library, or of one of its versions."""
DEFINED = re.compile(r"^(?!static|typedef)\w[\w *]*?(\w+)\([^;{}]*\)\n\{", re.MULTILINE)
REPLAYED = re.compile(r"^WEAK [\w *]*?\b(\w+)\(", re.MULTILINE)
OF_COMPILERS = re.compile(r"__\w+i[34]")
SIZE = re.compile(r"(#[0-9]|[0-9]+|any|\*|product\(|length\(|wide_length\(|wide_most\(|[-+*?:=><(),])*")

ALLOWED = {
    # A word of another language, of a command line or of the front end itself that is no function.
    "acsl/syntax.py": "assert",
    "interpreter/partial_operations.py": "div",
    "typed/library_table.py": "assert read",
    "lowering/checks/edges.py": "read write",
    "options.py": "read __interplay_malloc",  # …, and a function of our own
    "preprocessing/compiler_flags.py": "system",
    "preprocessing/preprocess.py": "error",
    "replay/native.py": "error",
    "properties/errors.py": "assert __VERIFIER_error",  # …, and the error function of a specification
    # Functions of conditions, which are formulas.
    "acsl/parser.py": "assert ceil fma floor isinf isnan remainder rint round sqrt trunc",  # …, and a word of ACSL
    "acsl/float_conditions.py": "isinf isnan",
    # Part of a name: every `…assert…` leaves errno as it is.
    "libc/expansion.py": "assert",
    # Functions that the front end calls itself.
    "elaboration/harness.py": "__CPROVER_assume",
    "libc/texts.py": "__interplay_aligned",
    "witness/waypoints.py": "__builtin_abort",
}
"""Where a literal may be a name of the table."""


def test_rows_are_well_formed() -> None:
    for row in ROWS:
        assert row == library_function(row.name)
        assert is_library_function(row.name) or row.name.startswith(FOREIGN), row.name
        assert row.effect in ("", *(one.value for one in Effect)), row.name
        assert not row.type or builtin_type(row.name, DataModel.LP64) is not None, row.name
        assert row.atomic is None or re.fullmatch("[vebp][pei]*", row.atomic.letters), row.name
        assert not row.run or interpreted(row.name) is not None, row.name
        assert not (row.exits or row.never) or Effect(row.effect) is Effect.END, row.name
        if row.accesses is not None:
            assert row.accesses.has_result or row.accesses.result in ("", "any", "any?1"), row.name
            assert all(SIZE.fullmatch(one.size) for one in row.accesses.arguments), row.name


def test_a_row_with_a_body_has_it_in_its_text() -> None:
    for row in ROWS:
        if row.body is not None:
            assert bodies_of(row, row.body) <= {*DEFINED.findall(text_of(row.body.file))}, row.name


def bodies_of(row: LibraryFunction, body: Body) -> set[str]:
    """The functions of the text that calls become calls of."""
    match body.form:
        case Form.ENVIRONMENT | Form.HANDLED:
            return set()  # calls have a text of their own
        case Form.ONE_OF | Form.ITSELF:
            return {*body.words}
        case Form.COPY | Form.MOVE | Form.FILL | Form.BYTES | Form.SCALARS | Form.BLOCKS:
            assert 0 < body.position < body.arguments, row.name
            return {row.name, row.wide or row.name}
        case _:
            return {row.name}


def test_a_body_has_a_row() -> None:
    rows = {(name, one.body.file) for one in ROWS if one.body is not None for name in (one.name, one.wide)}
    found = (one.name for one in files("resources").joinpath("libc").iterdir() if one.name.endswith(".c"))
    texts = [one.replace("_N.", f"_{name}.") for one in found for name in (FLOAT_FORMATS if "_N." in one else ("",))]
    assert {(name, file) for file in texts for name in DEFINED.findall(text_of(file))} <= rows


def test_the_harness_of_a_replay_defines_what_the_table_says() -> None:
    parts = (one for one in files("resources").joinpath("replay").iterdir() if one.name.endswith(".c"))
    text = "".join(one.read_text(encoding="utf-8") for one in parts)
    defined = {name for name in REPLAYED.findall(text) if not OF_COMPILERS.fullmatch(name)}
    assert defined | {"__interplay_malloc"} == {one.name for one in ROWS if one.replay}


def test_the_table_names_what_the_interpreter_has() -> None:
    from frontend.interpreter import library

    own = {name.removeprefix("_") for name, one in vars(library).items() if callable(one) and name.startswith("_")}
    assert {one.name for one in ROWS if one.name in own} == {one.name for one in ROWS if one.run == one.name}


def test_a_builtin_is_the_function_of_the_library() -> None:
    assert library_function(f"{BUILTIN}memcpy") is library_function("memcpy")
    assert library_function("clz") == LibraryFunction("clz")
    assert library_function(None) == LibraryFunction("")


def test_nothing_else_knows_a_function_by_its_name() -> None:
    names = {name for one in ROWS for name in (one.name, f"{BUILTIN}{one.name}")}
    folder = Path(frontend.__file__).parent
    found: dict[str, set[str]] = {}
    for file in sorted(folder.rglob("*.py")):
        words = {word for text in literals(file) if {*text.split()} <= names for word in text.split()}
        if words:
            found[str(file.relative_to(folder))] = words
    assert found == {file: {*words.split()} for file, words in ALLOWED.items()}


def literals(file: Path) -> Iterator[str]:
    """The string literals of a file but for its documentation."""
    text = re.sub(r'"""(?:.|\n)*?"""', "", file.read_text(encoding="utf-8"))
    return (one[1:-1] for one in re.findall(r'"(?:[^"\\\n]|\\.)*"', text))
