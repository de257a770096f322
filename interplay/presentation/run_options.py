"""The options of a run as a user chooses them, and the request that follows."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import Field, fields, replace
from enum import StrEnum

from core.dataclass import dataclass
from core.program.properties import PropertyKind
from interplay.session.request import PORTFOLIO, Request, read_request
from methods.registry import ENGINES
from runs.jsondata import Malformed, as_object, compact, parse

AUTOMATIC = "Automatic"

PROPERTIES: Mapping[str | None, tuple[str, str]] = {
    None: ("Assertions", "No assert fails, no call of reach_error() and no ERROR label is reached"),
    **{kind.value: (kind.row.title, kind.row.meaning) for kind in PropertyKind if kind.row.title},
}
"""The properties that can be verified: a title and a description each."""


def shown_property(property: str | None) -> str:
    """The title of a property; for a property file its name."""
    if property in PROPERTIES:
        return PROPERTIES[property][0]
    return os.path.basename(property or "").removesuffix(".prp")


def shown_verdict(verdict: str) -> str:
    """A verdict, without the property that most programs are about."""
    return verdict.removesuffix(f"({PropertyKind.UNREACH_CALL})")


@dataclass(frozen=True)
class EngineOption:
    """An option of an engine. `values` are its possible values, the default first; empty where any text is allowed."""

    name: str
    words: str
    default: str
    values: tuple[str, ...]

    @property
    def title(self) -> str:
        return self.name.replace("-", " ").capitalize()

    @property
    def sentence(self) -> str:
        return f"{self.words[:1].upper()}{self.words[1:]}." if self.words else ""


def engines() -> Mapping[str, str]:
    """The engines by name, with a description each; the automatic choice first."""
    return {AUTOMATIC: "The program decides which engines are tried, side by side"} | {
        name: engine.method for name, engine in ENGINES.items()
    }


def engine_named(choice: str) -> str:
    """The engine of a choice."""
    if choice != AUTOMATIC:
        return choice
    return PORTFOLIO


def shown_engine(engine: str) -> str:
    """The name of an engine as shown in the list of choices."""
    return AUTOMATIC if engine == PORTFOLIO else engine


def options_of(choice: str) -> tuple[EngineOption, ...]:
    """The options of an engine."""
    engine = ENGINES.get(engine_named(choice))
    return () if engine is None else tuple(_option(one) for one in fields(engine.options))


def _option(field: Field[object]) -> EngineOption:
    default = str(field.default)
    values = tuple(str(value) for value in type(field.default)) if isinstance(field.default, StrEnum) else ()
    ordered = (default, *(value for value in values if value != default)) if values else ()
    return EngineOption(field.name.replace("_", "-"), str(field.metadata.get("help", "")), default, ordered)


DEFAULT = Request(task="", engine=AUTOMATIC, time_limit=300.0)


def request_for(base: Request, told: Mapping[str, object], property: str | None) -> Request:
    """The request that applies the chosen options to a program. The engine of `base` may be `Automatic`.

    `told` are the fields, as JSON, that the program says itself: its task, and the options of a project, which have
    precedence over those of `base` that are the default ones.
    """
    usual = DEFAULT.to_json()
    chosen = {name: value for name, value in base.to_json().items() if name not in usual or value != usual[name]}
    merged = read_request({**usual, **told, **chosen, "task": told["task"], "property": property})
    known = {option.name for option in options_of(merged.engine)}
    options = tuple((name, value) for name, value in merged.options if name in known)
    return replace(merged, engine=engine_named(merged.engine), options=options)


def to_text(base: Request) -> str:
    """The options as text, for the settings."""
    return compact(base.to_json())


def from_text(text: str) -> Request:
    """The options that `to_text` wrote; the defaults where the text is invalid, or names an unknown engine."""
    try:
        found = read_request(as_object(parse(text)))
    except Malformed:
        return DEFAULT
    return found if found.engine in engines() else DEFAULT
