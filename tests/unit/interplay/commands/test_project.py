"""Files of a command line: folders, projects and compilation databases stand for C files with their flags."""

import json
from argparse import Namespace
from pathlib import Path

import pytest

from frontend.api import read_source
from frontend.options import Preprocessing, Standard
from frontend.source import ParseError
from interplay.commands.command_files import resolved
from interplay.session.compile_commands import read_compile_commands
from interplay.session.default_services import DefaultServices
from interplay.session.project_file import WrongProject, read_project, words_of
from interplay.session.request import Request
from interplay.session.verification_task import read_verification_task
from runs.jsondata import Malformed
from runs.runfile import open_run
from tests.support.prepared import command as main

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
        ("speed = 3", "speed is none of files, acsl, aliasing, argc, arithmetic"),
        ("time-limit = true", "time-limit: "),
        ("engine = 'magic'", "engine must be one of portfolio, transition"),
        ("stop-at-first = 1", "stop-at-first must be true or false"),
        ("check = ['speed']", "check: speed is none of"),
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
    assert main([command]) == 2


def test_a_compilation_database() -> None:
    entries = [
        {"directory": "/p", "file": "src/a.c", "command": "cc -Iinc -DA -DB='x y' -UC -std=c99 -O2 -c src/a.c -o a.o"},
        {"directory": "/p", "file": "/p/b.c", "arguments": ["cc", "-isystem", "sys", "-include", "f.h", "-DD", "-UD"]},
        {"directory": "/p", "file": "b.c", "arguments": ["cc", "-DSECOND"]},
        {"directory": "/p", "file": "x.cpp", "arguments": ["c++"]},
    ]
    found = read_compile_commands(json.dumps(entries), "build/compile_commands.json")
    assert {file: one.flags().preprocessing for file, one in found.items()} == {
        "/p/src/a.c": Preprocessing(
            ("/p/inc",),
            define=("A", "B=x y", "__OPTIMIZE__=1"),
            undefine=("C", "__OPTIMIZE_SIZE__", "__NO_INLINE__"),
            standard=Standard.C99,
        ),
        "/p/b.c": Preprocessing((), ("/p/sys",), undefine=("D",), forced=("/p/f.h",)),
    }


def ask_with(folder: Path, commands: dict[str, str], *words: str) -> int:
    """The exit code for C files that each say `f`, with these commands in a database."""
    entries = [{"directory": str(folder), "file": one, "command": command} for one, command in commands.items()]
    (folder / "compile_commands.json").write_text(json.dumps(entries, indent=0))
    return main(["verify", "-p", str(folder), "--engine", "concrete", *words])


@pytest.mark.long
@pytest.mark.parametrize(
    ("claim", "command"),
    [
        ("sizeof(long) == 8", "gcc -m64"),
        ("(char)200 > 0 && CHAR_MIN == 0 && CHAR_MAX == 255 && '\\377' == 255", "gcc -funsigned-char"),
        ("(char)200 < 0 && CHAR_MIN == -128", "gcc -funsigned-char -fsigned-char"),
        ("sizeof(enum e) == 1", "gcc -fshort-enums"),
        ("sizeof(struct s) == 5", "gcc -fpack-struct"),
        ("sizeof(struct s) == 6", "gcc -fpack-struct=2 -m64"),
        ("sizeof(L' ') == 2 && sizeof(wchar_t) == 2 && WCHAR_MAX == 65535", "clang -fshort-wchar"),
        ("sizeof(struct d) == 16 && (char)-1 > 0 && sizeof(enum e) == 4", "arm-linux-gnueabihf-gcc-12"),
        ("sizeof(struct d) == 12 && sizeof(enum e) == 4", "i686-linux-gnu-gcc"),
        ("sizeof(enum e) == 1 && L == 0", "/opt/bin/arm-none-eabi-gcc"),
        ("sizeof(enum e) == 4 && L == 0", "arm-none-eabi-gcc -fno-short-enums"),
        ("sizeof(struct d) == 16 && (char)-1 < 0", "ccache x86_64-linux-gnu-gcc -Wall -MMD -MF x -g3 -fPIC -o x.o"),
        ("O == 1 && __STDC_HOSTED__ == 0", "cc -O0 -Os -ffreestanding"),
    ],
)
def test_flags_that_change_the_meaning(
    claim: str, command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.c").write_text(
        "#include <assert.h>\n#include <limits.h>\n#include <wchar.h>\n"
        "enum e { A, B };\nstruct s { char c; int i; };\nstruct d { int i; double d; };\n"
        "#ifdef __linux__\n#define L 1\n#else\n#define L 0\n#endif\n"
        "#if defined(__OPTIMIZE__) && defined(__OPTIMIZE_SIZE__)\n#define O 1\n#else\n#define O 0\n#endif\n"
        f"int main(void) {{ assert({claim}); return 0; }}\n"
    )
    assert ask_with(tmp_path, {"a.c": f"{command} -c a.c"}) == 0, capsys.readouterr().out


