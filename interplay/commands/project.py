"""The files of a command line: C files, folders, and projects, which are folders with an `interplay.toml`.

A project is a command line in a file: its keys are the options of `interplay verify` without their dashes, and `files`.
Paths are relative to its folder. What the command line itself says comes behind and so has precedence.
"""

from __future__ import annotations

import os
import tomllib
from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path

from interplay.session.options import NamesFormat, PairsFormat, RequestOption, SwitchFormat, TextsFormat
from interplay.session.request import REQUEST_OPTIONS

PROJECT = "interplay.toml"

_PATHS = frozenset(("include_path", "system_path", "include", "folder", "compile_commands"))
"""Fields of a request that name files and folders."""


class WrongProject(ValueError):
    """A project, or a folder, that names no program; the message says which and why."""


def read_project(folder: Path) -> tuple[list[str], list[str]]:
    """The options, as words of a command line, and the files of a project. Raises `WrongProject`."""
    path = folder / PROJECT
    try:
        content = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise WrongProject(f"{path}: {error}") from None
    options = {one.flag.removeprefix("--"): (name, one) for name, one in REQUEST_OPTIONS.items() if one.flag}
    words: list[str] = []
    files = _texts(content.pop("files", ["."] if "compile-commands" not in content else []), path, "files")
    for key, value in content.items():
        if key not in options:
            raise WrongProject(f"{path}: {key} is none of files, {', '.join(sorted(options))}")
        words += _option(*options[key], value, folder, path)
    names = [os.path.join(folder, one) for one in files]
    return [*words, "--folder", str(folder)], list(c_files(names))


def _option(name: str, option: RequestOption, value: object, folder: Path, path: Path) -> Iterator[str]:
    match option.format:
        case SwitchFormat():
            yield from (option.flag,) if value is True else ()
        case TextsFormat() | NamesFormat():
            for one in _texts(value, path, option.flag):
                yield from (option.flag, os.path.join(folder, one) if name in _PATHS else one)
        case PairsFormat() if isinstance(value, dict):
            for key, one in value.items():
                yield from (option.flag, f"{key}={one}")
        case PairsFormat():
            raise WrongProject(f"{path}: {name} must be a table")
        case _ if isinstance(value, str | int | float) and not isinstance(value, bool):
            is_file = name in _PATHS or (name == "property" and str(value).endswith(".prp"))
            yield from (option.flag, os.path.join(folder, str(value)) if is_file else str(value))
        case _:
            raise WrongProject(f"{path}: {name} must be a text or a number")


def _texts(value: object, path: Path, name: str) -> Sequence[str]:
    values = value if isinstance(value, list) else [value]
    texts = [one for one in values if isinstance(one, str)]
    if len(texts) < len(values):
        raise WrongProject(f"{path}: {name} must be texts")
    return texts


def c_files(names: Sequence[str]) -> Iterator[str]:
    """The files, with the C files below it in place of each folder. Raises `WrongProject`."""
    for name in names:
        folder = Path(name)
        if not folder.is_dir():
            yield name
            continue
        found = sorted(str(one) for one in folder.rglob("*.c") if one.is_file() and not _hidden(one, folder))
        if not found:
            raise WrongProject(f"{name}: there is no C file in this folder")
        yield from found


def _hidden(file: Path, below: Path) -> bool:
    return any(part.startswith(".") for part in file.relative_to(below).parts)


def resolved(options: Namespace) -> tuple[list[str], list[str]] | None:
    """The options and files that the folders of a command line stand for; the options come before its own.

    None where they are files already. Raises `WrongProject`.
    """
    given: list[str] = options.files
    if not given and options.compile_commands is None and Path(PROJECT).is_file():
        given = ["."]
    projects = [Path(one) for one in given if (Path(one) / PROJECT).is_file()]
    if len(projects) > 1 or (projects and len(given) > 1):
        raise WrongProject(f"{projects[0]}: a project is verified by itself")
    if projects:
        return read_project(projects[0])
    folders = [one for one in given if Path(one).is_dir()]
    if not folders:
        return None
    return [word for one in folders for word in ("--folder", one)], list(c_files(given))
