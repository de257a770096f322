"""Sizes, offsets, ranges and conversions agree with gcc, which checks them as static assertions without running."""

import random
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from frontend.api import parse_program
from frontend.elaboration.constants import fold
from frontend.source import Unsupported
from frontend.typed import tree
from frontend.typed.ctype import Array, CType, DataModel, Integer, IntegerKind, Record

FLAGGED = [
    replace(DataModel.ILP32, pack=1),
    replace(DataModel.LP64, pack=2),
    replace(DataModel.ILP32, pack=8, short_enums=True),
    replace(DataModel.LP64, pack=4, unsigned_char=True, short_wchar=True),
]
KINDS = [kind for kind in IntegerKind if "128" not in kind.value]

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not there to be asked")


def machine(model: DataModel) -> tuple[str, ...]:
    return ("-m64" if model.is_64 else "-m32", *model.flags)


def gcc_agrees(text: str, model: DataModel, directory: Path) -> None:
    source = directory / "probe.c"
    source.write_text(text)
    command = ["gcc", *machine(model), "-std=gnu11", "-fsyntax-only", "-w", str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stderr}\n{text}"


@pytest.mark.parametrize("model", [DataModel.ILP32, DataModel.LP64, *FLAGGED], ids=str)
def test_integer_types(model: DataModel, tmp_path: Path) -> None:
    lines = []
    for kind in KINDS:
        type_ = model.integer(kind)
        lines.append(f'_Static_assert(sizeof({kind.value}) == {model.size_of(type_)}, "size");')
        lines.append(f'_Static_assert((({kind.value})-1 < 0) == {int(type_.signed)}, "sign of {kind.value}");')
        for value in (type_.maximum + 1, type_.minimum - 1, 300, -129, 2**40 + 5, 2**31):
            literal = f"({value % 2**64}ULL)"
            if kind is not IntegerKind.BOOL:
                expected = f"({type_.convert(value) % 2**64}ULL)"
                lines.append(f'_Static_assert((unsigned long long)({kind.value}){literal} == {expected}, "convert");')
    gcc_agrees("\n".join(lines), model, tmp_path)


@pytest.mark.parametrize("model", [DataModel.ILP32, DataModel.LP64, *FLAGGED], ids=str)
def test_usual_arithmetic_conversions(model: DataModel, tmp_path: Path) -> None:
    lines = []
    for left in KINDS:
        for right in KINDS:
            promoted = model.promote(model.integer(left)), model.promote(model.integer(right))
            common = model.common(*promoted)
            operation = f"({left.value})1 + ({right.value})1"
            lines.append(f'_Static_assert(_Generic({operation}, {common}: 1, default: 0), "{operation} is {common}");')
    gcc_agrees("\n".join(lines), model, tmp_path)


def random_struct(choice: random.Random, number: int) -> str:
    """A struct or union with scalars, arrays, pointers, bit-fields and earlier structs."""
    types = [
        "char",
        "short",
        "int",
        "long",
        "long long",
        "unsigned char",
        "_Bool",
        "int *",
        "double",
        "float",
        "enum e",
    ]
    integers = {"char": 8, "unsigned short": 16, "int": 32, "unsigned": 32, "long long": 64, "unsigned long": 32}
    members = []
    for place in range(choice.randint(1, 7)):
        match choice.randint(0, 5):
            case 0 | 1:
                members.append(placed(choice, f"{choice.choice(types)} {{0}}m{place}{{1}};"))
            case 2:
                members.append(f"{choice.choice(types)} m{place}[{choice.randint(1, 5)}];")
            case 3 if number:
                members.append(f"struct s{choice.randrange(number)} m{place};")
            case 4:
                type_ = choice.choice(list(integers))
                width = choice.randint(1, integers[type_])
                members.append(placed(choice, f"{type_} {{0}}m{place} : {width}{{1}};", PACKED))
            case _:
                type_ = choice.choice(list(integers))
                width = choice.choice([0, choice.randint(1, integers[type_])])
                members.append(f"{type_} : {width};")
                members.append(f"char m{place};")
    packed = choice.choice(["", "", "", "__attribute__((packed))", "__attribute__((aligned(8)))"])
    return f"struct s{number} {{ {' '.join(members)} }} {packed};"


PACKED = "__attribute__((__packed__))"


