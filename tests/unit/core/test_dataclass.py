"""Classes of `core.dataclass` behave like those of the standard library."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, field, fields, replace
from functools import partial
from typing import Any, ClassVar, Generic, TypeVar

import pytest

import core.dataclass

T = TypeVar("T")
Decorator = Callable[..., Any]


def _classes(dataclass: Decorator) -> dict[str, Any]:
    @dataclass
    class Plain:
        a: int
        b: list[int] = field(default_factory=list)
        c: str = "c"
        kind: ClassVar[str] = "plain"

    @dataclass(frozen=True)
    class Frozen:
        a: int
        b: tuple[int, ...] = ()
        seen: int = field(default=0, compare=False)

    @dataclass(frozen=True, slots=True)
    class Slots(Generic[T]):
        a: T
        b: int = 2

    @dataclass(frozen=True, slots=True)
    class Below(Slots[int]):
        c: int = 3

    @dataclass(frozen=True, slots=True, eq=False)
    class Node:
        one: object

    @dataclass(slots=True, order=True)
    class Ordered:
        a: int
        b: str = field(default="", metadata={"help": "text"})

    @dataclass
    class Derived:
        a: int
        twice: int = field(init=False)
        many: list[int] = field(default_factory=list, init=False)

        def __post_init__(self) -> None:
            self.twice = 2 * self.a

    @dataclass(frozen=True, slots=True)
    class Empty:
        pass

    return {name: one for name, one in locals().items() if isinstance(one, type)}


OURS, STANDARD = _classes(core.dataclass.dataclass), _classes(dataclasses.dataclass)
CALLS: list[tuple[str, tuple[object, ...], dict[str, object]]] = [
    ("Plain", (1,), {}),
    ("Plain", (1, [2]), {"c": "d"}),
    ("Plain", (), {}),
    ("Frozen", (1, (2,)), {"seen": 3}),
    ("Frozen", (1, (2,)), {}),
    ("Slots", ("a",), {}),
    ("Below", (1,), {"c": 9}),
    ("Below", (1, 2, 3, 4), {}),
    ("Ordered", (1, "x"), {}),
    ("Derived", (4,), {}),
    ("Empty", (), {}),
]


def _text(make: Callable[[], object]) -> str:
    try:
        return repr(make())
    except TypeError:
        return "TypeError"


@pytest.mark.parametrize(("name", "values", "named"), CALLS)
def test_instances_look_alike(name: str, values: tuple[object, ...], named: dict[str, object]) -> None:
    ours, standard = (_text(partial(classes[name], *values, **named)) for classes in (OURS, STANDARD))
    assert ours == standard


@pytest.mark.parametrize("name", OURS)
def test_fields_and_patterns_are_alike(name: str) -> None:
    ours, standard = OURS[name], STANDARD[name]
    assert [(one.name, one.type, one.init, one.compare, dict(one.metadata)) for one in fields(ours)] == [
        (one.name, one.type, one.init, one.compare, dict(one.metadata)) for one in fields(standard)
    ]
    assert ours.__match_args__ == standard.__match_args__
    assert getattr(ours, "__slots__", None) == getattr(standard, "__slots__", None)


@pytest.mark.parametrize("classes", [OURS, STANDARD])
def test_equality_order_and_hashes(classes: dict[str, Any]) -> None:
    frozen, slots, below, ordered = (classes[name] for name in ("Frozen", "Slots", "Below", "Ordered"))
    assert frozen(1, (), 5) == frozen(1, (), 6) != frozen(2)
    assert hash(frozen(1, (), 5)) == hash(frozen(1, (), 6)) == hash((1, ()))
    assert slots(1, 2) != below(1, 2)
    assert len({slots(1), slots(1), slots(2)}) == 2
    assert ordered(1, "a") < ordered(1, "b") <= ordered(2)
    assert ordered(2) > ordered(1) >= ordered(1)
    assert classes["Node"](1) != classes["Node"](1)
    assert len({classes["Node"](1), classes["Node"](1)}) == 2
    with pytest.raises(TypeError):
        hash(ordered(1))
    with pytest.raises(TypeError):
        ordered(1) < slots(1)  # noqa: B015 - it is the comparison that raises


@pytest.mark.parametrize("classes", [OURS, STANDARD])
@pytest.mark.parametrize("name", ["Frozen", "Slots", "Below"])
def test_frozen_instances_do_not_change(classes: dict[str, Any], name: str) -> None:
    one = classes[name](1)
    with pytest.raises(FrozenInstanceError):
        one.a = 2
    with pytest.raises(FrozenInstanceError):
        del one.a
    assert one == classes[name](1)
    assert replace(one, a=5) == classes[name](5)


@pytest.mark.parametrize("classes", [OURS, STANDARD])
def test_defaults_are_not_shared(classes: dict[str, Any]) -> None:
    first, second = classes["Plain"](1), classes["Plain"](1)
    first.b.append(3)
    assert not second.b
    assert classes["Plain"].c == "c"
    assert not hasattr(classes["Plain"], "b")


@pytest.mark.parametrize("classes", [OURS, STANDARD])
def test_a_subclass_without_decorator(classes: dict[str, Any]) -> None:
    base: Any = classes["Frozen"]

    def initialise(self: Any, a: int) -> None:
        base.__init__(self, a, (a,))
        self.other = a

    more: Any = type("More", (base,), {"__init__": initialise})

    assert more(3).b == (3,)
    assert more(3).other == 3
    with pytest.raises(FrozenInstanceError):
        more(3).a = 4


@core.dataclass.dataclass(frozen=True, slots=True)
class Point:
    """A class that pickles find."""

    x: int
    y: int = 0


@core.dataclass.dataclass(frozen=True)
class Named:
    """Another, without slots."""

    name: str
    tags: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True)
class Standard(Named):
    """One of the standard library below one of ours, as an engine of somebody else may have."""

    size: int = 1


def test_copies() -> None:
    for one in (Point(1, 2), Named("a", ("b",)), Standard("a", (), 3)):
        assert pickle.loads(pickle.dumps(one)) == copy.deepcopy(one) == copy.copy(one) == one
    assert Standard("a") == replace(Standard("b"), name="a")


@pytest.mark.parametrize("dataclass", [core.dataclass.dataclass, dataclasses.dataclass], ids=["ours", "standard"])
def test_a_default_that_would_be_shared_is_refused(dataclass: Decorator) -> None:
    class Shared:
        a: list[int] = []  # noqa: RUF012

    with pytest.raises(ValueError, match="default_factory"):
        dataclass(Shared)
