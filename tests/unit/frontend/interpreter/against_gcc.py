"""Values of C functions under gcc, to compare the interpreter with."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.program.span import Span
from frontend.api import parse_program
from frontend.interpreter import ErrorReached, Exited, Inputs, run
from frontend.properties.errors import UnreachCall, policy
from frontend.replay.native import machine
from frontend.typed.ctype import DataModel

_POLICY = policy(UnreachCall(), frozenset({"reach_error"}))
_FLAGS = "-O0 -w -std=gnu11 -fwrapv -fno-strict-aliasing".split()  # noqa: SIM905
_DECLARED = (
    "typedef __SIZE_TYPE__ size_t; void *malloc(size_t); void *calloc(size_t, size_t); void *realloc(void *, size_t);"
    " void free(void *); void *memcpy(void *, const void *, size_t); void *memset(void *, int, size_t);"
    " void *memmove(void *, const void *, size_t); int memcmp(const void *, const void *, size_t);"
    " size_t strlen(const char *); int strcmp(const char *, const char *); char *strcpy(char *, const char *);"
    " char *strcat(char *, const char *); int strncmp(const char *, const char *, size_t);"
    " char *strncpy(char *, const char *, size_t); char *strchr(const char *, int);"
)


@dataclass(frozen=True)
class Case:
    """C text that defines `long long name(void)`."""

    name: str
    text: str


def expected(cases: Sequence[Case], model: DataModel, folder: Path) -> list[int] | None:
    """The results of the functions as gcc compiles them; None where it cannot build for the model."""
    calls = "".join(f'printf("%lld\\n", (long long){case.name}());\n' for case in cases)
    text = "int printf(const char *, ...);" + _program(cases, model) + f"int main(void) {{ {calls} return 0; }}\n"
    (folder / "cases.c").write_text(text)
    if shutil.which("gcc") is None:
        return None
    command = ["gcc", *machine(model), *_FLAGS, "cases.c", "-o", "cases"]
    built = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if built.returncode and "printf" not in built.stderr and "crt1" not in built.stderr and "-lc" not in built.stderr:
        raise AssertionError(built.stderr)
    if built.returncode:
        return None
    ran = subprocess.run([folder / "cases"], capture_output=True, text=True, check=True, timeout=600)
    return [int(line) for line in ran.stdout.split()]


def _program(cases: Sequence[Case], model: DataModel) -> str:
    size = model.size_type.kind.value
    return _DECLARED.replace("__SIZE_TYPE__", size) + "\n" + "\n".join(case.text for case in cases) + "\n"


def differing(cases: Sequence[Case], values: Sequence[int], model: DataModel) -> list[str]:
    """The cases in which the interpreter has another value than `values`, or does not end."""
    failed: list[str] = []
    remaining = list(zip(cases, values, strict=True))
    program = _program(cases, model)
    while remaining:
        first = program.count("\n") + 2
        checks = "".join(
            f"if ((long long){case.name}() != {_literal(value)}) reach_error();\n" for case, value in remaining
        )
        text = f"{program}void reach_error(void);\nint main(void) {{\n{checks}return 0; }}\n"
        unit = parse_program(text, "cases.c", model)
        outcome = run(unit, _POLICY, Inputs())
        if not isinstance(outcome, ErrorReached):
            return failed if isinstance(outcome, Exited) else [*failed, str(outcome)]
        position = _line(outcome.span) - first - 1
        failed.append(remaining[position][0].text)
        remaining = remaining[position + 1 :]
    return failed


def _line(span: Span) -> int:
    return span.line


def _literal(value: int) -> str:
    return "(-9223372036854775807LL - 1)" if value == -(1 << 63) else f"{value}LL"
