"""Task definitions and property files."""

from pathlib import Path

import pytest

from core.program.properties import PropertyKind
from frontend.properties.task import parse_properties, parse_task, read_task
from frontend.source import FrontendError
from frontend.typed.ctype import DataModel

TASK = """format_version: '2.0'
input_files: 'a.c'
properties:
  - property_file: ../properties/unreach-call.prp
    expected_verdict: false
  - property_file: ../properties/valid-memsafety.prp
    expected_verdict: false
    subproperty: valid-deref
options:
  language: C
  data_model: LP64
"""


def test_task_definition() -> None:
    task = parse_task(TASK, Path("set/a.yml"))
    assert task.inputs == (Path("set/a.c"),)
    assert task.data_model == DataModel.LP64
    assert [(str(one.file), one.expected, one.subproperty) for one in task.properties] == [
        ("set/../properties/unreach-call.prp", False, ""),
        ("set/../properties/valid-memsafety.prp", False, "valid-deref"),
    ]


def test_old_and_unquoted_formats() -> None:
    task = parse_task("format_version: 1.0\ninput_files: [a.c, b.c]\nproperties: [p.prp]\n", Path("a.yml"))
    assert len(task.inputs) == 2
    assert task.properties[0].expected is None
    assert task.data_model is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "t.yml:1:1: a task definition must be a mapping"),
        ("a: [", "t.yml:1:5: expected the node content"),
        ("format_version: '9'", "t.yml:1:1: format version '9'"),
        ("format_version: 2.0\n", "t.yml:1:1: a task definition needs input_files"),
        ("format_version: 2.0\ninput_files: 3", "t.yml:2:1: input_files must name a file"),
        (TASK.replace("LP64", "LP128"), "t.yml:11:3: data model 'LP128'"),
        (TASK.replace("language: C", "language: Java"), "t.yml:10:3: language Java is not supported"),
        (TASK.replace(": false", ": maybe"), "t.yml:5:5: expected_verdict must be"),
        ("[" * 600 + "]" * 600, "t.yml:1:1: nested too deeply"),
        ("!!python/object/apply:os.abort []", "could not determine a constructor"),
    ],
)
def test_bad_task_definitions_are_located(text: str, message: str) -> None:
    with pytest.raises(FrontendError) as caught:
        parse_task(text, Path("t.yml"))
    assert message in str(caught.value)


def test_missing_task_definition(tmp_path: Path) -> None:
    with pytest.raises(FrontendError, match="there is no such file"):
        read_task(tmp_path / "none.yml")


@pytest.mark.parametrize(
    ("formula", "kind", "argument"),
    [
        ("G ! call(reach_error())", PropertyKind.UNREACH_CALL, "reach_error"),
        ("G ! call(__VERIFIER_error())", PropertyKind.UNREACH_CALL, "__VERIFIER_error"),
        ("G ! label(ERROR)", PropertyKind.LABEL, "ERROR"),
        ("G ! overflow", PropertyKind.NO_OVERFLOW, ""),
        ("G valid-free", PropertyKind.VALID_FREE, ""),
        ("G valid-deref", PropertyKind.VALID_DEREF, ""),
        ("G valid-memtrack", PropertyKind.VALID_MEMTRACK, ""),
        ("G valid-memcleanup", PropertyKind.VALID_MEMCLEANUP, ""),
        ("F end", PropertyKind.TERMINATION, ""),
        ("G ! data-race", PropertyKind.NO_DATA_RACE, ""),
        ("G def-behavior", PropertyKind.DEF_BEHAVIOR, ""),
    ],
)
def test_property_files(formula: str, kind: PropertyKind, argument: str) -> None:
    (found,) = parse_properties(f"\nCHECK( init(main()), LTL({formula}) )\n", "p.prp")
    assert (found.kind, found.argument, found.entry, found.span.line) == (kind, argument, "main", 2)


def test_coverage_and_several_lines() -> None:
    (cover,) = parse_properties("COVER( init(main()), FQL(COVER EDGES(@CALL(reach_error))) )", "p.prp")
    assert (cover.kind, cover.argument) == (PropertyKind.COVERAGE, "@CALL(reach_error)")
    safety = "\n\n".join(f"CHECK( init(main()), LTL(G valid-{part}) )" for part in ("free", "deref", "memtrack"))
    assert len(parse_properties(safety, "p.prp")) == 3


@pytest.mark.parametrize(
    ("text", "place"),
    [("", "p.prp:1:1"), ("nonsense", "p.prp:1:1"), ("\nCHECK( init(main()), LTL(G x) )", "p.prp:2:1")],
)
def test_bad_properties_are_located(text: str, place: str) -> None:
    with pytest.raises(FrontendError) as caught:
        parse_properties(text, "p.prp")
    assert str(caught.value).startswith(f"{place}: ")
