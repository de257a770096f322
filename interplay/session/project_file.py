"""Projects: folders whose `interplay.toml`, or `compile_commands.json`, says which program they are.

The keys of an `interplay.toml` are the options of `interplay verify` without their dashes, and `files`. Paths are
relative to its folder.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from interplay.session.compile_commands import NAME as DATABASE
from interplay.session.options import (
    ChoiceFormat,
    NamesFormat,
    NumberFormat,
    PairsFormat,
    SwitchFormat,
    TextsFormat,
)
from interplay.session.request import REQUEST_OPTIONS
from runs.jsondata import Malformed

PROJECT = "interplay.toml"
PROJECT_FILES = (PROJECT, DATABASE)
"""The names of files that make a project of their folder."""

_PATHS = frozenset(("include_path", "system_path", "include", "folder", "compile_commands"))
"""Fields of a request that name files and folders."""
_GROUPS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    option.format.group_flag.removeprefix("--"): (name, option.format.group)
    for name, option in REQUEST_OPTIONS.items()
    if isinstance(option.format, NamesFormat)
}
"""Flags that stand for several names of a field, as `check-ub` does."""


class WrongProject(ValueError):
    """A project, or a folder, that names no program; the message says which and why."""


def read_project(path: Path) -> dict[str, object]:
    """The fields of a request that a project file gives, as JSON, with its files. Raises `WrongProject`."""
    folder = path.parent
    if path.name == DATABASE:
        return {"task": "", "files": [], "compile_commands": str(folder), "folder": [str(folder)]}
    import tomllib  # few runs read one

    try:
        content = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise WrongProject(f"{path}: {error}") from None
    by_flag = {one.flag.removeprefix("--"): name for name, one in REQUEST_OPTIONS.items() if one.help}
    by_flag |= {flag: name for flag, (name, _) in _GROUPS.items()}
    files = _texts(content.pop("files", ["."] if "compile-commands" not in content else []), path, "files")
    settings: dict[str, object] = {}
    for key, value in content.items():
        if key not in by_flag:
            raise WrongProject(f"{path}: {key} is none of files, {', '.join(sorted(by_flag))}")
        name = by_flag[key]
        given = _group(key, value, path) if key in _GROUPS else _value(name, value, path)
        if given is not None:
            before = settings.get(name)
            settings[name] = [*before, *given] if isinstance(before, list) and isinstance(given, list) else given
    task, *others = list(c_files([os.path.join(folder, one) for one in files])) or [""]
    folders = settings.get("folder", [])
    assert isinstance(folders, list)
    return {**settings, "folder": [*folders, str(folder)], "task": task, "files": others}


def _group(key: str, value: object, path: Path) -> list[str]:
    """The names that a flag for several of them stands for."""
    if not isinstance(value, bool):
        raise WrongProject(f"{path}: {key} must be true or false")
    return list(_GROUPS[key][1]) if value else []


def _value(name: str, value: object, path: Path) -> object:
    """The value of a field, as JSON; None for a switch that is off."""
    option = REQUEST_OPTIONS[name]
    key = option.flag.removeprefix("--")
    match option.format:
        case SwitchFormat(flagged):
            if not isinstance(value, bool):
                raise WrongProject(f"{path}: {key} must be true or false")
            given: object = flagged.value if value else None
        case TextsFormat() | NamesFormat():
            texts = _texts(value, path, key)
            given = [os.path.join(path.parent, one) for one in texts] if name in _PATHS else list(texts)
        case PairsFormat():
            if not isinstance(value, dict):
                raise WrongProject(f"{path}: {key} must be a table")
            given = {left: str(right) for left, right in value.items()}
        case NumberFormat():
            given = value
        case ChoiceFormat(values) if value not in values:
            raise WrongProject(f"{path}: {key} must be one of {', '.join(values)}")
        case _ if isinstance(value, str):
            is_file = name in _PATHS or (name == "property" and value.endswith(".prp"))
            given = os.path.join(path.parent, value) if is_file else value
        case _:
            raise WrongProject(f"{path}: {key} must be a text")
    try:
        return given if given is None else option.format.write(option.format.read(given))
    except (Malformed, ValueError) as error:
        raise WrongProject(f"{path}: {key}: {error}") from None


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


def words_of(project: Mapping[str, object]) -> list[str]:
    """The words of a command line that ask for the options of a project."""
    return [
        word
        for name, option in REQUEST_OPTIONS.items()
        if option.flag and name in project
        for word in option.format.words(option.flag, option.format.read(project[name]))
    ]
