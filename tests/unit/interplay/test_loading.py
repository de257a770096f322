"""What a request asks for: task definitions, properties by file and by name, data models."""

from pathlib import Path

import pytest

from frontend.ctype import DataModel
from frontend.lowering.errors import UnreachCall
from frontend.source import FrontendError, Unsupported
from interplay.loading import Question, read_question
from interplay.request import Request

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
    "many.yml": "format_version: '2.0'\ninput_files: [a.c, b.c]\n",
    "overflow.yml": "format_version: '2.0'\ninput_files: a.c\nproperties: [{property_file: overflow.prp}]\n",
}


def ask(task: str, property: str | None = None, data_model: str | None = None) -> Question:
    def read(name: str) -> str:
        return FILES[str(Path(name)).replace("d/../", "")]

    return read_question(Request(task, property, data_model=data_model), read)


def test_a_c_file() -> None:
    question = ask("a.c")
    assert (question.file, question.data_model, question.property) == ("a.c", DataModel.ILP32, None)
    assert question.sources == {"a.c": FILES["a.c"]}
    assert ask("a.c", data_model="LP64").data_model is DataModel.LP64


def test_a_task_definition() -> None:
    question = ask("d/t.yml")
    assert question.file == "d/../a.c"
    assert question.data_model is DataModel.LP64
    assert question.property == UnreachCall("reach_error")
    assert set(question.sources) == {"d/t.yml", "d/../a.c", "d/../overflow.prp", "d/../call.prp"}
    assert ask("d/t.yml", data_model="ILP32").data_model is DataModel.ILP32
    assert ask("plain.yml").property is None


def test_properties() -> None:
    assert ask("a.c", "unreach-call").property == UnreachCall()
    assert ask("a.c", "other.prp").property == UnreachCall("blast")
    assert ask("d/t.yml", "other.prp").property == UnreachCall("blast")


@pytest.mark.parametrize(
    ("task", "property"),
    [
        ("a.c", "overflow.prp"),
        ("a.c", "no-overflow"),
        ("a.c", "two.prp"),
        ("a.c", "start.prp"),
        ("many.yml", None),
        ("overflow.yml", None),
    ],
)
def test_what_is_not_decided_is_refused(task: str, property: str | None) -> None:
    with pytest.raises(FrontendError):
        ask(task, property)


def test_a_refusal_names_the_place() -> None:
    with pytest.raises(Unsupported, match=r"^overflow\.prp:1:1: the property no-overflow is not supported"):
        ask("overflow.yml")
