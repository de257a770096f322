"""Verification tasks from requests: task definitions, properties by file and by name, data models."""

from pathlib import Path

import pytest

from core.program.properties import CheckKind, Kinds
from frontend.properties.errors import NoReach, Reach, UnreachCall
from frontend.source import FrontendError, Unsupported
from frontend.typed.ctype import DataModel
from interplay.session.request import Request, read_request
from interplay.session.verification_task import VerificationTask, read_verification_task
from runs.jsondata import Malformed

CALL = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n"
OVERFLOW = "CHECK( init(main()), LTL(G ! overflow) )\n"
FILES = {
    "a.c": "int main(void) { return 0; }\n",
    "call.prp": CALL,
    "other.prp": CALL.replace("reach_error", "blast"),
    "overflow.prp": OVERFLOW,
    "two.prp": CALL + CALL,
    "start.prp": CALL.replace("main", "start"),
    "d/t.yml": """
format_version: '2.0'
input_files: '../a.c'
properties:
  - property_file: ../overflow.prp
  - property_file: ../call.prp
    expected_verdict: true
options:
  language: C
  data_model: LP64
""",
    "plain.yml": "format_version: '2.0'\ninput_files: a.c\n",
    "b.c": "int x;",
    "many.yml": "format_version: '2.0'\ninput_files: [a.c, b.c]\n",
    "end.prp": "CHECK( init(main()), LTL(F end) )\n",
    "memory.prp": "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n",
    "both.prp": CALL + OVERFLOW,
    "end.yml": "format_version: '2.0'\ninput_files: a.c\nproperties: [{property_file: end.prp}]\n",
    "overflow.yml": "format_version: '2.0'\ninput_files: a.c\nproperties: [{property_file: overflow.prp}]\n",
}


def ask(task: str, property: str | None = None, data_model: str | None = None) -> VerificationTask:
    def read(name: str) -> str:
        return FILES[str(Path(name)).replace("d/../", "")]

    return read_verification_task(Request(task, property, data_model=data_model), read)


def test_a_c_file() -> None:
    found = ask("a.c")
    assert (found.inputs[0].file, found.data_model, found.property) == ("a.c", DataModel.ILP32, None)
    assert found.sources == {"a.c": FILES["a.c"]}
    assert ask("a.c", data_model="LP64").data_model == DataModel.LP64


def test_several_files_of_a_task_definition() -> None:
    assert [one.file for one in ask("many.yml").inputs] == ["a.c", "b.c"]


def test_a_task_definition() -> None:
    found = ask("d/t.yml")
    assert found.inputs[0].file == "d/../a.c"
    assert found.data_model == DataModel.LP64
    assert found.property == UnreachCall("reach_error")
    assert set(found.sources) == {"d/t.yml", "d/../a.c", "d/../overflow.prp", "d/../call.prp"}
    assert ask("d/t.yml", data_model="ILP32").data_model == DataModel.ILP32
    assert ask("plain.yml").property is None


def test_properties() -> None:
    assert ask("a.c", "unreach-call").property == UnreachCall()
    assert ask("a.c", "other.prp").property == UnreachCall("blast")
    assert ask("d/t.yml", "other.prp").property == UnreachCall("blast")


@pytest.mark.parametrize(
    ("task", "property"),
    [
        ("a.c", "end.prp"),
        ("a.c", "termination"),
        ("a.c", "no-data-race"),
        ("a.c", "coverage"),
        ("a.c", "valid-memtrack"),
        ("a.c", "two.prp"),
        ("a.c", "start.prp"),
        ("end.yml", None),
    ],
)
def test_what_is_not_decided_is_refused(task: str, property: str | None) -> None:
    with pytest.raises(FrontendError):
        ask(task, property)


def test_a_refusal_says_what_to_ask() -> None:
    with pytest.raises(Unsupported, match="valid-memcleanup asks whether all memory is released"):
        ask("a.c", "valid-memtrack")


def test_a_refusal_names_the_place() -> None:
    with pytest.raises(Unsupported, match=r"^end\.prp:1:1: the property termination is not supported"):
        ask("end.yml")


_DEREF = (CheckKind.BOUNDS, CheckKind.NULL, CheckKind.DANGLING)
_OVERFLOW = dict.fromkeys((CheckKind.OVERFLOW, CheckKind.QUOTIENT), "no-overflow")


@pytest.mark.parametrize(
    ("task", "property", "reach", "kinds"),
    [
        ("a.c", "overflow.prp", NoReach(), _OVERFLOW),
        ("a.c", "no-overflow", NoReach(), _OVERFLOW),
        ("a.c", "both.prp", UnreachCall(), _OVERFLOW),
        ("overflow.yml", None, NoReach(), _OVERFLOW),
        ("a.c", "unreach-call", UnreachCall(), {}),
        ("a.c", "memory.prp", NoReach(), {**dict.fromkeys(_DEREF, "valid-deref"), CheckKind.FREE: "valid-free"}),
    ],
)
def test_undefined_behaviour(task: str, property: str | None, reach: Reach, kinds: Kinds) -> None:
    found = ask(task, property)
    assert (found.property, dict(found.kinds)) == (reach, kinds)


def test_checks_of_the_command_line() -> None:
    request = Request("a.c", "overflow.prp", checks=("bounds", "overflow"))
    found = read_verification_task(request, FILES.__getitem__)
    assert dict(found.kinds) == {CheckKind.BOUNDS: "bounds", **_OVERFLOW}
    assert read_request(request.to_json()) == request
    with pytest.raises(Malformed):
        read_request({**request.to_json(), "checks": ["magic"]})
