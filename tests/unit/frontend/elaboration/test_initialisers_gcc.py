"""The normal form of initialisers gives the bytes that gcc puts into the data section."""

import shutil
import subprocess
from pathlib import Path

import pytest

from frontend.api import parse_program
from frontend.elaboration.constants import fold
from frontend.typed import tree
from frontend.typed.ctype import Array, CType, DataModel, Field, Integer
from tests.unit.frontend.elaboration.laws import check

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not there to be asked")

TEXT = """
struct point { int x, y; };
struct line { struct point from, to; char name[4]; };
union number { char small; long long large; };
struct bits { unsigned a : 3; int b : 5; unsigned c : 9; unsigned : 0; int d : 2; };
struct nested { int a; struct { int b; union { short c; int d; }; }; int e[3]; };
int v0 = 5;
int v1[] = {1, 2, 3};
int v2[5] = {1, [3] = 7, 8};
struct point v3 = {.y = 2, .x = 1};
struct line v4 = {1, 2, 3, 4, "ab"};
struct line v5 = {{1}, {.y = 4}, {'x', 'y'}};
struct line v6[] = {1, 2, 3, 4, 'a', 'b', 'c', 'd', 5, [2] = {.to = {6, 7}}, [2].name = "zz"};
union number v7 = {300};
union number v8 = {.large = -2};
char v9[] = "hello\\n\\x41";
char v10[3] = "abcd";
char v11[2][4] = {"ab", {"cd"}};
char v12[8] = {'a', 98, 2 > 1 ? 99 : 0};
struct bits v13 = {9, -3, 257, 1};
int v14[2][3] = {1, 2, 3, 4};
int v15[2][3] = {{1}, 4, 5};
struct nested v16 = {1, 2, 3, 4, 5};
struct nested v17 = {.d = 70000, .e = {[1] = 9}, .b = 2};
struct nested v18[2] = {{.e[1] = 3, 4}, 5, 6};
unsigned char v19 = -1;
_Bool v20 = 256;
short v21[] = {[2] = 1, [0] = 2, 3};
struct { int n; char tail[]; } v22 = {3};
enum colour { red, green = 5, blue } v23[] = {blue, red};
long v24 = {sizeof(v6) + 1};
struct line v25 = {.to.y = 3, "c"};
int v26[3][2] = {[1][1] = 5, 6, [0] = {1}};
int v27[3][2] = {[1][1] = 5, 6, 7, [1] = {1}, [2][0] = 8};
struct line v28 = {.name = "abc", .to.y = 1, .to = {.x = 2}, .name[1] = 'x', .from = {3, 4}, .from.x = 5};
struct line v29 = {.name = "abc", 7, .name = "d"};
union number v30 = {.large = -1, .small = 3};
struct nested v31 = {.d = -1, .c = 2, .e = {4, 5, 6}, .e = {[1] = 7}, 8};
struct point v32[3] = {{1, 2}, {3, 4}, [0 ... 2].y = 9, [1] = {.x = 5}};
"""


def image(type_: CType, initialiser: tree.Initialiser, model: DataModel) -> bytes:
    content = bytearray(model.size_of(type_))
    for entry in initialiser.entries:
        value = fold(entry.value)
        assert value is not None, str(entry.value.span)
        store(content, type_, entry.path, value, model)
    return bytes(content)


def store(content: bytearray, type_: CType, path: tree.Path, value: int, model: DataModel) -> None:
    offset, bit, width = 0, 0, None
    for step in path:
        if isinstance(step, Field):
            offset, bit, width, type_ = offset + step.offset, step.bit_offset, step.width, step.type
        else:
            assert isinstance(type_, Array)
            offset, type_ = offset + step * model.size_of(type_.element), type_.element
    assert isinstance(type_, Integer)
    width = 8 * model.size_of(type_) if width is None else width
    mask = (1 << width) - 1
    number = int.from_bytes(content, "little")
    shift = 8 * offset + bit
    number = number & ~(mask << shift) | (value & mask) << shift
    content[:] = number.to_bytes(len(content), "little")


@pytest.mark.parametrize("model", [DataModel.ILP32, DataModel.LP64])
def test_static_data(model: DataModel, tmp_path: Path) -> None:
    unit = parse_program(TEXT, "data.c", model)
    check(unit)
    source, object_, data = tmp_path / "data.c", tmp_path / "data.o", tmp_path / "data.bin"
    source.write_text(TEXT)
    flag = "-m32" if model == DataModel.ILP32 else "-m64"
    subprocess.run(
        ["gcc", flag, "-w", "-c", "-fno-common", "-fno-zero-initialized-in-bss", source, "-o", object_], check=True
    )
    subprocess.run(["objcopy", "-O", "binary", "-j", ".data", object_, data], check=True)
    symbols = subprocess.run(["nm", object_], check=True, capture_output=True, text=True).stdout
    addresses = {line.split()[2]: int(line.split()[0], 16) for line in symbols.splitlines()}
    content = data.read_bytes()
    assert len(unit.globals) == 33
    for declaration in unit.globals:
        assert declaration.initialiser is not None
        expected = image(declaration.object.type, declaration.initialiser, model)
        start = addresses[declaration.object.name]
        assert content[start : start + len(expected)] == expected, declaration.object.name
