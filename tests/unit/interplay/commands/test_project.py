"""Files of a command line: folders, projects and compilation databases stand for C files with their flags."""

import json
from pathlib import Path

import pytest

from core.run.jsondata import Malformed
from core.run.runfile import open_run
from frontend.api import read_source
from frontend.options import Preprocessing, Standard
from frontend.source import ParseError
from interplay.commands.cli import main
from interplay.session.compile_commands import read_compile_commands
from interplay.session.default_services import DefaultServices
from interplay.session.project import WrongProject, read_project, words_of
from interplay.session.request import Request
from interplay.session.verification_task import read_verification_task

EXAMPLE = Path("resources/examples/project").absolute()


def test_a_project_is_a_command_line() -> None:
    project = read_project(EXAMPLE / "interplay.toml")
    assert words_of(project) == [
        *("--check", "bounds,null", "--include-path", f"{EXAMPLE}/include", "--define", "CAPACITY=3"),
        *("--folder", str(EXAMPLE)),
    ]
    assert (project["task"], project["files"]) == (f"{EXAMPLE}/main.c", [f"{EXAMPLE}/ring.c"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("files = 3", "files must be texts"),
        ("speed = 3", "speed is none of files, acsl, arithmetic"),
        ("time-limit = true", "time-limit: "),
        ("engine = 'magic'", "engine must be one of portfolio, transition"),
        ("stop-at-first = 1", "stop-at-first must be true or false"),
        ("check = ['speed']", "check: request: speed is none of"),
        ("files = [", "interplay.toml: "),
        ("files = ['empty']", "there is no C file in this folder"),
    ],
)
def test_what_is_no_project(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "interplay.toml").write_text(text)
    with pytest.raises(WrongProject, match=message):
        read_project(tmp_path / "interplay.toml")


def test_the_command_line_goes_before_the_project(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(EXAMPLE), "--stop-after", "program"]) == 0
    assert "ring.c: lowered, 5 functions" in capsys.readouterr().out
    assert main(["verify", str(EXAMPLE), "--stop-after", "program", "-U", "CAPACITY"]) == 3
    assert "-U:1: error: the macro CAPACITY is both defined and undefined" in capsys.readouterr().err


def test_a_folder_is_its_c_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.c").write_text("int f(void); int main(void) { return f(); }")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "b.c").write_text('#include "../n.h"\nint f(void) { return N; }')
    (tmp_path / "n.h").write_text("#define N 0\n")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "c.c").write_text("?")
    assert main(["verify", str(tmp_path), "--stop-after", "types"]) == 0
    assert "typed, 2 functions" in capsys.readouterr().out
    assert main(["verify", str(tmp_path / "a.c"), str(tmp_path / "sub" / "b.c"), "--stop-after", "types"]) == 3
    assert "n.h is in none of the folders that may be read: add -I" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["verify", "cfa", "lower"])
