"""Options of engines: one frozen dataclass an engine, whose fields are its options.

An option is written `name=value`. Every field has a default and says in its metadata what it is for; its type is an
enumeration of the values. Options never decide soundness: evidence is checked whatever they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, fields
from enum import StrEnum
from typing import TypeVar, cast

from core.dataclass import dataclass


class WrongOption(ValueError):
    """An option that the engine does not have, or a value that the option does not take."""


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """The options of an engine that has none; the base of those that have some."""


T = TypeVar("T", bound=EngineOptions)


def read_options(kind: type[T], values: Mapping[str, str]) -> T:
    """Read the options that `values` give; the others have their defaults. Raises `WrongOption`."""
    options = {_name(option): option for option in fields(kind)}
    chosen: dict[str, StrEnum] = {}
    for name, value in values.items():
        if name not in options:
            raise WrongOption(f"there is no option {name}; there are {', '.join(options)}")
        allowed = _values(options[name])
        if value not in list(allowed):
            raise WrongOption(f"{name} is one of {', '.join(allowed)}, not {value}")
        chosen[options[name].name] = allowed(value)
    return kind(**chosen)


def describe_options(kind: type[EngineOptions]) -> list[str]:
    """One line per option: its name, its values (the default first) and what it is for."""
    return [_description(option) for option in fields(kind)]


def _description(option: Field[object]) -> str:
    default = str(option.default)
    others = [value for value in _values(option) if value != default]
    return f"{_name(option)}={'|'.join([default, *others])}: {option.metadata['help']}"


def _name(option: Field[object]) -> str:
    return option.name.replace("_", "-")


def _values(option: Field[object]) -> type[StrEnum]:
    return cast(type[StrEnum], type(option.default))
