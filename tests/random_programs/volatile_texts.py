"""Random programs with volatile objects: the same programs, whose inputs are read or whose objects are declared so.

Each line keeps its number, so that the truth is that of the text without them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count, cycle

from frontend.options import Volatile

_TYPES = {
    "bool": "_Bool",
    "char": "char",
    "uchar": "unsigned char",
    "short": "short",
    "ushort": "unsigned short",
    "int": "int",
    "uint": "unsigned int",
    "longlong": "long long",
}
_FORMS = ("V_{0}", "VA_{0}[1]", "VS_{0}.r", "(*VP_{0})", "VL_{0}->r", "(*(volatile {1} *)0x4{2:03x}00)")
_DECLARED = (
    "volatile {1} V_{0}, VA_{0}[2], *VP_{0} = &V_{0};"
    " struct S_{0} {{ int q; volatile {1} r; }} VS_{0}, *VL_{0} = &VS_{0};"
)
_INPUT = re.compile(r"(?<!extern )\b__VERIFIER_nondet_(\w+)\(\)")
_OBJECT = re.compile(r"^( +)((?:_Bool|(?:signed |unsigned )?(?:int|char|short|long long)) \w+ = )", re.M)


def with_volatile(text: str, volatile: Volatile) -> str:
    """The text whose inputs are reads of volatile objects, or whose objects are volatile, where these are memory."""
    if volatile is Volatile.MEMORY:
        turns = cycle((True, False))
        return _OBJECT.sub(lambda found: f"{found[1]}{'volatile ' if next(turns) else ''}{found[2]}", text)
    forms, numbers = cycle(_FORMS), count(1)

    def read(found: re.Match[str]) -> str:
        return next(forms).format(found[1], _TYPES[found[1]], next(numbers) % 0x1000)

    names = dict.fromkeys(found[1] for found in _INPUT.finditer(text))
    first, rest = text.split("\n", 1)
    return f"{first} {' '.join(_declarations(names))}\n{_INPUT.sub(read, rest)}"


def _declarations(names: dict[str, None]) -> Iterator[str]:
    return (_DECLARED.format(name, _TYPES[name]) for name in names)