def placed(choice: random.Random, member: str, *attributes: str) -> str:
    """The member, sometimes with an attribute: in front of all, before the declarator, or behind it."""
    attribute = choice.choice(attributes or (PACKED, "__attribute__((aligned(8)))", "__attribute__((aligned(1 << 1)))"))
    match choice.randint(0, 8):
        case 0:
            return f"{attribute} {member.format('', '')}"
        case 1 if "*" not in member:
            return member.format(f"{attribute} ", "")
        case 2:
            return member.format("", f" {attribute}")
        case _:
            return member.format("", "")


@pytest.mark.parametrize("model", [DataModel.ILP32, DataModel.LP64, *FLAGGED], ids=str)
def test_struct_layouts(model: DataModel, tmp_path: Path) -> None:
    choice = random.Random(7)
    text = "enum e { first, second };\n" + "\n".join(random_struct(choice, number) for number in range(120))
    objects = "\n".join(f"struct s{number} o{number};" for number in range(120))
    unit = parse_program(f"{text}\n{objects}", "layouts.c", model)
    lines = [text]
    for declaration in unit.globals:
        record = declaration.object.type
        assert isinstance(record, Record)
        name = f"struct {record.tag}"
        lines.append(f'_Static_assert(sizeof({name}) == {record.layout.size}, "size of {name}");')
        lines.append(f'_Static_assert(_Alignof({name}) == {record.layout.align}, "alignment of {name}");')
        for field in record.layout.fields:
            if field.width is None:
                place = f"__builtin_offsetof({name}, {field.name})"
                lines.append(f'_Static_assert({place} == {field.offset}, "{place}");')
    gcc_agrees("\n".join(lines), model, tmp_path)


ALIGNED = """
enum __attribute__((packed)) tiny { A, B = 255 };
typedef enum { C = -1, D = 255 } __attribute__((packed)) small;
struct s4 { char a, b; __attribute__((aligned(8))) int c, d; short e; };
struct s5 { char a; int (*f)(void) __attribute__((packed)), *g __attribute__((aligned(16))); };
__attribute__((packed)) struct s6 { char a; int b; };
static struct s7 { char a; int b; } __attribute__((aligned(sizeof(long long)))) first __attribute__((unused));
union __attribute__((packed)) s8 { int a; char b[5]; };
struct s9 { char a; union { int b; char c; } __attribute__((packed)); short d __attribute__((packed)); };
typedef int wide __attribute__((aligned(32)));
typedef wide wider;
typedef long long even __attribute__((aligned(8)));
typedef struct { char a; } padded __attribute__((aligned(16)));
struct s0 { char a; wide b; };
struct s1 { char a; wider b; char c; };
struct s2 { char a; even b[2]; char c; };
union s3 { char a; padded b; };
"""


@pytest.mark.parametrize("model", [DataModel.ILP32, DataModel.LP64, *FLAGGED], ids=str)
def test_types_that_ask_for_an_alignment(model: DataModel, tmp_path: Path) -> None:
    names = ["struct s0", "struct s1", "struct s2", "union s3", "wide", "wider", "even", "padded"]
    more = ["enum tiny", "small", "struct s4", "struct s5", "struct s6", "struct s7", "union s8", "struct s9"]
    asked = [*(f"_Alignof({name})" for name in names + more), *(f"sizeof({name})" for name in names[:4] + more)]
    asked += [
        "__builtin_offsetof(struct s4, d)",
        "__builtin_offsetof(struct s5, g)",
        "__builtin_offsetof(struct s9, d)",
    ]
    unit = parse_program(f"{ALIGNED}int found[] = {{{', '.join(asked)}}};", "a.c", model)
    initialiser = unit.globals[-1].initialiser
    assert initialiser is not None
    values = [fold(entry.value) for entry in initialiser.entries]
    lines = [f'_Static_assert({one} == {value}, "{one}");' for one, value in zip(asked, values, strict=True)]
    gcc_agrees(ALIGNED + "\n".join(lines), model, tmp_path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("typedef int *p; int * __attribute__((aligned(8))) p1;", "attribute 'aligned' is not supported here"),
        ("typedef int t __attribute__((aligned(1)));", "types that are less aligned are not supported"),
    ],
)
def test_attributes_that_are_refused(text: str, message: str) -> None:
    with pytest.raises(Unsupported, match=message):
        parse_program(text, "a.c", DataModel.ILP32)


