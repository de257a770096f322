"""The only module that imports pysolvers: refutations with the clauses that each derived clause follows from.

The solver is CaDiCaL 3.0, which writes proofs in LIDRUP: lines `i id literals 0` for clauses as given,
`l id literals 0 ids 0` for derived clauses with their antecedents, in the order in which unit propagation uses them.
pysat's own `with_proof` logs no antecedents; to find them again by propagation took 10 to 75 times as long.

Limitations: this interface of pysolvers is not documented. What it yields is therefore only a hint, from which
`sat.refutation` derives a proof of its own.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO, Protocol, cast

from sat.solver import Clause

# `factor` would yield clauses without antecedents. The others are preprocessing, of no use for formulas of one path.
_OPTIONS = {"lidrup": 1, "binary": 0, "factor": 0, "inprocessing": 0, "preprocesslight": 0, "lucky": 0}


@dataclass(frozen=True, slots=True)
class Derived:
    """A derived clause; antecedents ≥ 0 are positions among the clauses, `-1 - n` is the n-th derived clause."""

    clause: tuple[int, ...]
    antecedents: tuple[int, ...]


class _Library(Protocol):
    """The part of pysolvers that is used; a solver and an open trace are opaque."""

    def cadical300_new(self) -> object: ...
    def cadical300_set(self, solver: object, option: str, value: int) -> object: ...
    def cadical300_tracepr(self, solver: object, file: BinaryIO) -> object: ...
    def cadical300_add_cl(self, solver: object, clause: list[int]) -> object: ...
    def cadical300_solve(self, solver: object, assumptions: list[int], main_thread: int) -> bool | None: ...
    def cadical300_del(self, solver: object, file: BinaryIO) -> object: ...
    def flushpr(self, trace: object) -> object: ...


def derivation(clauses: Sequence[Clause]) -> tuple[Derived, ...] | None:
    """Clauses that follow one after the other, all needed for the last one, which is empty; None if there is a model.

    No clause may be empty: the derivation of an empty clause from itself is not logged.
    """
    # Imported here: a run that needs no proof should not pay for it.
    import pysolvers

    library = cast(_Library, pysolvers)
    with tempfile.TemporaryFile() as file:
        solver = library.cadical300_new()
        try:
            for option, value in _OPTIONS.items():
                library.cadical300_set(solver, option, value)  # before the trace is opened
            trace = library.cadical300_tracepr(solver, cast(BinaryIO, file))
            for clause in clauses:
                library.cadical300_add_cl(solver, list(clause))
            if library.cadical300_solve(solver, [], 0) is not False:
                return None
            library.flushpr(trace)
            file.seek(0)
            return tuple(_read(file.read().decode("ascii")))
        finally:
            library.cadical300_del(solver, cast(BinaryIO, file))


def _read(text: str) -> Iterator[Derived]:
    """The derived clauses that the first empty one needs."""
    numbers: dict[str, int] = {}
    derived: dict[str, str] = {}
    last = ""
    for line in text.splitlines():
        kind, _, line = line.partition(" ")
        name, _, rest = line.partition(" ")
        if kind == "i":
            numbers[name] = len(numbers)
        elif kind == "l":
            derived[name] = rest
            if rest.startswith("0 "):
                last = name
                break
    needed, found = {last}, list[tuple[str, list[str], list[str]]]()
    for name, rest in reversed(derived.items()):
        if name in needed:
            words = rest.split()
            end = words.index("0")
            found.append((name, words[:end], words[end + 1 : -1]))
            needed.update(words[end + 1 : -1])
    for n, (name, clause, antecedents) in enumerate(reversed(found)):
        yield Derived(tuple(map(int, clause)), tuple(numbers[word] for word in antecedents))
        numbers[name] = -1 - n
