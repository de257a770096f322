"""Flags of gcc: those that change the meaning are taken or refused, those that cannot are passed over."""

import pytest

from frontend.api import parse_program, parse_sources
from frontend.elaboration.constants import fold
from frontend.options import Preprocessing, SourceFile, Standard
from frontend.preprocessing.compiler_flags import CompilerFlags, WrongFlag, first_flag, read_compiler, read_flags
from frontend.source import Unsupported
from frontend.typed.ctype import DATA_MODELS, DataModel, Target


def read(text: str) -> CompilerFlags:
    return read_flags(text.split(), "/p")


@pytest.mark.parametrize(
    "text",
    [
        "-Wall -Werror=format -g3 -O0 -pipe -c a.c -o a.o -MMD -MP -MF deps/a.d -MT a.o",
        "-fno-strict-aliasing -fdata-sections -ffunction-sections -fstack-protector-strong -fvisibility=hidden",
        "-fdiagnostics-color=always -fno-builtin -fno-builtin-malloc -flto -fno-omit-frame-pointer -fcommon",
        "-fexec-charset=UTF-8 -mtune=generic -mno-red-zone --param max-inline-insns=3 -L/x -lm -Wl,-z,now -Wp,-MD,a.d",
        "-fsanitize=undefined,address --sysroot=/x -isysroot /y -x c -S -v -w -pg -pedantic-errors -ffp-contract=off",
    ],
)
def test_what_cannot_change_the_meaning(text: str) -> None:
    flags = read(text)
    assert (flags.target, flags.unknown, flags.floats) == (None, (), ())
    assert flags.model(Target.LP64) == DataModel.LP64


@pytest.mark.parametrize(
    "text",
    [
        *(
            "-mx32",
            "-m16",
            "-malign-double",
            "-funsigned-bitfields",
            "-fms-extensions",
            "-fexec-charset=IBM1047",
            "-x c++",
        ),
        *(
            "-std=c++17",
            "-std=c2x",
            "-fopenmp",
            "@file",
            "-imacros a.h",
            "-undef",
            "-target avr",
            "--target=riscv32-elf",
        ),
        *("-fpack-struct=3", "-target x86_64-w64-mingw32", "-target x86_64-linux-gnux32", "-target armeb-none-eabi"),
    ],
)
def test_what_is_refused(text: str) -> None:
    with pytest.raises(WrongFlag):
        read(text)


def test_the_last_flag_counts() -> None:
    assert read("-m32 -m64").target is Target.LP64
    assert not read("-ftrapv -fwrapv").traps
    assert read("-funsigned-char -fno-unsigned-char").unsigned_char is False
    assert read("-O2 -DX=1 -O0 -UX").preprocessing.define == ("__NO_INLINE__=1",)


def test_unknown_flags_are_kept() -> None:
    assert read("-march=native -fmagic -Xclang -load -mavx2").unknown == ("-march=native", "-fmagic", "-load", "-mavx2")
    assert read_compiler("/opt/bin/strange").unknown == ("strange",)


def test_folders_are_searched_as_gcc_does() -> None:
    assert read("-iquote q -I i -isystem s -idirafter /a -nostdinc").preprocessing == Preprocessing(
        ("/p/i",), ("/p/s",), quoted=("/p/q",), after=("/a",), library=False
    )


def test_a_quoted_folder_is_for_quotes_alone() -> None:
    texts = {"q/limits.h": "int quoted;", "a/stdio.h": "int after;", "a/own.h": "int own;"}
    told = Preprocessing(quoted=("q",), after=("a",))
    text = "#include <limits.h>\n#include <stdio.h>\n#include <own.h>\nint m = INT_MAX;\n"
    unit = parse_sources([SourceFile("m.c", text, told)], DataModel.ILP32, read=texts.get)
    assert {"own", "m"} <= {one.object.name for one in unit.globals}
    unit = parse_sources([SourceFile("m.c", '#include "limits.h"\n', told)], DataModel.ILP32, read=texts.get)
    assert [one.object.name for one in unit.globals] == ["quoted"]


@pytest.mark.parametrize("name", ["g++", "aarch64-linux-gnu-gcc", "avr-gcc", "x86_64-w64-mingw32-gcc", "cl.exe"])
def test_compilers_that_are_refused(name: str) -> None:
    with pytest.raises(WrongFlag, match=name):
        read_compiler(name)


def test_a_launcher_is_no_compiler() -> None:
    assert first_flag(["ccache", "/usr/bin/gcc", "-c"]) == 1
    assert read_compiler("musl-gcc") == read_compiler("gcc-12") == CompilerFlags()


@pytest.mark.parametrize("text", ["int x = 8 //**/ 2\n;", "int x[] = {1??>;"])
def test_strict_standards_have_another_meaning(text: str) -> None:
    with pytest.raises(Unsupported):
        parse_sources([SourceFile("a.c", text, Preprocessing(standard=Standard.C90))], DataModel.ILP32)


def test_types_on_arm() -> None:
    """As clang has them for arm-linux-gnueabihf, which agreed on 1,200 random structs, too."""
    text = """#include <stdarg.h>
#include <stddef.h>
struct a { int x; long long y; }; struct b { char c; int : 8; }; struct c { char c; int : 0; };
struct d { char c; short s : 9; double d; }; enum e { A, B };
int found[] = { sizeof(struct a), sizeof(struct b), _Alignof(struct c), sizeof(struct d), sizeof(long double),
  sizeof(va_list), (wchar_t)-1 > 0, (char)-1 > 0, sizeof(enum e), sizeof(long), _Alignof(max_align_t), sizeof(size_t) };
#if '\\377' < 0 || !defined(__arm__) || defined(__i386__) || !defined(__CHAR_UNSIGNED__)
#error
#endif
"""
    initialiser = parse_program(text, "a.c", DATA_MODELS["ARM"]).globals[-1].initialiser
    assert initialiser is not None
    assert [fold(one.value) for one in initialiser.entries] == [16, 4, 4, 16, 8, 4, 1, 1, 4, 4, 8, 4]
