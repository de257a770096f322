"""libz3 as it is declared here, against z3's own Python package."""

import pytest
import z3
from z3 import z3core

from core.solver import z3_library
from core.solver.z3_library import _SIGNATURES, _TYPES, Z3Context, Z3Error, load, simple_solver


@pytest.mark.parametrize("name", _SIGNATURES)
def test_a_function_has_the_types_that_z3_says(name: str) -> None:
    theirs = getattr(z3core, f"Z3_{name}").__defaults__[0].f
    result, *arguments = (_TYPES[letter] for letter in _SIGNATURES[name])
    assert len(arguments) == len(theirs.argtypes) - 1  # before them stands the context
    for ours, other in zip([result, *arguments], [theirs.restype, *theirs.argtypes[1:]], strict=True):
        if ours is not None and getattr(other, "_type_", None) in ("I", "?"):
            assert ours is other


def test_kinds_are_those_of_z3() -> None:
    assert z3_library.QUANTIFIER_AST == z3.Z3_QUANTIFIER_AST
    names = ("OP_EQ", "OP_ITE", "OP_STORE", "OP_CONST_ARRAY", "OP_AS_ARRAY")
    assert [getattr(z3_library, name) for name in names] == [getattr(z3, f"Z3_{name}") for name in names]


def test_a_call_that_fails_raises() -> None:
    context = Z3Context()
    core, ref = context.core, context.ref()
    integers = core.mk_int_sort(ref)
    with pytest.raises(Z3Error, match=r"."):
        core.mk_numeral(ref, "no number", integers)
    assert core.mk_numeral(ref, "1", integers)


def test_a_context_ends_after_what_it_owns() -> None:
    context = Z3Context()
    solver = simple_solver(context, random_seed=1, ctrl_c=False)
    before = context.ref()
    del context
    assert load().solver_check_assumptions(before, solver.handle, 0, None) == 1
