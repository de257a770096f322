"""The tasks that the inputs of a batch stand for."""

from pathlib import Path

import pytest

from frontend.source import FrontendError
from interplay.batch.batch_plan import BatchConfiguration, BatchSettings, planned
from interplay.batch.tasks import BadInput, BatchTask, find_tasks
from interplay.session.request import ReplayMode

DEFINITION = """format_version: '2.0'
input_files: '{name}.c'
properties:
  - property_file: ../properties/termination.prp
    expected_verdict: true
  - property_file: ../properties/{property}.prp
    expected_verdict: {expected}
options: {{language: C, data_model: ILP32}}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two sets, `loops` and `locks`, of tasks `a.yml` and `b.yml`."""
    monkeypatch.chdir(tmp_path)
    properties = tmp_path / "properties"
    properties.mkdir()
    (properties / "unreach-call.prp").write_text("CHECK( init(main()), LTL(G ! call(reach_error())) )\n")
    (properties / "no-overflow.prp").write_text("CHECK( init(main()), LTL(G ! overflow) )\n")
    (properties / "termination.prp").write_text("CHECK( init(main()), LTL(F end) )\n")
    for name in ("loops", "locks"):
        (tmp_path / name).mkdir()
        for task in ("a", "b"):
            (tmp_path / name / f"{task}.c").write_text(f"int {task};")
            expected, asked = ("true", "unreach-call") if task == "a" else ("false", "no-overflow")
            text = DEFINITION.format(name=task, expected=expected, property=asked)
            (tmp_path / name / f"{task}.yml").write_text(text)
    return tmp_path


def names(tasks: list[BatchTask]) -> list[str]:
    return [task.name for task in tasks]


@pytest.mark.usefixtures("folder")
def test_a_folder_stands_for_its_definitions() -> None:
    tasks = find_tasks(["."], None)
    assert names(tasks) == ["locks/a.yml", "locks/b.yml", "loops/a.yml", "loops/b.yml"]
    assert [(task.set, task.asked, task.expected) for task in tasks[:2]] == [
        ("locks", "unreach-call", "true"),
        ("locks", "no-overflow", "false"),
    ]
    assert tasks[0].property == "locks/../properties/unreach-call.prp"
    assert len({task.digest for task in tasks}) == 2  # the two sets hold the same texts


def test_a_folder_without_definitions_stands_for_its_programs(folder: Path) -> None:
    (folder / "plain").mkdir()
    (folder / "plain" / "x.c").write_text("int x;")
    (folder / "plain" / "notes.txt").write_text("")
    (task,) = find_tasks(["plain"], None)
    assert (task.name, task.property, task.expected) == ("plain/x.c", None, "")


def test_a_set_has_globs_and_gives_its_name(folder: Path) -> None:
    (folder / "Control.set").write_text("# control flow\n\nloops/*.yml\n  locks/a.yml\n")
    tasks = find_tasks(["Control.set", "locks/b.yml", "locks/a.yml"], None)
    assert names(tasks) == ["loops/a.yml", "loops/b.yml", "locks/a.yml", "locks/b.yml"]
    assert [task.set for task in tasks] == ["Control", "Control", "Control", "locks"]


@pytest.mark.usefixtures("folder")
def test_a_program_is_left_out_where_its_definition_is_there() -> None:
    assert names(find_tasks(["l*/*"], None)) == ["locks/a.yml", "locks/b.yml", "loops/a.yml", "loops/b.yml"]
    assert names(find_tasks(["locks/a.c"], None)) == ["locks/a.c"]


def test_names_are_as_long_as_they_must_be(folder: Path) -> None:
    (folder / "old" / "locks").mkdir(parents=True)
    (folder / "old" / "locks" / "a.yml").write_text((folder / "locks" / "a.yml").read_text())
    found = names(find_tasks(["old/locks/a.yml", "locks"], None))
    assert found == ["old/locks/a.yml", f"{folder.name}/locks/a.yml", "locks/b.yml"]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("asked", ["no-overflow", "properties/no-overflow.prp"])
def test_only_tasks_with_the_property(asked: str) -> None:
    tasks = find_tasks(["locks", "loops"], asked)
    assert names(tasks) == ["locks/b.yml", "loops/b.yml"]
    assert {(task.asked, task.expected) for task in tasks} == {("no-overflow", "false")}


@pytest.mark.usefixtures("folder")
def test_a_program_with_another_property_is_another_question() -> None:
    asked = (None, "no-overflow", "unreach-call", "properties/no-overflow.prp")
    found = [find_tasks(["locks/a.c"], one)[0] for one in asked]
    assert [task.asked for task in found] == ["", "no-overflow", "unreach-call", "no-overflow"]
    assert len({task.digest for task in found}) == 3


def test_subproperties_are_expected_too(folder: Path) -> None:
    text = (folder / "locks" / "b.yml").read_text()
    (folder / "locks" / "b.yml").write_text(
        text.replace("expected_verdict: false", "expected_verdict: false\n    subproperty: valid-free")
    )
    assert [task.expected for task in find_tasks(["locks/b.yml"], None)] == ["false(valid-free)"]


def test_a_broken_definition_is_a_task(folder: Path) -> None:
    (folder / "locks" / "b.yml").write_text("input_files: [")
    tasks = find_tasks(["locks"], None)
    assert names(tasks) == ["locks/a.yml", "locks/b.yml"]
    assert (tasks[1].property, tasks[1].expected) == (None, "")


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        (["absent.yml"], "absent.yml: no such file"),
        (["locks/*.set"], "locks/*.set: no file matches"),
        (["properties"], "properties: there is no task definition and no C file in this folder"),
        (["properties/termination.prp"], "properties/termination.prp: neither a task definition"),
        (["bad.set"], "bad.set:2:3: no task matches nowhere/*.yml"),
    ],
)
def test_inputs_that_stand_for_nothing(folder: Path, inputs: list[str], message: str) -> None:
    (folder / "bad.set").write_text("locks/*.yml\n  nowhere/*.yml\n")
    with pytest.raises(BadInput) as raised:
        find_tasks(inputs, None)
    assert str(raised.value).startswith(message)


@pytest.mark.usefixtures("folder")
def test_a_property_file_that_is_none() -> None:
    with pytest.raises(FrontendError):
        find_tasks(["locks"], "locks/a.c")


def test_a_folder_with_a_project_is_one_task_with_its_options(folder: Path) -> None:
    place = folder / "firmware"
    place.mkdir()
    for name in ("main", "half"):
        (place / f"{name}.c").write_text(f"int {name};")
    (place / "interplay.toml").write_text('files = ["main.c", "half.c"]\ncheck-ub = true\ntime-limit = 5\n')
    (task,) = find_tasks(["firmware"], None)
    assert task.name == "firmware/interplay.toml"
    settings = BatchSettings(30.0, 900, ReplayMode.NATIVE, (BatchConfiguration("bmc", "bmc"),), (), ())
    (job,) = planned([task], settings)
    assert (job.request.task, job.request.files) == ("firmware/main.c", ("firmware/half.c",))
    assert "overflow" in job.request.checks
    assert job.request.time_limit == 30.0
    (place / "half.c").write_text("int other;")
    assert find_tasks(["firmware"], None)[0].digest != task.digest
