"""Certificates that people write: one JSON document beside its program, with formulas in SMT-LIB.

`docs/certificates.md` describes the format. The program is the file that the document names; what is claimed of it is
examined like any other evidence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from core.program import Program
from core.program.expansion import At
from core.terms import BOOL, INT, INT_ARRAY, PROOF_SIGN, Sort, Term
from core.terms.formulas import read_formula
from core.terms.smtlib import NotReadable
from core.verdict import RELATION, SET, Certificate, Contract, Fold, Ghost, GhostField, HeapGhosts
from runs.jsondata import Malformed, as_int, as_ints, as_list, as_object, as_str

FORMAT = "interplay-certificate"
VERSION = 1
_FIELDS = frozenset({"format", "version", "options", "invariants", "lemmas", "contracts", "ghosts"})

_Object = dict[str, object]


def is_certificate(value: object) -> bool:
    """Whether a document says that it is a certificate. Raises `Malformed` for one of another version."""
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        return False
    if value.get("version") != VERSION:
        raise Malformed(f"certificates of version {value.get('version')} are not read here; {VERSION} is")
    return True


def decode_certificate(value: object, program: Program) -> Certificate:
    """The certificate that a document states about a program. Raises `Malformed`."""
    return _CertificateReader(as_object(value), program).certificate()


class _CertificateReader:
    """Reads one document."""

    def __init__(self, data: _Object, program: Program) -> None:
        unknown = sorted(data.keys() - _FIELDS)
        if unknown:
            raise Malformed(f"certificates have no field {unknown[0]!r}")
        self._data, self._program, self._arena = data, program, program.arena
        self._ghosts: dict[str, Term] = {}

    def certificate(self) -> Certificate:
        ghosts = tuple(self._ghost(as_object(one)) for one in self._list("ghosts"))
        invariants: dict[At, Term] = {}
        for one in map(as_object, self._list("invariants")):
            at = self._place(one)
            invariants[at] = self._term(one, "formula", self._names(self._function(at)))
        names = self._names(None)
        lemmas = tuple(self._read(as_str(text), names, BOOL) for text in self._list("lemmas"))
        contracts = dict(map(self._contract, map(as_object, self._list("contracts"))))
        return Certificate(invariants, lemmas, contracts, ghosts)

    def _contract(self, data: _Object) -> tuple[str, Contract]:
        function = as_str(_field(data, "function"))
        if function not in self._program.functions:
            raise Malformed(f"the program has no function {function!r}")
        names = self._names(function)
        return function, Contract(self._term(data, "pre", names), self._term(data, "post", names))

    def _ghost(self, data: _Object) -> Ghost:
        kinds: Mapping[object, Callable[[_Object], Ghost]] = {"heap": self._heap, "fold": self._fold}
        kind = _field(data, "kind")
        if kind not in kinds:
            raise Malformed(f"unknown kind of ghost {kind!r}")
        return kinds[kind](data)

    def _heap(self, one: _Object) -> HeapGhosts:
        allocated = self._new(one, "allocated", SET)
        fields = tuple(self._field(as_object(item)) for item in as_list(_field(one, "fields")))
        places = as_list(_field(one, "described"))
        return HeapGhosts(allocated, fields, frozenset(self._place(as_object(place)) for place in places))

    def _field(self, data: _Object) -> GhostField:
        array = self._names(None).get(as_str(_field(data, "array")))
        if array is None:
            raise Malformed(f"the program has no array {_field(data, 'array')!r}")
        reaches, written = self._new(data, "reaches", RELATION), self._new(data, "written", SET)
        length = self._new(data, "length", INT_ARRAY) if "length" in data else None
        return GhostField(array, as_int(_field(data, "offset")), reaches, written, length)

    def _fold(self, data: _Object) -> Fold:
        symbol, at = self._new(data, "symbol", INT_ARRAY), self._place(data)
        own = {name: self._arena.proof_symbol(name, INT) for name in ("result", "index")}
        names = {**self._names(self._function(at)), **own}
        first, step = self._term(data, "first", names, INT), self._term(data, "step", names, INT)
        edges = frozenset(as_ints(_field(data, "edges")))
        return Fold(symbol, at, edges, own["result"], own["index"], first, step, self._term(data, "bound", names))

    def _new(self, one: _Object, field: str, sort: Sort) -> Term:
        """The ghost whose name a field has."""
        name = as_str(_field(one, field))
        if name in self._ghosts:
            raise Malformed(f"two ghosts have the name {name!r}")
        found = self._ghosts[name] = self._arena.symbol(f"{PROOF_SIGN}{name}", sort)
        return found

    def _place(self, one: _Object) -> At:
        """A location of the program, inside the calls that lead to it."""
        calls, location = as_ints(one.get("calls", [])), as_int(_field(one, "location"))
        if not 0 <= location < len(self._program.locations):
            raise Malformed(f"the program has no location {location}")
        return At(calls, location)

    def _function(self, at: At) -> str:
        return self._program.locations[at.location].function

    def _names(self, function: str | None) -> dict[str, Term]:
        """The symbols by their names, which need not name the function in which formulas stand; with snapshots."""
        found = {symbol.name: symbol for symbol in self._program.variables}
        if function is not None:
            prefix = f"{function}::"
            found.update({n.removeprefix(prefix): s for n, s in found.items() if n.startswith(prefix)})
            result = self._program.functions[function].result
            found.update({} if result is None else {"\\result": result})
        found.update(self._ghosts)
        return {**found, **{f"{n}@entry": self._arena.symbol(f"{s.name}@entry", s.sort) for n, s in found.items()}}

    def _term(self, one: _Object, field: str, names: Mapping[str, Term], sort: Sort = BOOL) -> Term:
        return self._read(as_str(_field(one, field)), names, sort)

    def _read(self, text: str, names: Mapping[str, Term], sort: Sort) -> Term:
        try:
            return read_formula(self._arena, text, names, sort)
        except NotReadable as error:
            raise Malformed(f"{text[:60]!r}: {error}") from None

    def _list(self, field: str) -> Iterator[object]:
        return iter(as_list(self._data.get(field, [])))


def _field(one: _Object, name: str) -> object:
    if name not in one:
        raise Malformed(f"{name!r} is missing")
    return one[name]
