"""The parameters of search: numbers that decide how soon there is an answer, and whether there is one, never which.

`resources/parameters.txt` has a row for each; its head says how they are read. A module takes its own when it is
imported, so `choose` comes before: where a value was taken already, it says so instead of changing nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from core.dataclass import dataclass
from resources import resource_text, rows


class WrongParameter(ValueError):
    """A parameter that does not exist, or a value that it cannot have."""


@dataclass(frozen=True)
class Parameter:
    """A row of the table. A value is an integer where the default is one; one that is not `swept` has its default."""

    name: str
    default: int | float
    low: int | float
    high: int | float
    swept: bool
    meaning: str

    def read(self, text: str) -> int | float:
        """The value that `text` says. Raises `WrongParameter`."""
        kind = type(self.default)
        try:
            value = kind(text)
        except ValueError:
            raise WrongParameter(f"{self.name}: {text!r} is no {'integer' if kind is int else 'number'}") from None
        if not self.swept:
            raise WrongParameter(f"{self.name} is always {self.default}")
        if not self.low <= value <= self.high:
            raise WrongParameter(f"{self.name} is between {self.low} and {self.high}, not {text}")
        return value


_chosen: dict[str, int | float] = {}
_taken: set[str] = set()


def table_text() -> str:
    """The text of the table."""
    return resource_text("parameters.txt")


@cache
def _rows() -> Mapping[str, str]:
    """The rows of the table by name, of which a run needs a part."""
    columns = (row.partition("|") for row in rows(table_text()))
    return {name.strip(): rest for name, _, rest in columns}


@cache
def parameters() -> Mapping[str, Parameter]:
    """All parameters, by name."""
    return {name: _described(name) for name in _rows()}


def _described(name: str) -> Parameter:
    default, bounds, swept, meaning = (column.strip() for column in _rows()[name].split("|"))
    low, _, high = bounds.partition("..")
    return Parameter(name, _number(default), _number(low), _number(high), swept == "yes", meaning)


def _number(text: str) -> int | float:
    return float(text) if "." in text else int(text)


def read_value(name: str, text: str) -> int | float:
    """The value of a parameter that `text` says. Raises `WrongParameter`."""
    if name not in _rows():
        raise WrongParameter(f"there is no parameter {name}; `interplay engine --parameters` lists them")
    return _described(name).read(text)


def choose(values: Mapping[str, str]) -> None:
    """Give parameters other values than their defaults, in this process and its forks. Raises `WrongParameter`."""
    read = {name: read_value(name, text) for name, text in values.items()}
    late = sorted(name for name, value in read.items() if name in _taken and value != _value(name))
    if late:
        raise RuntimeError(f"{', '.join(late)}: chosen after a module has taken it")
    _chosen.update(read)


def parameter(name: str) -> int:
    """The value of a parameter that is an integer, for the module that has it."""
    value = _take(name)
    assert isinstance(value, int)
    return value


def real_parameter(name: str) -> float:
    """The value of a parameter that is a share, a factor or a time, likewise."""
    value = _take(name)
    assert isinstance(value, float)
    return value


def _take(name: str) -> int | float:
    _taken.add(name)
    return _value(name)


def _value(name: str) -> int | float:
    if name in _chosen:
        return _chosen[name]
    return _number(_rows()[name].partition("|")[0])