@pytest.mark.long
@pytest.mark.parametrize(
    ("commands", "words", "code", "message"),
    [
        ({"a.c": "gcc -mx32"}, [], 4, "a.c: -mx32 changes what the text means"),
        ({"a.c": "gcc", "b.c": "avr-gcc"}, [], 4, "b.c: the data model of avr-gcc is not known"),
        ({"a.c": "gcc -m32", "b.c": "gcc -m64"}, [], 3, "a program has one"),
        ({"a.c": "gcc", "b.c": "gcc -funsigned-char"}, [], 3, "a.c is compiled for ILP32, this file for ILP32 -funs"),
        ({"a.c": "gcc -m64"}, ["--data-model", "ILP32"], 3, "a.c: error: its flags choose LP64"),
        ({"a.c": "gcc"}, ["--data-model", "LP64", "-m32"], 3, "its flags choose ILP32"),
        ({"a.c": "gcc"}, ["-mx32"], 4, "command line: error: -mx32"),
        ({"a.c": "gcc -ffast-math"}, [], 4, "a.c:2:27: error: floating-point arithmetic under -ffast-math"),
        ({"a.c": "gcc -mno-sse2"}, [], 4, "a.c:2:27: error: floating-point arithmetic under -mno-sse2"),
        ({"a.c": "gcc -ftrapv"}, [], 4, "an overflow aborts under -ftrapv"),
        ({"a.c": "g++"}, [], 4, "g++ reads C++"),
        ({"a.c": "gcc @flags"}, [], 4, "a.c: @flags changes what the text means"),
    ],
)
def test_flags_that_are_refused(
    commands: dict[str, str],
    words: list[str],
    code: int,
    message: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "a.c").write_text(
        "#include <assert.h>\nfloat f(float x) { return x + x; }\nint main(void) { assert(f(0) > 0); return 0; }\n"
    )
    (tmp_path / "b.c").write_text("int b;\n")
    assert ask_with(tmp_path, commands, *words) == code
    assert message in "".join(capsys.readouterr())


def test_an_unknown_flag_is_named_and_a_harmless_one_is_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.c").write_text("#include <assert.h>\nint main(void) { assert(1 + 1 == 2); return 0; }\n")
    assert ask_with(tmp_path, {"a.c": "gcc -mcpu=any -Wall -O2 -fno-builtin-f -g"}) == 0
    found = "".join(capsys.readouterr())
    assert "the flag -mcpu=any changes nothing that the program means" in found
    assert "-Wall" not in found


def test_an_overflow_that_a_flag_defines_is_no_assumption(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.c").write_text(
        "#include <assert.h>\nextern int any(void);\n"
        "int main(void) { int x = any(); assert(x + 1 - 1 == x); return 0; }"
    )
    assert main(["verify", str(tmp_path / "a.c"), "--engine", "bmc"]) == 0
    assert "as with -fwrapv" in capsys.readouterr().out
    assert main(["verify", str(tmp_path / "a.c"), "-fwrapv", "--engine", "bmc"]) == 0
    assert "as with -fwrapv" not in capsys.readouterr().out


def test_what_a_text_is_read_with_is_read_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.c").write_text(
        "#include <assert.h>\nint main(void) { char c = (char)200; assert(c < 0); return 0; }"
    )
    run = str(tmp_path / "r.interplay")
    assert main(["verify", str(tmp_path / "a.c"), "-funsigned-char", "-m64", "--output", run]) == 10
    assert "native replay (gcc -m64 -funsigned-char)" in capsys.readouterr().out
    assert main(["check", run]) == 10
    assert "--flag=-funsigned-char" in capsys.readouterr().out
    assert main(["verify", str(tmp_path / "a.c"), "--data-model", "ARM"]) == 10
    assert "interpreter of typed C; no native replay: no compiler for ARM is used" in capsys.readouterr().out


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
    assert "a.c:5: assert(data[1] != 'k')" in found
    assert "the input of LLVMFuzzerTestOneInput has at most 2 bytes" in found


def test_all_undefined_behaviour_has_a_flag_in_projects(tmp_path: Path) -> None:
    file = tmp_path / "interplay.toml"
    file.write_text("check-ub = true\ncheck = ['bounds', 'float-conversion']\nfiles = ['a.c']\n")
    checks = read_project(file)["checks"]
    assert isinstance(checks, list)
    assert {"bounds", "null", "overflow", "float-conversion"} <= set(checks)
    file.write_text("check-ub = 3\n")
    with pytest.raises(WrongProject, match="check-ub must be true or false"):
        read_project(file)


def test_a_project_is_named_by_its_folder_or_its_file(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("int main(void) { return 0; }")
    (tmp_path / "interplay.toml").write_text("files = ['a.c']\ntime-limit = 5\n")
    by_file, by_folder = (
        resolved(Namespace(files=[str(one)], compile_commands=None)) for one in (tmp_path / "interplay.toml", tmp_path)
    )
    assert by_file == by_folder is not None
    assert resolved(Namespace(files=[str(tmp_path / "no" / "interplay.toml")], compile_commands=None)) is None
