"""Compilation databases, `compile_commands.json` (as Clang's JSONCompilationDatabase describes them): files and flags.

Flags that say how text is read are taken, all others are passed over. Of several entries for a file, the first counts.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.run.jsondata import Malformed, as_list, as_object, as_str, parse
from frontend.options import Preprocessing, Standard
from frontend.source import ParseError, point

NAME = "compile_commands.json"

_PATHS = {"-I": "include", "-isystem": "system", "-iquote": "include", "-include": "forced"}


def read_compile_commands(text: str, name: str) -> Mapping[str, Preprocessing]:
    """The C files of a database, in order, with what the compiler is told of their texts. Raises `ParseError`."""
    found: dict[str, Preprocessing] = {}
    try:
        for entry in map(as_object, as_list(parse(text.encode()))):
            folder = os.path.join(os.path.dirname(name), as_str(entry["directory"]))
            file = os.path.normpath(os.path.join(folder, as_str(entry["file"])))
            if file.endswith(".c"):
                found.setdefault(file, _flags(_words(entry), folder))
    except (Malformed, KeyError, ValueError) as error:
        raise ParseError(point(name, 1, 1), f"this is no compilation database: {error}") from None
    if not found:
        raise ParseError(point(name, 1, 1), "the compilation database names no C file")
    return found


def _words(entry: Mapping[str, object]) -> Sequence[str]:
    if "arguments" in entry:
        return [as_str(one) for one in as_list(entry["arguments"])]
    return shlex.split(as_str(entry["command"]))


def _flags(words: Sequence[str], folder: str) -> Preprocessing:
    paths: dict[str, list[str]] = {"include": [], "system": [], "forced": []}
    macros: dict[str, str | None] = {}
    standard = Standard.GNU11
    pending = list(reversed(words))
    while pending:
        word = pending.pop()
        flag = next((one for one in ("-isystem", "-iquote", "-include", "-I", "-D", "-U") if word.startswith(one)), "")
        if word.startswith("-std="):
            standard = _standard(word.removeprefix("-std="))
        if not flag:
            continue
        value = word.removeprefix(flag) or (pending.pop() if pending else "")
        if flag in _PATHS:
            paths[_PATHS[flag]].append(os.path.normpath(os.path.join(folder, value)))
        else:
            macros[value.partition("=")[0]] = value if flag == "-D" else None
    return replace(
        Preprocessing(standard=standard),
        include=tuple(paths["include"]),
        system=tuple(paths["system"]),
        forced=tuple(paths["forced"]),
        define=tuple(value for value in macros.values() if value is not None),
        undefine=tuple(name for name, value in macros.items() if value is None),
    )


def _standard(name: str) -> Standard:
    """The standard, or the nearest that is known."""
    name = {"c1x": "c11", "gnu1x": "gnu11", "c18": "c17", "gnu18": "gnu17", "c9x": "c99", "gnu9x": "gnu99"}.get(
        name, name
    )
    return Standard(name) if name in list(Standard) else Standard.GNU11
