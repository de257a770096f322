"""The registry of engines: a folder below `methods/engines` and its name here make an engine known everywhere.

The package of an engine has its `DESCRIPTION` and imports nothing else of it, so that naming engines loads none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module

from methods.engine import Engine, EngineDescription

_NAMES = ("transition", "explicit", "bmc", "concrete", "chc", "eureka", "pdr", "acsar")

_WITNESS_ENGINES = {
    "claims": "methods.engines.claims:ClaimsEngine",
    "guided": "methods.engines.guided:GuidedEngine",
}
"""Engines that examine a witness. Nobody chooses them."""


def _description(name: str) -> EngineDescription:
    found = import_module(f"methods.engines.{name}").DESCRIPTION
    assert isinstance(found, EngineDescription)
    return found


ENGINES: Mapping[str, EngineDescription] = {name: _description(name) for name in _NAMES}
"""The engines that may be asked for, by name, in the order in which they are listed."""


def create_engine(name: str) -> Engine:
    """A new engine, loaded now. Raises `KeyError`."""
    if name in _WITNESS_ENGINES:
        return _loaded(_WITNESS_ENGINES[name])()
    description = ENGINES[name]
    return _loaded(description.implementation)(*map(_loaded, description.parts))


def _loaded(name: str) -> Callable[..., Engine]:
    """The class or function that `module:name` names."""
    module, _, attribute = name.partition(":")
    found: Callable[..., Engine] = getattr(import_module(module), attribute)
    return found
