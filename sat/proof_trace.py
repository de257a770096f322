"""The only module that imports pysolvers: refutations with the clauses that each derived clause follows from.

The solver is CaDiCaL 3.0, which writes proofs in LIDRUP: lines `i id literals 0` for clauses as given,
`l id literals 0 ids 0` for derived clauses with their antecedents, in the order in which unit propagation uses them,
and `u literals 0 ids 0` for assumptions that contradict each other. pysat's own `with_proof` logs no antecedents; to
find them again by propagation took 10 to 75 times as long.

Limitations: this interface of pysolvers is not documented. What it yields is therefore only a hint, from which
`sat.refutation` and the kernel of decisions derive proofs of their own.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Container, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import BinaryIO, Protocol, Self, cast

from sat.solver import Clause

# `factor` would yield clauses without antecedents. The others are preprocessing, of no use for formulas of one path.
_OPTIONS = {"lidrup": 1, "binary": 0, "factor": 0, "inprocessing": 0, "preprocesslight": 0, "lucky": 0}


@dataclass(frozen=True, slots=True)
class Logged:
    """A derived clause; antecedents ≥ 0 are positions among the clauses, `-1 - n` is the n-th derived clause."""

    clause: tuple[int, ...]
    antecedents: tuple[int, ...]


class _Library(Protocol):
    """The part of pysolvers that is used; a solver and an open trace are opaque."""

    def cadical300_new(self) -> object: ...
    def cadical300_set(self, solver: object, option: str, value: int) -> object: ...
    def cadical300_tracepr(self, solver: object, file: BinaryIO) -> object: ...
    def cadical300_add_cl(self, solver: object, clause: list[int]) -> object: ...
    def cadical300_cbudget(self, solver: object, conflicts: int) -> object: ...
    def cadical300_solve_lim(self, solver: object, assumptions: list[int], main_thread: int) -> int: ...
    def cadical300_model(self, solver: object) -> list[int] | None: ...
    def cadical300_del(self, solver: object, file: BinaryIO) -> object: ...
    def flushpr(self, trace: object) -> object: ...


class ProvingSolver:
    """A growing set of clauses, and proofs that assumptions contradict them. Use it in a `with` statement.

    No clause may be empty: the derivation of an empty clause from itself is not logged.
    """

    def __init__(self) -> None:
        # Imported here: a run that needs no proof should not pay for it.
        import pysolvers

        self._library = cast(_Library, pysolvers)
        self._file = cast(BinaryIO, tempfile.TemporaryFile())  # noqa: SIM115 closed at the exit
        self._solver = self._library.cadical300_new()
        for option, value in _OPTIONS.items():
            self._library.cadical300_set(self._solver, option, value)  # before the trace is opened
        self._trace = self._library.cadical300_tracepr(self._solver, self._file)
        self._has_model = False
        self._given = 0
        self._numbers: dict[str, int] = {}  # of clauses by what the trace calls them
        self._derived: list[str | Logged] = []  # as logged, or read

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._library.cadical300_del(self._solver, self._file)
        self._file.close()

    def add(self, clause: Clause) -> None:
        """Require one of the literals."""
        self._has_model = False  # of which the library ends the process when it is asked
        self._library.cadical300_add_cl(self._solver, list(clause))

    def refutation(self, assumptions: Sequence[int] = (), conflicts: int = -1) -> Logged | None:
        """The clause that denies assumptions that are refuted; None with a model, or after `conflicts`."""
        self._library.cadical300_cbudget(self._solver, conflicts)
        answer = self._library.cadical300_solve_lim(self._solver, list(assumptions), 0)
        self._has_model = answer > 0
        self._library.flushpr(self._trace)
        last = self._read()
        if answer >= 0 or last is None:  # 1 with a model, 0 after `conflicts`
            return None
        refuted = self._parsed(last)
        return Logged(tuple(-n for n in refuted.clause), refuted.antecedents)

    def model(self) -> list[int]:
        """The literals that hold in the model that the last answer was; none where it was another, or clauses came."""
        return self._library.cadical300_model(self._solver) or [] if self._has_model else []

    def needed(self, last: Logged, known: Container[int] = ()) -> list[tuple[int, Logged]]:
        """The derived clauses on which `last` rests, but for those that are `known`, by number, in their order."""
        found: dict[int, Logged] = {}
        waiting = [last]
        while waiting:
            for n in waiting.pop().antecedents:
                if n < 0 and n not in found and n not in known:
                    found[n] = self._of_number(n)
                    waiting.append(found[n])
        return sorted(found.items(), key=_number, reverse=True)

    def _of_number(self, number: int) -> Logged:
        one = self._derived[-1 - number]
        if isinstance(one, str):
            one = self._derived[-1 - number] = self._parsed(one)
        return one

    def _read(self) -> str | None:
        """Read what was logged since the last time; returns the last refutation in it."""
        size = os.fstat(self._file.fileno()).st_size
        text = os.pread(self._file.fileno(), size, 0).decode("ascii")
        os.ftruncate(self._file.fileno(), 0)
        os.lseek(self._file.fileno(), 0, os.SEEK_SET)
        last = None
        for line in text.splitlines():
            kind, _, rest = line.partition(" ")
            name, _, content = rest.partition(" ")
            if kind == "i":
                self._numbers[name] = self._given
                self._given += 1
            elif kind == "l":
                self._derived.append(content)
                self._numbers[name] = -len(self._derived)
            elif kind == "u":
                last = rest
        return last

    def _parsed(self, text: str) -> Logged:
        words = text.split()
        end = words.index("0")
        return Logged(tuple(map(int, words[:end])), tuple(self._numbers[word] for word in words[end + 1 : -1]))


def derivation(clauses: Sequence[Clause]) -> tuple[Logged, ...] | None:
    """Clauses that follow one after the other, all needed for the last one, which is empty; None if there is a model.

    No clause may be empty.
    """
    with ProvingSolver() as solver:
        for clause in clauses:
            solver.add(clause)
        last = solver.refutation()
        if last is None:
            return None
        found = solver.needed(last)
    place = {number: -1 - i for i, (number, _) in enumerate(found)}
    return tuple(Logged(one.clause, tuple(place.get(a, a) for a in one.antecedents)) for _, one in found)


def _number(one: tuple[int, Logged]) -> int:
    return one[0]
