"""The options of a request on the command line, as `interplay.session.request` describes them."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence

from interplay.session.options import (
    ChoiceFormat,
    NamesFormat,
    PairsFormat,
    Section,
    SwitchFormat,
    TextsFormat,
    ValueFormat,
    WrongWord,
)
from interplay.session.request import DEFAULTS, REQUEST_OPTIONS, Request, read_request


def add_options(parser: argparse.ArgumentParser, sections: Sequence[Section]) -> None:
    """Add the options of these sections; each has the name of its field as destination, and a JSON value."""
    for name, option in REQUEST_OPTIONS.items():
        if option.section in sections:
            add_option(parser, name)


def add_option(parser: argparse.ArgumentParser, name: str, help: str = "", default: int | None = None) -> None:
    """Add the option of one field; `help` and `default` of a command go before those of the description."""
    option = REQUEST_OPTIONS[name]
    usual = default or option.asked or (None if DEFAULTS[name] is None else option.format.write(DEFAULTS[name]))
    words = (help or option.help).replace("%", "%%") or argparse.SUPPRESS
    spellings = [one for one in (option.flag, option.short) if one]
    match option.format:
        case SwitchFormat(flagged):
            parser.add_argument(
                option.flag, dest=name, action="store_const", const=flagged.value, default=usual, help=words
            )
        case NamesFormat(_, group, group_flag):
            parser.add_argument(
                option.flag,
                dest=name,
                metavar=option.metavar,
                type=word_of(option.format),
                action="extend",
                default=usual,
                help=words,
            )
            parser.add_argument(
                group_flag,
                dest=name,
                action=_Extend,
                nargs=0,
                const=list(group),
                help=f"all undefined behaviour of {option.flag}: {', '.join(group)}",
            )
        case PairsFormat():
            parser.add_argument(
                option.flag,
                dest=name,
                metavar=option.metavar,
                type=word_of(option.format),
                action=_Merge,
                default=usual,
                help=words,
            )
        case TextsFormat():
            parser.add_argument(
                *spellings,
                dest=name,
                metavar=option.metavar,
                type=word_of(option.format),
                action=_Extend,
                default=usual,
                help=words,
            )
        case _:
            shown = usual if usual is not None else option.unset
            parser.add_argument(
                *spellings,
                dest=name,
                metavar=option.metavar or None,
                choices=option.format.values if isinstance(option.format, ChoiceFormat) else None,
                type=word_of(option.format),
                default=usual,
                help=f"{words}; default: {shown}" if shown not in (None, "") else words,
            )


def word_of(format_: ValueFormat) -> Callable[[str], object]:
    """The reader of a word for `argparse`, which prints the reason for an invalid word."""

    def read(word: str) -> object:
        try:
            return format_.parse(word)
        except WrongWord as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return read


class _Extend(argparse.Action):
    """Adds to a list; a word that is there already is not added again."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        assert isinstance(values, list)
        before = getattr(namespace, self.dest) or []
        setattr(namespace, self.dest, [*before, *(one for one in self.const or values if one not in before)])


class _Merge(argparse.Action):
    """Adds to a mapping; of a name that comes twice, the last value counts."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        assert isinstance(values, dict)
        setattr(namespace, self.dest, {**getattr(namespace, self.dest), **values})


class PrintParameters(argparse.Action):
    """Prints the table of the parameters of search, and ends."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from core.parameters import table_text

        print(table_text(), end="")
        parser.exit()


def applied(request: Request, options: argparse.Namespace) -> Request:
    """The request with the options of the command line in place of its own."""
    chosen = {
        name: getattr(options, name) for name, one in REQUEST_OPTIONS.items() if one.flag and hasattr(options, name)
    }
    return read_request({**request.to_json(), **chosen})
