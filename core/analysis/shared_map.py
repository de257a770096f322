"""Maps of known keys that share what they have in common, as states of a data-flow analysis do.

A map is a row of chunks, which are immutable: a changed map has all chunks of the one before but one. What two maps
have in common is told by identity, so that a join costs what differs, for many keys that stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from math import isqrt
from typing import Generic, TypeVar

_K = TypeVar("_K", bound=Hashable)
_V = TypeVar("_V")

_Chunk = tuple[_V | None, ...]


class SharedKeys(Generic[_K]):
    """The keys of maps, and where they are: each group has chunks of its own, about as long as there are chunks."""

    def __init__(self, *groups: Iterable[_K]) -> None:
        listed = [list(dict.fromkeys(group)) for group in groups]
        width = isqrt(sum(map(len, listed))) + 1
        self.chunks: list[list[_K]] = []
        self.ends: list[int] = []  # for each group, the number of its last chunk and those before
        for keys in listed:
            self.chunks += [keys[at : at + width] for at in range(0, len(keys), width)]
            self.ends.append(len(self.chunks))
        self.places = {key: (row, at) for row, keys in enumerate(self.chunks) for at, key in enumerate(keys)}


class SharedMap(Mapping[_K, _V]):
    """An immutable map from keys of a layout to values; maps that share chunks have the same layout."""

    __slots__ = ("_chunks", "_layout")

    def __init__(self, layout: SharedKeys[_K], chunks: tuple[_Chunk[_V], ...] | None = None) -> None:
        self._layout = layout
        self._chunks = tuple((None,) * len(keys) for keys in layout.chunks) if chunks is None else chunks

    def __getitem__(self, key: _K) -> _V:
        value = self.get(key)
        if value is None:
            raise KeyError(key)
        return value

    def get(self, key: _K, default: _V | None = None) -> _V | None:  # type: ignore[override]
        place = self._layout.places.get(key)
        value = None if place is None else self._chunks[place[0]][place[1]]
        return default if value is None else value

    def __iter__(self) -> Iterator[_K]:
        for keys, chunk in zip(self._layout.chunks, self._chunks, strict=True):
            yield from (key for key, value in zip(keys, chunk, strict=True) if value is not None)

    def __len__(self) -> int:
        return sum(len(chunk) - chunk.count(None) for chunk in self._chunks)

    def changed(self, key: _K, value: _V | None) -> SharedMap[_K, _V]:
        """The map with another value of a key; without the key for None."""
        row, at = self._layout.places[key]
        chunk = self._chunks[row]
        if chunk[at] == value:
            return self
        chunk = (*chunk[:at], value, *chunk[at + 1 :])
        return SharedMap(self._layout, (*self._chunks[:row], chunk, *self._chunks[row + 1 :]))

    def with_groups(self, other: SharedMap[_K, _V], number: int) -> SharedMap[_K, _V]:
        """The map with what `other` has for the keys of the first groups, `number` of them."""
        end = self._layout.ends[number - 1]
        return SharedMap(self._layout, (*other._chunks[:end], *self._chunks[end:]))

    def joined(self, other: SharedMap[_K, _V], join: Callable[[_K, _V, _V], _V | None]) -> SharedMap[_K, _V]:
        """The map of the keys of both, with what `join` makes of two values; this map itself where nothing differs."""
        rows = zip(self._layout.chunks, self._chunks, other._chunks, strict=True)
        chunks = [a if a is b else self._met(keys, a, b, join) for keys, a, b in rows]
        if all(new is old for new, old in zip(chunks, self._chunks, strict=True)):
            return self
        return SharedMap(self._layout, tuple(chunks))

    def _met(self, keys: list[_K], a: _Chunk[_V], b: _Chunk[_V], join: Callable[[_K, _V, _V], _V | None]) -> _Chunk[_V]:
        new = tuple(
            x if x == y else None if x is None or y is None else join(key, x, y)
            for key, x, y in zip(keys, a, b, strict=True)
        )
        return a if new == a else new
