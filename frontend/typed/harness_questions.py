"""Questions of harnesses for CBMC about the memory that pointers lead to."""

READABLE, WRITABLE = "__CPROVER_r_ok", "__CPROVER_w_ok"
ACCESSES = frozenset((READABLE, WRITABLE, "__CPROVER_rw_ok"))
"""Whether a living object has so many bytes behind a pointer, which may be read or written."""

SAME_OBJECT = "__CPROVER_same_object"
OBJECT_SIZE = "__CPROVER_OBJECT_SIZE"
OBJECT = "__CPROVER_POINTER_OBJECT"
"""A number for each object; which, is not said."""
OFFSET = "__CPROVER_POINTER_OFFSET"

QUESTIONS = ACCESSES | {SAME_OBJECT, OBJECT_SIZE, OBJECT, OFFSET}
