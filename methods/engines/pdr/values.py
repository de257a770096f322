"""Values on paths over heaps, and the state at the end of a path."""

from __future__ import annotations

from collections.abc import Mapping

from core.dataclass import dataclass
from core.terms import Term
from methods.engines.pdr.contents import ElementNumber
from methods.engines.pdr.lengths import ElementLength
from methods.engines.pdr.universal_clauses import ElementName, HeapField, HeapRelation
from methods.engines.pdr.universe import BinaryLiteral, UnaryLiteral


@dataclass(frozen=True, slots=True)
class NodeValue:
    """An address: `offset` bytes behind an element."""

    element: int
    offset: int = 0


@dataclass(frozen=True, slots=True)
class AddressValue:
    """An address of a variable or a function."""

    address: int


@dataclass(frozen=True, slots=True)
class NumberValue:
    """A number, as a term over the state before the path and over what is read and supplied on it."""

    term: Term


PathValue = NodeValue | AddressValue | NumberValue


@dataclass(frozen=True, slots=True)
class StoreObligation:
    """A store that must neither store what is no node nor close a cycle that may not be; `wrong` says that it does."""

    step: int
    field: HeapField
    wrong: int


@dataclass(frozen=True)
class StateAfter:
    """The state after a path: elements of names, literals of relations, terms of scalars, lengths and contents."""

    names: Mapping[ElementName, int]
    propositions: Mapping[HeapRelation, int]
    reaches: Mapping[HeapField, BinaryLiteral]
    around: Mapping[HeapField, BinaryLiteral]
    predicates: Mapping[HeapRelation, UnaryLiteral]
    scalars: Mapping[Term, Term]
    lengths: Mapping[HeapField, ElementLength]
    contents: Mapping[HeapField, ElementNumber]
