"""`dataclass` of the standard library, made fast to import.

The standard one compiles up to seven functions for each class, which took a third of a short run: four hundred classes
are imported. Here a function is compiled when it is first called, and the one that makes objects after `_FEW` calls, in
which it goes through the fields; these are described when somebody first asks. Type checkers see the standard one, and
`fields`, `replace`, `field` and patterns of the standard library work with these classes.

Limitations: no `InitVar`, `KW_ONLY` and `weakref_slot`; `field` has its arguments `default`, `default_factory`, `init`,
`compare` and `metadata` only; a class has no method of its own in place of one that is made here.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from reprlib import recursive_repr
from types import MemberDescriptorType, SimpleNamespace
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls=None, /, **options):
        """As in the standard library: a decorator, with or without options."""
        return _made(cls, **options) if cls else lambda cls: _made(cls, **options)


_FIELDS = "__dataclass_fields__"
_PATTERN = "__match_args__"
_Fields = Mapping[str, "dataclasses.Field[Any]"]
_Names = dict[str, object]
_FEW = 12
"""Calls that take longer one by one than a function does that must be compiled first; most classes have fewer."""


def _made(cls: Any, frozen: bool = False, eq: bool = True, order: bool = False, slots: bool = False) -> Any:
    given = _given(cls)
    cls = _with_slots(cls, list(given)) if slots else _with_defaults(cls, given)

    @cache
    def described() -> _Fields:
        inherited = {name: one for base in cls.__mro__[:0:-1] for name, one in getattr(base, _FIELDS, {}).items()}
        return {**inherited, **{name: _field(name, kind, value) for name, (kind, value) in given.items()}}

    def compared() -> Sequence[str]:
        return [name for name, one in described().items() if one.compare]

    setattr(cls, _FIELDS, _Later(cls, _FIELDS, described))
    cls.__dataclass_params__ = SimpleNamespace(frozen=frozen, eq=eq, order=order)
    pattern = _Later(cls, _PATTERN, lambda: tuple(name for name, one in described().items() if one.init))
    setattr(cls, _PATTERN, pattern)
    cls.__repr__ = _representation
    _compiled_later(
        cls, "__init__", lambda: _initialiser(cls, described(), frozen), _slow_initialiser(cls, described, frozen)
    )
    if eq:
        _compiled_later(cls, "__eq__", lambda: _comparison("==", compared()))
        cls.__hash__ = None
    if eq and frozen:
        _compiled_later(cls, "__hash__", lambda: (f"(self):\n    return hash({_tuple('self', compared())})", {}))
    if order:
        for name, operator in (("__lt__", "<"), ("__le__", "<="), ("__gt__", ">"), ("__ge__", ">=")):
            _compiled_later(cls, name, partial(_ordering, operator, compared))
    if frozen:
        _freeze(cls, described)
    return cls


class _Later:
    """An attribute of a class that is made when it is first asked for: nobody asks most classes for their fields."""

    def __init__(self, cls: Any, name: str, make: Callable[[], object]) -> None:
        self._cls, self._name, self._make = cls, name, make

    def __get__(self, instance: object, owner: Any) -> object:
        made = self._make()
        setattr(self._cls, self._name, made)
        return made


def _given(cls: Any) -> dict[str, tuple[str, Any]]:
    """The fields of the class itself: their types, and their values in its body."""
    given = {}
    for name, kind in cls.__dict__.get("__annotations__", {}).items():  # noqa: RUF063 - that loads a parser of Python
        if not kind.startswith("ClassVar"):
            value = cls.__dict__.get(name, dataclasses.MISSING)
            if value.__class__.__hash__ is None:
                raise ValueError(f"the default of {cls.__name__}.{name} would be shared: use default_factory")
            given[name] = kind, value
    return given


def _field(name: str, kind: str, value: Any) -> dataclasses.Field[Any]:
    one: Any = value if isinstance(value, dataclasses.Field) else dataclasses.field(default=value)
    one.name, one.type, one.kw_only = name, kind, False
    one._field_type = dataclasses._FIELD  # type: ignore[attr-defined]  # neither InitVar nor ClassVar
    return one  # type: ignore[no-any-return]


def _with_slots(cls: Any, names: Sequence[str]) -> Any:
    """A class like it, since slots belong to the making of a class."""
    inherited = {name for base in cls.__mro__[1:] for name in getattr(base, "__slots__", ())}
    left_out = {"__dict__", "__weakref__", *names}
    members = {name: value for name, value in vars(cls).items() if name not in left_out}
    members["__slots__"] = tuple(name for name in names if name not in inherited)
    members |= {"__getstate__": _state, "__setstate__": _restore}  # the usual way assigns, which frozen ones refuse
    made = type(cls)(cls.__name__, cls.__bases__, members)
    made.__qualname__ = cls.__qualname__
    return made


def _with_defaults(cls: Any, given: Mapping[str, tuple[str, Any]]) -> Any:
    for name, (_, value) in given.items():
        if isinstance(value, dataclasses.Field):
            if value.default is not dataclasses.MISSING:
                setattr(cls, name, value.default)
            else:
                delattr(cls, name)
    return cls


def _state(self: Any) -> list[object]:
    return [getattr(self, one.name) for one in dataclasses.fields(self)]


def _restore(self: Any, state: list[object]) -> None:
    for one, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, one.name, value)


def _compiled_later(
    cls: Any, name: str, source: Callable[[], tuple[str, _Names]], slow: Callable[..., bool] | None = None
) -> None:
    """Give the class a method that puts another in its place when it is called: `source` has its text behind the name,
    and what is known there. The first few calls are left to `slow`, which says whether it could do them.
    """
    few = iter(range(_FEW if slow else 0))

    def method(self: object, *values: object, **named: object) -> object:
        if slow and next(few, None) is not None and slow(self, values, named):
            return None
        text, known = source()
        exec(f"def {name}{text}", known)
        made: Any = known[name]
        made.__qualname__ = f"{cls.__qualname__}.{name}"
        setattr(cls, name, made)
        return made(self, *values, **named)

    setattr(cls, name, method)


def _slow_initialiser(
    cls: Any, described: Callable[[], _Fields], frozen: bool
) -> Callable[[object, tuple[object, ...], dict[str, object]], bool]:
    """Sets the fields of an object one by one; does nothing, and says so, where the arguments do not fit."""
    assign = object.__setattr__ if frozen else setattr

    def initialise(self: object, values: tuple[object, ...], named: dict[str, object]) -> bool:
        given = dict(zip(getattr(cls, _PATTERN), values, strict=False))
        if len(given) < len(values) or not named.keys().isdisjoint(given):
            return False
        given |= named
        made = {}
        for name, field in described().items():
            if field.init and name in given:
                made[name] = given.pop(name)
            elif field.default_factory is not dataclasses.MISSING:
                made[name] = field.default_factory()
            elif field.default is not dataclasses.MISSING:
                made[name] = field.default
            elif field.init:
                return False
        if given:
            return False
        for name, value in made.items():
            assign(self, name, value)
        if hasattr(cls, "__post_init__"):
            self.__post_init__()  # type: ignore[attr-defined]  # it is there
        return True

    return initialise


def _initialiser(cls: Any, described: _Fields, frozen: bool) -> tuple[str, _Names]:
    """Slots are set by their descriptors, which is faster than by their names."""
    parameters, body = ["self"], []
    names: _Names = {"_omitted": dataclasses.MISSING, "_assign": object.__setattr__}
    for name, field in described.items():
        parameter = value = name
        if field.default_factory is not dataclasses.MISSING:
            names[f"_make_{name}"] = field.default_factory
            parameter = f"{name}=_omitted"
            value = f"_make_{name}() if {name} is _omitted else {name}" if field.init else f"_make_{name}()"
        elif field.default is not dataclasses.MISSING:
            names[f"_default_{name}"] = field.default
            parameter = f"{name}=_default_{name}"
            value = name if field.init else f"_default_{name}"
        elif not field.init:
            continue  # `__post_init__` sets it
        if field.init:
            parameters.append(parameter)
        slot = getattr(cls, name, None)
        if isinstance(slot, MemberDescriptorType):
            names[f"_set_{name}"] = slot.__set__
            body.append(f"    _set_{name}(self, {value})")
        else:
            body.append(f"    _assign(self, {name!r}, {value})" if frozen else f"    self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        body.append("    self.__post_init__()")
    return "\n".join([f"({', '.join(parameters)}):", *(body or ["    pass"])]), names


def _comparison(operator: str, names: Sequence[str]) -> tuple[str, _Names]:
    compared = f"{_tuple('self', names)} {operator} {_tuple('other', names)}"
    return f"(self, other):\n    return {compared} if other.__class__ is self.__class__ else NotImplemented", {}


def _ordering(operator: str, compared: Callable[[], Sequence[str]]) -> tuple[str, _Names]:
    return _comparison(operator, compared())


def _tuple(of: str, names: Sequence[str]) -> str:
    return f"({''.join(f'{of}.{name}, ' for name in names)})"


@recursive_repr()
def _representation(self: Any) -> str:
    values = (f"{name}={getattr(self, name)!r}" for name in getattr(self, _FIELDS))
    return f"{type(self).__qualname__}({', '.join(values)})"


def _freeze(cls: Any, described: Callable[[], _Fields]) -> None:
    """Refuse changes of the fields; a subclass may have attributes of its own."""

    def refuse(self: object, name: str) -> None:
        if type(self) is cls or name in described():
            raise dataclasses.FrozenInstanceError(f"cannot change field {name!r}")

    def set_attribute(self: object, name: str, value: object) -> None:
        refuse(self, name)
        super(cls, self).__setattr__(name, value)

    def delete_attribute(self: object, name: str) -> None:
        refuse(self, name)
        super(cls, self).__delattr__(name)

    cls.__setattr__, cls.__delattr__ = set_attribute, delete_attribute
