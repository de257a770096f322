"""Every engine and every configuration of each, from the registry and the options of the engines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from enum import StrEnum

from methods.options import EngineOptions
from methods.registry import ENGINES

_NEEDS = {("strength", "weak"): (("interpolants", "resolution"),)}
"""Values that mean nothing unless others are set."""


@dataclass(frozen=True)
class Configuration:
    """An engine with the options that are not at their defaults."""

    engine: str
    options: tuple[tuple[str, str], ...] = ()

    @property
    def name(self) -> str:
        return " ".join((self.engine, *(f"{name}={value}" for name, value in self.options)))


def configurations() -> list[Configuration]:
    """Each engine as it is, and with each value of each option."""
    return [Configuration(engine, options) for engine in ENGINES for options in _choices(ENGINES[engine].options)]


def _choices(kind: type[EngineOptions]) -> Iterator[tuple[tuple[str, str], ...]]:
    yield ()
    for option in fields(kind):
        default = option.default
        assert isinstance(default, StrEnum)
        for value in type(default):
            if value is not default:
                choice = option.name.replace("_", "-"), value.value
                yield (*_NEEDS.get(choice, ()), choice)