@pytest.mark.parametrize("model", [DataModel.ILP32, DataModel.LP64, *FLAGGED], ids=str)
def test_bit_field_places(model: DataModel, tmp_path: Path) -> None:
    """The bits of a member of a union with a number, as gcc folds them in a constant initialiser of its assembly."""
    choice = random.Random(3)
    widths = {"char": 8, "unsigned short": 16, "int": 32, "unsigned": 32, "long long": 64, "_Bool": 1}
    structs, checks = [], []
    for number in range(25):
        members = []
        for place in range(choice.randint(1, 6)):
            type_ = choice.choice(list(widths))
            members.append(f"{type_} m{place} : {choice.randint(1, widths[type_])};")
        structs.append(f"struct s{number} {{ {' '.join(members)} }};")
        checks += [f"struct s{number} v{number}_{place} = {{ .m{place} = -1 }};" for place in range(len(members))]
    text = "\n".join([*structs, *checks])
    unit = parse_program(text, "bits.c", model)
    source = tmp_path / "bits.c"
    source.write_text(text)
    image = tmp_path / "bits.o"
    subprocess.run(["gcc", *machine(model), "-w", "-c", "-fno-common", str(source), "-o", str(image)], check=True)
    data = tmp_path / "data.bin"
    subprocess.run(["objcopy", "-O", "binary", "-j", ".data", str(image), str(data)], check=True)
    symbols = subprocess.run(["nm", str(image)], check=True, capture_output=True, text=True).stdout
    addresses = {line.split()[2]: int(line.split()[0], 16) for line in symbols.splitlines()}
    content = data.read_bytes()
    for declaration in unit.globals:
        record = declaration.object.type
        assert isinstance(record, Record)
        initialiser = declaration.initialiser
        assert initialiser is not None
        (field,) = initialiser.entries[0].path
        assert not isinstance(field, int)
        assert field.width is not None
        start = addresses[declaration.object.name]
        found = int.from_bytes(content[start : start + record.layout.size], "little")
        bits = 1 if isinstance(field.type, Integer) and field.type.kind is IntegerKind.BOOL else field.width
        assert found == ((1 << bits) - 1) << (8 * field.offset + field.bit_offset), (record, field)


@pytest.mark.parametrize("model", [DataModel.ILP32, DataModel.LP64, *FLAGGED], ids=str)
def test_constant_expressions(model: DataModel, tmp_path: Path) -> None:
    expressions = [
        "sizeof(long) + 1", "(char)200", "-7 / 2", "-7 % 3", "1u - 2 > 0", "(unsigned char)~0", "1 << 31 >> 31",
        "'\\377'", "'ab'", "0x80000000 > 0", "2147483648 > 0", "-1 < 0u", "(short)40000", "sizeof \"abc\" \"d\"",
        "sizeof('a')", "sizeof(struct { char a; long long b; })", "1 ? 2 : 3", "!5 || 0 && 1", "~0ul", "017 + 0b11",
        "sizeof(1 ? (char)1 : (short)1)", "_Alignof(long long)",
        "_Alignof(double)", "__alignof__(long long)", "__alignof__(long double)", "L'x'", "sizeof(L\"ab\")",
        "(long)-1 < (unsigned)1", "(enum { A = 5, B })B", "sizeof(int[3][4])", "sizeof(long double)",
    ]  # fmt: skip
    declarations = "\n".join(f"long long v{number} = {text};" for number, text in enumerate(expressions))
    unit = parse_program(declarations, "constants.c", model)
    lines = []
    from frontend.elaboration.constants import fold

    for declaration, text in zip(unit.globals, expressions, strict=True):
        assert declaration.initialiser is not None
        value = fold(declaration.initialiser.entries[0].value)
        lines.append(f'_Static_assert((long long)({text}) == {value}LL, "value {value}");')
    gcc_agrees("\n".join(lines), model, tmp_path)


def test_incomplete_types_have_no_size() -> None:
    unit = parse_program("struct s; extern struct s *p; extern int a[];", "a.c", DataModel.LP64)
    types: dict[str, CType] = {declaration.object.name: declaration.object.type for declaration in unit.globals}
    assert types["a"] == Array(DataModel.LP64.integer(IntegerKind.INT), None)
    with pytest.raises(ValueError, match="no constant size"):
        DataModel.LP64.size_of(types["a"])
    assert unit.globals[0].object.storage is tree.Storage.EXTERNAL