def test_nothing_to_verify(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as found:
        main([command])
    assert found.value.code == 2


def test_a_compilation_database() -> None:
    entries = [
        {"directory": "/p", "file": "src/a.c", "command": "cc -Iinc -DA -DB='x y' -UC -std=c99 -O2 -c src/a.c -o a.o"},
        {"directory": "/p", "file": "/p/b.c", "arguments": ["cc", "-isystem", "sys", "-include", "f.h", "-DD", "-UD"]},
        {"directory": "/p", "file": "b.c", "arguments": ["cc", "-DSECOND"]},
        {"directory": "/p", "file": "x.cpp", "arguments": ["c++"]},
    ]
    assert read_compile_commands(json.dumps(entries), "build/compile_commands.json") == {
        "/p/src/a.c": Preprocessing(("/p/inc",), (), ("A", "B=x y"), ("C",), (), Standard.C99),
        "/p/b.c": Preprocessing((), ("/p/sys",), (), ("D",), ("/p/f.h",)),
    }


@pytest.mark.parametrize("text", ["", "{}", "[{}]", '[{"directory": "/p", "file": "a.c"}]', "[]"])
def test_what_is_no_compilation_database(text: str) -> None:
    with pytest.raises(ParseError):
        read_compile_commands(text, "compile_commands.json")


def test_files_and_flags_of_a_compilation_database(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("int main(void) { return N; }")
    (tmp_path / "b.c").write_text("int x = N;")
    flags = {"a.c": "-DN=0", "b.c": "-DN=1"}
    entries = [{"directory": str(tmp_path), "file": one, "arguments": ["cc", flag]} for one, flag in flags.items()]
    (tmp_path / "compile_commands.json").write_text(json.dumps(entries))

    def ask(request: Request) -> list[tuple[str, tuple[str, ...]]]:
        task = read_verification_task(request, lambda name: read_source(Path(name)))
        return [(Path(one.file).name, one.preprocessing.define) for one in task.inputs]

    assert ask(Request("", compile_commands=str(tmp_path))) == [("a.c", ("N=0",)), ("b.c", ("N=1",))]
    asked = Request(str(tmp_path / "b.c"), compile_commands=str(tmp_path), define=("M", "N=7"))
    assert ask(asked) == [("b.c", ("M", "N=7"))]


def test_what_was_read_is_kept() -> None:
    request = Request(
        f"{EXAMPLE}/main.c",
        files=(f"{EXAMPLE}/ring.c",),
        include_path=(f"{EXAMPLE}/include",),
        define=("CAPACITY=2",),
    )
    first = DefaultServices().load(request, lambda name: read_source(Path(name)), lambda _: None)
    assert [Path(name).name for name in first.sources] == ["main.c", "ring.c", "ring.h"]

    def stored(name: str) -> str:
        if name not in first.sources:
            raise Malformed(name)
        return first.sources[name]

    assert DefaultServices().load(request, stored, lambda _: None).sources == first.sources


@pytest.mark.long
def test_a_violation_in_two_files_is_replayed_and_stored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.c").write_text(
        '#include <assert.h>\n#include "h.h"\n'
        "int main(void) { int x = __VERIFIER_nondet_int(); assert(f(x)); return 0; }"
    )
    (tmp_path / "b.c").write_text(
        '#include "h.h"\nstatic int g(int x) { return x != 77; }\nint f(int x) { return g(x); }'
    )
    (tmp_path / "h.h").write_text("extern int __VERIFIER_nondet_int(void);\nint f(int);\n")
    run = tmp_path / "r.interplay"
    words = [str(tmp_path / "a.c"), str(tmp_path / "b.c"), "--engine", "bmc", "--output", str(run)]
    assert main(["verify", *words, "--witness", str(tmp_path / "w.yml")]) == 10
    found = capsys.readouterr().out
    assert f"{tmp_path}/a.c:3: __VERIFIER_nondet_int (nondet) = 77" in found
    assert "Confirmed by: " in found
    (tmp_path / "h.h").unlink()
    assert [Path(name).name for name in open_run(run).sources()] == ["a.c", "b.c", "h.h"]
    assert main(["check", str(run)]) == 10
    assert main(["export", str(run), "--sarif", str(tmp_path / "s.json")]) == 0
    assert main(["witness", "check", str(tmp_path / "w.yml"), *words[:2]]) != 0  # the header is gone


@pytest.mark.long
def test_a_fuzz_target(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.c").write_text(
        "#include <assert.h>\n#include <stdint.h>\n#include <stddef.h>\n"
        "int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {\n"
        "  if (size == 2 && data[0] == 'o') assert(data[1] != 'k');\n  return 0; }\n"
    )
    assert main(["verify", str(tmp_path / "a.c"), "--buffer", "2", "--engine", "bmc"]) == 10
    found = capsys.readouterr().out
    assert "a.c:5: assert(*(data + 1) != 107)" in found
    assert "the input of LLVMFuzzerTestOneInput has at most 2 bytes" in found
