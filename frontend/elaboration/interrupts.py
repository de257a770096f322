"""Warnings about objects that handlers of interrupts may change, and that are not volatile.

A handler of interrupts is known by its look: a function without arguments and result that nothing calls. A handler of
signals is what a function such as `signal` is given.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from frontend.options import STARTER
from frontend.source import Diagnostic
from frontend.typed import tree
from frontend.typed.ctype import Void
from frontend.typed.library_table import library_function
from frontend.typed.lvalues import root
from frontend.typed.qualifiers import is_volatile
from frontend.typed.traversal import callee, nodes, unit_nodes

_STATIC = (tree.Storage.STATIC, tree.Storage.EXTERNAL)


def with_warnings(unit: tree.TranslationUnit) -> tree.TranslationUnit:
    """The unit with a warning for each object that handlers write and other code reads, and that is not volatile."""
    found = () if STARTER in unit.functions else tuple(_warnings(unit))
    return replace(unit, warnings=(*unit.warnings, *found)) if found else unit


def _warnings(unit: tree.TranslationUnit) -> Iterator[Diagnostic]:
    bodies = {name: one.body for name, one in unit.functions.items() if one.body is not None}
    if "main" not in bodies:
        return
    calls = {name: list(_named(nodes(body))) for name, body in bodies.items()}
    ordinary = _reached(["main"], calls)
    signals = set(_handlers_of_signals(unit))
    interrupts = [name for name in bodies if _is_handler(unit, name, calls)]
    reads = {
        base.object.name
        for name in ordinary - signals
        for node in nodes(bodies[name])
        if isinstance(node, tree.Load) and isinstance(base := root(node.lvalue), tree.Variable)
    }
    told: set[str] = set()
    for handler in (*interrupts, *sorted(signals & bodies.keys())):
        for name in sorted(_reached([handler], calls)):
            for object_ in _written(nodes(bodies[name])):
                if object_.name in reads - told:
                    told.add(object_.name)
                    by, runs = (handler, "which nothing calls"), "no interrupt is taken to happen"
                    if handler in signals:
                        by, runs = (handler, "a handler of signals"), "only raise, abort and kill(getpid(), …) run it"
                    text = f"{object_.source_name} is written by {', '.join(by)}, and is not volatile: {runs}"
                    yield Diagnostic(object_.span, text)


def _named(every: Iterable[tree.Node]) -> Iterator[str]:
    return (node.function for node in every if isinstance(node, tree.FunctionAddress))


def _reached(roots: Iterable[str], calls: Mapping[str, Iterable[str]]) -> set[str]:
    """The functions with a body that these name, themselves or through one another."""
    pending, found = list(roots), set[str]()
    while pending:
        name = pending.pop()
        if name in calls and name not in found:
            found.add(name)
            pending += calls[name]
    return found


def _is_handler(unit: tree.TranslationUnit, name: str, calls: Mapping[str, list[str]]) -> bool:
    function = unit.functions[name]
    if name == "main" or not isinstance(function.type.result, Void) or function.type.parameters:
        return False
    if any(name in named for other, named in calls.items() if other != name):
        return False
    is_kept = name in _named(nodes(*unit.globals))
    return not is_kept or not any(isinstance(node, tree.Call) and callee(node) is None for node in unit_nodes(unit))


def _handlers_of_signals(unit: tree.TranslationUnit) -> Iterator[str]:
    undefined = (name for name, one in unit.functions.items() if one.body is None)
    makers = {name for name in undefined if library_function(name).handler is not None}
    for node in unit_nodes(unit) if makers else ():
        if isinstance(node, tree.Call) and callee(node) in makers:
            yield from _named(nodes(*node.arguments))


def _written(every: Iterable[tree.Node]) -> Iterator[tree.Object]:
    """The static objects that are assigned to, and not as volatile ones."""
    for node in every:
        if isinstance(node, tree.Assign | tree.CompoundAssign | tree.Increment) and not is_volatile(node.target.type):
            base = root(node.target)
            if isinstance(base, tree.Variable) and base.object.storage in _STATIC:
                yield base.object
