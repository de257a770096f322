"""Compilation databases, `compile_commands.json` (as Clang's JSONCompilationDatabase describes them): files and flags.

Of several entries for a file, the first counts.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence

from core.dataclass import dataclass
from frontend.preprocessing.compiler_flags import CompilerFlags, WrongFlag, first_flag, read_compiler, read_flags
from frontend.source import ParseError, Unsupported, point
from runs.jsondata import Malformed, as_list, as_object, as_str, parse

NAME = "compile_commands.json"


@dataclass(frozen=True, slots=True)
class CompileCommand:
    """An entry of a database: the words of a command in a folder, and the line of the database where it is said."""

    file: str
    folder: str
    words: tuple[str, ...]
    database: str
    line: int

    def flags(self) -> CompilerFlags:
        """The meaning of its flags. Raises `Unsupported` for one that is refused."""
        first = first_flag(self.words)
        try:
            return read_flags(self.words[first + 1 :], self.folder, read_compiler(self.words[first]))
        except WrongFlag as error:
            raise Unsupported(point(self.database, self.line, 1), f"{self.file}: {error}") from None


def read_compile_commands(text: str, name: str) -> Mapping[str, CompileCommand]:
    """The C files of a database, in order, with their commands. Raises `ParseError`."""
    commands: dict[str, CompileCommand] = {}
    position = 0
    try:
        for entry in map(as_object, as_list(parse(text.encode()))):
            folder = os.path.join(os.path.dirname(name), as_str(entry["directory"]))
            written = as_str(entry["file"])
            file = os.path.normpath(os.path.join(folder, written))
            position = max(position, text.find(f'"{written}"', position))
            line = text.count("\n", 0, position) + 1
            if file.endswith(".c"):
                commands.setdefault(file, CompileCommand(file, folder, tuple(_words(entry)), name, line))
            position += 1
    except (Malformed, KeyError, ValueError) as error:
        raise ParseError(point(name, 1, 1), f"this is no compilation database: {error}") from None
    if not commands:
        raise ParseError(point(name, 1, 1), "the compilation database names no C file")
    return commands


def _words(entry: Mapping[str, object]) -> Sequence[str]:
    words = (
        [as_str(one) for one in as_list(entry["arguments"])]
        if "arguments" in entry
        else shlex.split(as_str(entry["command"]))
    )
    if not words:
        raise ValueError("a command has no words")
    return words
