"""Descriptions of the options of a request: command line, JSON, window, report and reproduction command read them.

The options themselves are the fields of `interplay.session.request.Request`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import Enum, StrEnum

from core.dataclass import dataclass
from core.parameters import WrongParameter, read_value
from runs.jsondata import Malformed, as_int, as_list, as_number, as_object, as_str


class WrongWord(ValueError):
    """A word of a command line that is no value of the option."""


class Section(Enum):
    """Groups of options that commands share."""

    SOURCES = "sources"
    """How the text of the program is read."""
    QUESTION = "question"
    """The property, and the sizes of types."""
    ENGINE = "engine"
    SEARCH = "search"
    """The way in which the engine searches."""
    LIMITS = "limits"
    """Resources, and what may be executed."""


VERIFY = tuple(Section)
EXAMINE_WITNESS = (Section.SOURCES, Section.QUESTION, Section.ENGINE, Section.LIMITS)
CHECK = (Section.LIMITS,)
"""The sections of the commands that `verify`, examine a witness, and check a run file."""


@dataclass(frozen=True)
class ValueFormat:
    """The written forms of the values of an option: JSON, command line, display."""

    def read(self, value: object) -> object:
        """The value of a JSON value. Raises `Malformed` and `ValueError`."""
        raise NotImplementedError

    def write(self, value: object) -> object:
        """The JSON value of a value. Law: `read(write(value)) == value`."""
        return value.value if isinstance(value, StrEnum) else value

    def parse(self, word: str) -> object:
        """The JSON value (of a collection: a part of it) that a word of a command line gives. Raises `WrongWord`."""
        return word

    def words(self, flag: str, value: object) -> list[str]:
        """The words that give a value on a command line."""
        return [flag, self.shown(value)]

    def shown(self, value: object) -> str:
        """The value for display."""
        return str(self.write(value))


@dataclass(frozen=True)
class TextFormat(ValueFormat):
    """Any text."""

    def read(self, value: object) -> object:
        return as_str(value)


@dataclass(frozen=True)
class ChoiceFormat(ValueFormat):
    """One of a few words; `make` gives the value of a word, and raises `ValueError` for a word that has none."""

    values: tuple[str, ...]
    make: Callable[[str], object] = str

    @staticmethod
    def of(kind: type[StrEnum]) -> ChoiceFormat:
        return ChoiceFormat(tuple(one.value for one in kind), kind)

    def read(self, value: object) -> object:
        return self.make(as_str(value))


@dataclass(frozen=True)
class NumberFormat(ValueFormat):
    """Numbers that are `allowed`; `demand` describes them in an error message."""

    unit: str
    whole: bool
    allowed: Callable[[float], bool]
    demand: str

    def read(self, value: object) -> object:
        number = as_int(value) if self.whole else as_number(value)
        if not self.allowed(number):
            raise Malformed(f"a number {self.demand}")
        return number

    def parse(self, word: str) -> object:
        try:
            number = int(word) if self.whole else float(word)
        except ValueError:
            raise WrongWord(f"{word!r} is no {'integer' if self.whole else 'number'}") from None
        if not self.allowed(number):
            raise WrongWord(self.demand)
        return number

    def words(self, flag: str, value: object) -> list[str]:
        return [flag, _short(value)]

    def shown(self, value: object) -> str:
        return f"{_short(value)} {self.unit}".strip()


def _short(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


@dataclass(frozen=True)
class SwitchFormat(ValueFormat):
    """One of two values; the flag alone gives `flagged`."""

    flagged: StrEnum

    def read(self, value: object) -> object:
        return type(self.flagged)(as_str(value))

    def words(self, flag: str, value: object) -> list[str]:
        return [flag] if value == self.flagged else []


@dataclass(frozen=True)
class NamesFormat(ValueFormat):
    """Some of a few names, in this order; `group_flag` is a flag for those in `group`."""

    names: tuple[str, ...]
    group: tuple[str, ...]
    group_flag: str

    def read(self, value: object) -> object:
        names = [as_str(one) for one in as_list(value)]
        for name in names:
            if name not in self.names:
                raise Malformed(f"{name} is none of {', '.join(self.names)}")
        return tuple(name for name in self.names if name in names)

    def write(self, value: object) -> object:
        assert isinstance(value, tuple)
        return list(value)

    def parse(self, word: str) -> object:
        names = [name.strip() for name in word.split(",")]
        for name in names:
            if name not in self.names:
                raise WrongWord(f"{name!r} is none of {', '.join(self.names)}")
        return names

    def words(self, flag: str, value: object) -> list[str]:
        assert isinstance(value, tuple)
        return [flag, ",".join(value)]

    def shown(self, value: object) -> str:
        assert isinstance(value, tuple)
        return ", ".join(value)


@dataclass(frozen=True)
class PairsFormat(ValueFormat):
    """Names with values; on a command line, the flag is repeated."""

    def read(self, value: object) -> object:
        return tuple((name, as_str(one)) for name, one in as_object(value).items())

    def write(self, value: object) -> object:
        assert isinstance(value, tuple)
        return dict(value)

    def parse(self, word: str) -> object:
        name, equals, value = word.partition("=")
        if not equals:
            raise WrongWord("must be NAME=VALUE")
        return {name: value}

    def words(self, flag: str, value: object) -> list[str]:
        assert isinstance(value, tuple)
        return [word for name, one in value for word in (flag, f"{name}={one}")]

    def shown(self, value: object) -> str:
        assert isinstance(value, tuple)
        return ", ".join(f"{name}={one}" for name, one in value)


@dataclass(frozen=True)
class ParametersFormat(PairsFormat):
    """Names of parameters of search (`core.parameters`) with values."""

    def read(self, value: object) -> object:
        found = {name: as_str(one) for name, one in as_object(value).items()}
        for name, one in found.items():
            read_value(name, one)
        return tuple(found.items())

    def parse(self, word: str) -> object:
        pair = as_object(super().parse(word))
        try:
            self.read(pair)
        except WrongParameter as error:
            raise WrongWord(str(error)) from None
        return pair


@dataclass(frozen=True)
class TextsFormat(ValueFormat):
    """Any texts, in their order; on a command line, the flag is repeated."""

    def read(self, value: object) -> object:
        return tuple(as_str(one) for one in as_list(value))

    def write(self, value: object) -> object:
        assert isinstance(value, tuple)
        return list(value)

    def parse(self, word: str) -> object:
        return [word]

    def words(self, flag: str, value: object) -> list[str]:
        assert isinstance(value, tuple)
        return [word for one in value for word in (flag, one)]

    def shown(self, value: object) -> str:
        assert isinstance(value, tuple)
        return ", ".join(value)


@dataclass(frozen=True)
class FlagsFormat(TextsFormat):
    """Texts that begin with a dash; on a command line, each stands in one word with the flag."""

    def words(self, flag: str, value: object) -> list[str]:
        assert isinstance(value, tuple)
        return [f"{flag}={one}" for one in value]


@dataclass(frozen=True)
class RequestOption:
    """The description of a field of a request.

    `short` is another spelling of `flag`, that of gcc. A field without `flag` is not chosen on a command line, one
    without `title` not among the options of the window. `help` serves both; `words` are those of the window where
    `help` is too long for it; an option without `help` is not told to users. `unset` says what None means. `asked` is
    the default of the command line (as JSON), where that is not the default of the field. `sparse`: JSON leaves the
    field out where it is empty.
    """

    format: ValueFormat
    sparse: bool = False
    flag: str = ""
    metavar: str = ""
    section: Section | None = None
    short: str = ""
    help: str = ""
    title: str = ""
    words: str = ""
    advanced: bool = False
    unset: str = ""
    asked: str | int | None = None

    @property
    def keyword(self) -> str:
        """The name of the option in `interplay.verify`."""
        return self.flag.removeprefix("--").replace("-", "_")

    @property
    def sentence(self) -> str:
        text = self.words or self.help
        return f"{text[:1].upper()}{text[1:]}."

    def shown(self, value: object) -> str:
        """The value for display."""
        return (self.unset or "none") if value in (None, ()) else self.format.shown(value)


TEXT = TextFormat()
TEXTS = TextsFormat()
FLAGS = FlagsFormat()
POSITIVE = NumberFormat("", True, lambda number: 0 < number < 1 << 40, "must be positive")
MEGABYTES = replace(POSITIVE, unit="MB")
SECONDS = NumberFormat("s", False, lambda number: 0 < number < 1e9, "must be positive")
SECONDS_OR_NONE = NumberFormat("s", False, lambda number: 0 <= number < 1e9, "must not be negative")


def described(option: RequestOption) -> Mapping[str, RequestOption]:
    """The metadata of a field with this description."""
    return {"option": option}
