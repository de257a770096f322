"""Flags of gcc and clang: what they say of the meaning of a text.

A flag that changes the meaning is taken, or refused by name. Those that cannot change it are a list; any other flag is
unknown, and is kept, so that a verdict can name it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace

from core.dataclass import dataclass
from core.pattern import pattern
from frontend.options import Preprocessing, Standard
from frontend.parsing.compiler_options import CHANGES_FLOATS
from frontend.typed.ctype import DATA_MODELS, DataModel, Target


class WrongFlag(ValueError):
    """A flag that is refused; the message names it and says why."""


@dataclass(frozen=True, slots=True)
class CompilerFlags:
    """The meaning of the flags of one text.

    None leaves a choice to the target, and the target to others. `wraps`: signed arithmetic wraps around; `traps`: it
    aborts instead. `floats` are flags that change what floating-point arithmetic gives, and `unknown` the flags that
    are not known.
    """

    preprocessing: Preprocessing = field(default_factory=Preprocessing)
    target: Target | None = None
    unsigned_char: bool | None = None
    short_enums: bool | None = None
    short_wchar: bool = False
    pack: int | None = None
    wraps: bool = False
    traps: bool = False
    floats: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()

    def model(self, target: Target) -> DataModel:
        """The data model that a target has under these flags."""
        usual = DATA_MODELS[target.value]
        return replace(
            usual,
            unsigned_char=usual.unsigned_char if self.unsigned_char is None else self.unsigned_char,
            short_enums=bool(self.short_enums),
            short_wchar=self.short_wchar,
            pack=self.pack,
        )


_CHANGES: Mapping[str, Mapping[str, object]] = {
    "-m32": {"target": Target.ILP32},
    "-m64": {"target": Target.LP64},
    "-fsigned-char": {"unsigned_char": False},
    "-fno-unsigned-char": {"unsigned_char": False},
    "-funsigned-char": {"unsigned_char": True},
    "-fno-signed-char": {"unsigned_char": True},
    "-fshort-enums": {"short_enums": True},
    "-fno-short-enums": {"short_enums": False},
    "-fshort-wchar": {"short_wchar": True},
    "-fno-short-wchar": {"short_wchar": False},
    "-fpack-struct": {"pack": 1},
    "-fno-pack-struct": {"pack": None},
    "-fwrapv": {"wraps": True, "traps": False},
    "-fno-strict-overflow": {"wraps": True, "traps": False},
    "-fno-wrapv": {"wraps": False},
    "-fstrict-overflow": {"wraps": False},
    "-ftrapv": {"traps": True, "wraps": False},
    "-fno-trapv": {"traps": False},
}
"""The fields that a flag changes."""

_UNOPTIMISED: Mapping[str, str | None] = {"__OPTIMIZE__": None, "__OPTIMIZE_SIZE__": None, "__NO_INLINE__": "1"}
_OPTIMISED = {**_UNOPTIMISED, "__OPTIMIZE__": "1", "__NO_INLINE__": None}
_SMALL = {**_OPTIMISED, "__OPTIMIZE_SIZE__": "1"}
_POSITION = ("__PIC__", "__pic__", "__PIE__", "__pie__")
_MACROS: Mapping[str, Mapping[str, str | None]] = {
    "-O0": _UNOPTIMISED,
    **dict.fromkeys(("-O", "-O1", "-O2", "-O3", "-Og", "-Ofast"), _OPTIMISED),
    **dict.fromkeys(("-Os", "-Oz"), _SMALL),
    "-ffreestanding": {"__STDC_HOSTED__": "0"},
    "-fno-hosted": {"__STDC_HOSTED__": "0"},
    "-fhosted": {"__STDC_HOSTED__": "1"},
    "-fno-freestanding": {"__STDC_HOSTED__": "1"},
    "-fPIC": dict(zip(_POSITION, ("2", "2", None, None), strict=True)),
    "-fpic": dict(zip(_POSITION, ("1", "1", None, None), strict=True)),
    "-fPIE": dict.fromkeys(_POSITION, "2"),
    "-fpie": dict.fromkeys(_POSITION, "1"),
    **dict.fromkeys(("-fno-pic", "-fno-PIC", "-fno-pie", "-fno-PIE"), dict.fromkeys(_POSITION)),
    "-pthread": {"_REENTRANT": "1"},
    "-fexceptions": {"__EXCEPTIONS": "1"},
    "-fstack-protector": {"__SSP__": "1"},
    "-fstack-protector-strong": {"__SSP_STRONG__": "3"},
    "-fstack-protector-all": {"__SSP_ALL__": "2"},
    "-fsanitize=address": {"__SANITIZE_ADDRESS__": "1"},
    "-fsanitize=thread": {"__SANITIZE_THREAD__": "1"},
}
"""The macros that a flag defines, or takes away, and that is all that it changes."""

_REFUSED = pattern(
    r"@.*|-(?:mx32|m16|miamcu|malign-double|mlong-double-.*|m96bit-long-double|m128bit-long-double|mms-bitfields"
    r"|mbig-endian|EB|mstructure-size-boundary=(?!8$).*|mabi=.*|funsigned-bitfields|fno-signed-bitfields|fms-extensions"
    r"|fplan9-extensions|fopenmp.*|fopenacc.*|fgnu-tm|ftrivial-auto-var-init=(?!uninitialized$).*|fsso-struct=big-.*"
    r"|imacros.*|undef|traditional.*|trigraphs|fno-asm|fblocks|fdollars-in-identifiers=.*|specs=.*"
    r"|f(?:exec|input|wide-exec)-charset=.*)"
)
_UTF8 = pattern(r"-f(?:exec|input)-charset=utf-?8", re.IGNORECASE)

_SANITIZERS = "-fsanitize="

_PATHS = {
    "-isystem": "system", "-iquote": "quoted", "-idirafter": "after", "-include": "forced", "-I": "include"
}  # fmt: skip
_IGNORED_WITH_VALUE = pattern(
    r"-(?:o|MF|MT|MQ|MJ|L|l|T|B|u|z|Xlinker|Xassembler|isysroot|aux-info|dumpdir|dumpbase|framework)|--(?:param|sysroot)"
)
"""Flags whose value may be the next word."""

_HARMLESS_F = (
    "diagnostics-.*|color-diagnostics|message-length=.*|max-errors=.*|tabstop=.*|show-.*|caret-diagnostics"
    "|stack-(?:protector|check|usage|clash|reuse).*|omit-frame-pointer|data-sections|function-sections|visibility.*"
    "|common|ident|asynchronous-unwind-tables|unwind-tables|exceptions|plt|lto.*|fat-lto-objects|semantic-interposition"
    "|strict-aliasing|delete-null-pointer-checks|wrapv-pointer|builtin(?:-.+)?|profile-.*|test-coverage|branch-.*"
    "|inline.*|unroll-.*|tree-.*|ipa-.*|ira-.*|sched-.*|schedule-.*|align-.*|reorder-.*|gcse.*|cse-.*|crossjumping"
    "|toplevel-reorder|keep-.*|merge-constants|zero-initialized-in-bss|verbose-asm|dump-.*|opt-info.*"
    "|eliminate-unused-.*|debug-.*|var-tracking.*|record-gcc-switches|jump-tables|section-anchors|vect-.*|slp-.*"
    "|partial-inlining|rename-registers|use-linker-plugin|split-.*|cf-protection.*|strict-volatile-bitfields"
    "|permissive|track-macro-expansion.*|signed-bitfields|rounding-math|float-store|expensive-optimizations"
)
_HARMLESS_WITHOUT_NO = (
    "signed-zeros|trapping-math|math-errno|ffp-contract=off|trivial-auto-var-init=uninitialized|no-sanitize=.*"
    "|no-fast-math|no-unsafe-math-optimizations|no-finite-math-only|no-associative-math|no-reciprocal-math"
    "|fp-contract=off|sanitize=(?:undefined|leak|bounds|null|alignment|signed-integer-overflow|integer)"
    "|sanitize-recover.*|no-sanitize-recover.*"
)
_HARMLESS_M = (
    "red-zone|tune=.*|cmodel=.*|stackrealign|omit-leaf-frame-pointer|preferred-stack-boundary=.*|little-endian"
    "|incoming-stack-boundary=.*|indirect-branch.*|function-return=.*|retpoline.*|fentry|record-mcount|nop-mcount"
    "|accumulate-outgoing-args|stack-protector-guard.*|skip-rax-setup|tls-dialect=.*|vzeroupper|long-calls|fpmath=sse"
)
_HARMLESS = pattern(
    rf"-(?:f(?:no-)?(?:{_HARMLESS_F})|f(?:{_HARMLESS_WITHOUT_NO})|m(?:no-)?(?:{_HARMLESS_M})|W(?!p,|l,--wrap|l,--defsym).*|g.*|M.*|[cSEvwsHPCQ]"
    r"|pipe|pedantic(?:-errors)?|save-temps.*|time|static|shared|rdynamic|pie|no-pie|pg?|nostdlib|nodefaultlibs"
    r"|nostartfiles|static-.*|dumpbase.*|d[DIMNU]|###|EL)|--(?:coverage|param=.*|sysroot=.*|verbose|help)"
)
"""Flags that cannot change what a text means."""

_STANDARDS = {
    "-ansi": "c90", "c89": "c90", "iso9899:1990": "c90", "gnu89": "gnu90", "c9x": "c99", "iso9899:1999": "c99",
    "gnu9x": "gnu99", "c1x": "c11", "iso9899:2011": "c11", "gnu1x": "gnu11", "c18": "c17", "iso9899:2017": "c17",
    "iso9899:2018": "c17", "gnu18": "gnu17",
}  # fmt: skip

_LAUNCHERS = ("ccache", "sccache", "distcc", "icecc", "env", "nice", "libtool")
_COMPILER = pattern(
    r"(?:(?P<target>.+)-)?(?:gcc|cc|clang|c89|c99|tcc|icx|icc|gcc-ar)(?:-[\d.]+)?(?:\.exe)?", re.IGNORECASE
)
_OTHER_MODEL = pattern(r"(?:cl|clang-cl)(?:\.exe)?", re.IGNORECASE)
_OTHER_LANGUAGE = pattern(r"(?:.*-)?(?:[gc]\+\+|clang\+\+)(?:-[\d.]+)?")
_NO_TARGET = ("musl", "afl", "hfuzz", "klang", "goto", "colorgcc", "wllvm", "ccc")
_BARE_MACROS: Mapping[str, str | None] = dict.fromkeys(
    ("__linux__", "__linux", "linux", "__gnu_linux__", "__unix__", "__unix", "unix")
)


def read_compiler(word: str) -> CompilerFlags:
    """The meaning of the name of a compiler: gcc's for a machine begin with that. Raises `WrongFlag`."""
    name = os.path.basename(word)
    if _OTHER_LANGUAGE.fullmatch(name):
        raise WrongFlag(f"{name} reads C++, and C alone is read")
    if _OTHER_MODEL.fullmatch(name):
        raise WrongFlag(f"the data model of {name} is not known; those of x86_64, i686 and arm are")
    match = _COMPILER.fullmatch(name)
    if match is None:
        return CompilerFlags(unknown=(name,))
    if match["target"] is None or match["target"] in _NO_TARGET:
        return CompilerFlags()
    return _FlagReader(CompilerFlags(), "").for_triple(match["target"], name)


