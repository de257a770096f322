"""Flags of a compiler for a whole program: the files of one program have one data model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from frontend.preprocessing.compiler_flags import CompilerFlags, WrongFlag, read_flags
from frontend.source import FlagConflict, Unsupported, point
from frontend.typed.ctype import DataModel, Target


def with_own_flags(words: Sequence[str], before: CompilerFlags) -> CompilerFlags:
    """The flags of a file with those of our command line behind them. Raises `Unsupported`."""
    try:
        return read_flags(words, "", before)
    except WrongFlag as error:
        raise Unsupported(point("command line", 0, 0), str(error)) from None


def agreed_model(flags: Mapping[str, CompilerFlags], asked: DataModel | None) -> DataModel:
    """The data model of files with these flags, which must be that which is asked for. Raises `FlagConflict`."""
    target, chosen_by = (Target.ILP32, "") if asked is None else (asked.target, "the data model that is asked for")
    for file, one in flags.items():
        if one.target is not None and chosen_by and one.target is not target:
            raise FlagConflict(
                point(file, 0, 0),
                f"its flags choose {one.target.value}, {chosen_by} is {target.value}: a program has one",
            )
        if one.target is not None and not chosen_by:
            target, chosen_by = one.target, f"that of {file}"
    models = {file: one.model(target) for file, one in flags.items()}
    first = next(iter(models), "")
    for file, model in models.items():
        if model != models[first]:
            said = f"{first} is compiled for {models[first]}, this file for {model}: a program has one data model"
            raise FlagConflict(point(file, 0, 0), said)
    return models[first] if first else asked or DataModel.ILP32


def joined_flags(flags: Sequence[CompilerFlags]) -> CompilerFlags:
    """Flags of a whole program: what holds of all of its files, or of any of them."""
    return CompilerFlags(
        wraps=bool(flags) and all(one.wraps for one in flags),
        traps=any(one.traps for one in flags),
        floats=tuple(dict.fromkeys(flag for one in flags for flag in one.floats)),
        unknown=tuple(dict.fromkeys(flag for one in flags for flag in one.unknown)),
    )
