"""The type of `va_list`, as the System V ABI lays it out: an array of one struct on x86-64, a pointer on i386.

On ARM it is a struct of one pointer, which programs cannot tell from the pointer, but for its type.
"""

from __future__ import annotations

from typing import Final

from frontend.typed.ctype import (
    Array,
    CType,
    DataModel,
    Field,
    IntegerKind,
    Pointer,
    Record,
    RecordKind,
    RecordLayout,
    Void,
)

POSITION = "overflow_arg_area"
"""The member of the struct that says here where the next argument lies."""


def _tag() -> Record:
    unsigned, pointer = DataModel.LP64.integer(IntegerKind.UINT), Pointer(Void())
    fields = (
        Field("gp_offset", unsigned, 0),
        Field("fp_offset", unsigned, 4),
        Field(POSITION, pointer, 8),
        Field("reg_save_area", pointer, 16),
    )
    record = Record(RecordKind.STRUCT, "__va_list_tag")
    record.complete(RecordLayout(fields, 24, 8))
    return record


LIST_TAG: Final = _tag()
"""The struct, which all programs share: nothing changes it."""


def argument_list(model: DataModel) -> CType:
    """The type `va_list`."""
    return Array(LIST_TAG, 1) if model.is_64 else Pointer(Void())