def read_flags(words: Sequence[str], folder: str, before: CompilerFlags | None = None) -> CompilerFlags:
    """The meaning of the words of a command line behind others. Paths are in `folder`. Raises `WrongFlag`."""
    return _FlagReader(before or CompilerFlags(), folder).read(words)


def first_flag(words: Sequence[str]) -> int:
    """The position of the name of the compiler in a command line."""
    position = 0
    while position + 1 < len(words) and os.path.basename(words[position]) in _LAUNCHERS:
        position += 1
    return position


class _FlagReader:
    """Reads words one after another; later ones win."""

    def __init__(self, before: CompilerFlags, folder: str) -> None:
        self._flags = before
        self._folder = folder
        told = before.preprocessing
        self._macros: dict[str, str | None] = {one.partition("=")[0]: one for one in told.define}
        self._macros |= dict.fromkeys(told.undefine)
        self._paths = {name: list(getattr(told, name)) for name in _PATHS.values()}
        self._standard = told.standard
        self._library = told.library
        self._pending: list[str] = []

    def read(self, words: Sequence[str]) -> CompilerFlags:
        self._pending = list(reversed(words))
        while self._pending:
            word = self._pending.pop()
            if word.startswith(("-", "@")) and word != "-":
                self._word(word)
        return self._result()

    def for_triple(self, triple: str, word: str) -> CompilerFlags:
        self._triple(triple, word)
        return self._result()

    def _result(self) -> CompilerFlags:
        preprocessing = replace(
            self._flags.preprocessing,
            **{name: tuple(found) for name, found in self._paths.items()},
            define=tuple(one for one in self._macros.values() if one is not None),
            undefine=tuple(name for name, one in self._macros.items() if one is None),
            standard=self._standard,
            library=self._library,
        )
        return replace(self._flags, preprocessing=preprocessing)

    def _word(self, word: str) -> None:
        if word in _CHANGES:
            self._flags = replace(self._flags, **_CHANGES[word])  # type: ignore[arg-type]
        elif CHANGES_FLOATS.fullmatch(word):
            self._flags = replace(self._flags, floats=(*self._flags.floats, word))
            self._define(_MACROS.get(word, {}))
        elif word in _MACROS:
            self._define(_MACROS[word])
        elif word == "-ansi":
            self._take_standard(word)
        elif word == "-nostdinc":
            self._library = False
        elif word.startswith(_SANITIZERS) and "," in word:
            self._pending += [_SANITIZERS + one for one in word.removeprefix(_SANITIZERS).split(",")]
        elif _REFUSED.fullmatch(word) and not _UTF8.fullmatch(word):
            raise WrongFlag(f"{word} changes what the text means, and is not supported")
        elif not self._with_value(word) and not _HARMLESS.fullmatch(word) and not _UTF8.fullmatch(word):
            self._flags = replace(self._flags, unknown=(*self._flags.unknown, word))

    def _define(self, macros: Mapping[str, str | None]) -> None:
        for name, value in macros.items():
            self._macros[name] = None if value is None else f"{name}={value}"

    def _with_value(self, word: str) -> bool:
        """Read a flag that has a value, in the same word or in the next one."""
        for start, act in self._acts().items():
            if word.startswith(start):
                value = word.removeprefix(start)
                act(value if value or start.endswith(("=", ",")) or not self._pending else self._pending.pop())
                return True
        ignored = _IGNORED_WITH_VALUE.match(word)
        if ignored is None:
            return False
        if ignored.end() == len(word) and self._pending:
            self._pending.pop()
        return ignored.end() == len(word) or ignored[0] in ("-o", "-L", "-l", "-B")

    def _acts(self) -> Mapping[str, Callable[[str], None]]:
        paths = {flag: lambda value, name=name: self._path(name, value) for flag, name in _PATHS.items()}
        return {
            **paths,
            "-D": lambda value: self._macros.update({value.partition("=")[0]: value}),
            "-U": lambda value: self._macros.update({value: None}),
            "-std=": self._take_standard,
            "--std=": self._take_standard,
            "-x": self._language,
            "-fpack-struct=": self._pack,
            "-target": lambda value: self._triple(value, f"-target {value}"),
            "--target=": lambda value: self._triple(value, f"--target={value}"),
            "-arch": lambda value: self._triple(value, f"-arch {value}"),
            "-Wp,": lambda value: self._pending.extend(
                one for one in reversed(value.split(",")) if not one.startswith("-M")
            ),
            **dict.fromkeys(("-Xclang", "-Xpreprocessor", "-mllvm"), self._unknown_value),
        }

    def _unknown_value(self, value: str) -> None:
        self._flags = replace(self._flags, unknown=(*self._flags.unknown, value))

    def _path(self, name: str, value: str) -> None:
        self._paths[name].append(os.path.normpath(os.path.join(self._folder, value)))

    def _take_standard(self, name: str) -> None:
        name = _STANDARDS.get(name, name)
        if name not in list(Standard):
            raise WrongFlag(f"-std={name} is not supported: {', '.join(Standard)} are")
        self._standard = Standard(name)

    def _language(self, value: str) -> None:
        if value not in ("c", "none", "cpp-output"):
            raise WrongFlag(f"-x {value} reads another language, and C alone is read")

    def _pack(self, value: str) -> None:
        if value not in ("1", "2", "4", "8", "16"):
            raise WrongFlag(f"-fpack-struct={value} is no power of two that gcc takes")
        self._flags = replace(self._flags, pack=int(value))

    def _triple(self, triple: str, word: str) -> None:
        """Take the machine that a triple names."""
        machine, *rest = triple.lower().split("-")
        others = " ".join(rest)
        known = re.fullmatch(r"(x86_64|amd64)|(i[3-6]86|x86)|((?:arm|thumb)(?!.*eb)(?:v[4-8][a-z0-9.]*)?)", machine)
        if known is None or re.search(r"gnux32|mingw|windows|msvc|cygwin|uefi|w64", others):
            raise WrongFlag(f"the data model of {word} is not known; those of x86_64, i686 and arm are")
        target = Target.LP64 if known[1] else Target.ILP32 if known[2] else Target.ARM
        if target is Target.ARM and re.search(r"apple|darwin|ios", others):
            raise WrongFlag(f"the data model of {word} is not known; those of x86_64, i686 and arm are")
        self._flags = replace(self._flags, target=target)
        if "linux" not in others and "android" not in others and rest:
            self._define(_BARE_MACROS)
            if target is Target.ARM:
                self._flags = replace(self._flags, short_enums=True)
