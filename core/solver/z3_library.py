"""libz3 and those of its functions that are called here; z3's own Python package is loaded for Spacer alone.

The package declares a thousand functions, and classes for their results, which takes longer than a small run. Here a
function is declared when it is first called. Contexts, ASTs and all other objects are addresses.
"""

from __future__ import annotations

import ctypes
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

Handle = ctypes.c_void_p


class Z3Error(Exception):
    """The failure of a call, in the words of z3."""


class _Text:
    """A string as an argument."""

    @staticmethod
    def from_param(text: str) -> ctypes.c_char_p:
        return ctypes.c_char_p(text.encode())


_TYPES: dict[str, Any] = {
    "p": Handle,
    "u": ctypes.c_uint,
    "i": ctypes.c_int,
    "b": ctypes.c_bool,
    "s": _Text,
    "t": ctypes.c_char_p,
    "-": None,
}
"""The letters of `_SIGNATURES`: an address, also of an array, numbers, a truth value, a text that is given, one that is
got, and nothing."""

_SIGNATURES = {
    # Objects that are counted
    "inc_ref": "-p",
    "solver_inc_ref": "-p",
    "solver_dec_ref": "-p",
    "model_inc_ref": "-p",
    "model_dec_ref": "-p",
    "mk_params": "p",
    "params_inc_ref": "-p",
    "params_dec_ref": "-p",
    "params_set_uint": "-ppu",
    "params_set_bool": "-ppb",
    # Sorts, declarations and ASTs
    "mk_bool_sort": "p",
    "mk_int_sort": "p",
    "mk_array_sort": "ppp",
    "mk_bv_sort": "pu",
    "sort_to_ast": "pp",
    "mk_string_symbol": "ps",
    "mk_func_decl": "ppupp",
    "func_decl_to_ast": "pp",
    "mk_app": "ppup",
    "mk_const": "ppp",
    "mk_fresh_const": "psp",
    "mk_numeral": "psp",
    "mk_true": "p",
    "mk_false": "p",
    "mk_not": "pp",
    "mk_and": "pup",
    "mk_or": "pup",
    "mk_eq": "ppp",
    "mk_ite": "pppp",
    "mk_le": "ppp",
    "mk_add": "pup",
    "mk_mul": "pup",
    "mk_div": "ppp",
    "mk_mod": "ppp",
    "mk_forall_const": "puupupp",
    "mk_select": "ppp",
    "mk_store": "pppp",
    "mk_const_array": "ppp",
    "mk_extract": "puup",
    "mk_sign_ext": "pup",
    "mk_zero_ext": "pup",
    "mk_bvneg": "pp",
    **{
        f"mk_bv{name}": "ppp"
        for name in ("add", "mul", "sle", "slt", "and", "or", "xor", "shl", "ashr", "sdiv", "srem")
    },
    # Solvers
    "mk_simple_solver": "p",
    "solver_set_params": "-pp",
    "solver_assert": "-pp",
    "solver_push": "-p",
    "solver_pop": "-pu",
    "solver_check_assumptions": "ipup",
    "solver_get_reason_unknown": "tp",
    "solver_get_unsat_core": "pp",
    "solver_get_model": "pp",
    "ast_vector_inc_ref": "-p",
    "ast_vector_dec_ref": "-p",
    "ast_vector_size": "up",
    "ast_vector_get": "ppu",
    # What models say
    "model_eval": "bppbp",
    "model_get_func_interp": "ppp",
    "func_interp_inc_ref": "-p",
    "func_interp_dec_ref": "-p",
    "func_interp_get_num_entries": "up",
    "func_interp_get_entry": "ppu",
    "func_interp_get_else": "pp",
    "func_entry_inc_ref": "-p",
    "func_entry_dec_ref": "-p",
    "func_entry_get_arg": "ppu",
    "func_entry_get_value": "pp",
    "get_ast_id": "up",
    "get_ast_kind": "up",
    "get_app_decl": "pp",
    "get_app_arg": "ppu",
    "get_as_array_func_decl": "pp",
    "get_bool_value": "ip",
    "get_bv_sort_size": "up",
    "get_decl_kind": "up",
    "get_numeral_string": "tp",
    "get_quantifier_body": "pp",
    "get_sort": "pp",
    "is_app": "bp",
    "is_eq_ast": "bpp",
    "is_numeral_ast": "bp",
}
"""Each function without `Z3_`, with the type of its result, then those of its arguments behind the context."""

QUANTIFIER_AST = 3
OP_EQ, OP_ITE = 0x102, 0x104
OP_STORE, OP_CONST_ARRAY, OP_AS_ARRAY = 0x300, 0x302, 0x30A
"""Kinds of ASTs and of declarations."""


class Library:
    """The functions, each an attribute. They raise `Z3Error` where z3 says that a call has failed."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self._library = library
        self._code = self._declared("get_error_code", "i")
        self._message = self._declared("get_error_msg", "ti")

    def __getattr__(self, name: str) -> Any:
        function = self._declared(name, _SIGNATURES[name])
        function.errcheck = self._checked
        setattr(self, name, function)
        return function

    def _declared(self, name: str, signature: str) -> Any:
        function = self._library[f"Z3_{name}"]
        function.restype = _TYPES[signature[0]]
        function.argtypes = [Handle, *(_TYPES[letter] for letter in signature[1:])]
        return function

    def _checked(self, result: Any, _: object, arguments: tuple[Any, ...]) -> Any:
        code = self._code(arguments[0])
        if code:
            raise Z3Error(self._message(arguments[0], code).decode())
        return result.decode() if isinstance(result, bytes) else result

    def made_context(self) -> int:
        """A context whose failed calls say so, instead of ending the process."""
        make, forget = self._library.Z3_mk_config, self._declared("del_config", "-")
        make.restype, make.argtypes = Handle, []
        config = make()
        context: int = self._declared("mk_context_rc", "p")(config)
        forget(config)
        self._declared("set_error_handler", "-p")(context, None)
        return context

    def end_context(self, context: int) -> None:
        self._declared("del_context", "-")(context)

    def interrupt(self, context: int) -> None:
        """End what is computed in the context; safe in any thread, and says nothing of errors."""
        self._declared("interrupt", "-")(context)


@cache
def load() -> Library:
    """Load libz3, on first use: a run may need none of it."""
    package = find_spec("z3")
    found = sorted(Path(package.origin).parent.glob("lib/libz3.*")) if package and package.origin else []
    return Library(ctypes.CDLL(str(found[0]) if found else "libz3.so"))


class Z3Context:
    """A context, which lives as long as somebody has it."""

    def __init__(self) -> None:
        self.core = load()
        self._handle = self.core.made_context()

    def ref(self) -> int:
        return self._handle

    def interrupt(self) -> None:
        self.core.interrupt(self._handle)

    def __del__(self) -> None:
        handle, self._handle = self._handle, 0
        self.core.end_context(handle)


class Owned:
    """An object of a context, a `solver` or a `model`, which z3 keeps as long as this."""

    def __init__(self, context: Z3Context, kind: str, handle: int) -> None:
        self.handle = handle
        self._context = context
        self._kind = kind
        getattr(context.core, f"{kind}_inc_ref")(context.ref(), handle)

    def __del__(self) -> None:
        if self._context.ref():  # else it ended first, as garbage ends in any order
            getattr(self._context.core, f"{self._kind}_dec_ref")(self._context.ref(), self.handle)


def simple_solver(context: Z3Context, **options: int) -> Owned:
    """The plain SMT core with options."""
    core, ref = context.core, context.ref()
    solver = Owned(context, "solver", core.mk_simple_solver(ref))
    parameters = core.mk_params(ref)
    core.params_inc_ref(ref, parameters)
    for name, value in options.items():
        put = core.params_set_bool if isinstance(value, bool) else core.params_set_uint
        put(ref, parameters, core.mk_string_symbol(ref, name), value)
    core.solver_set_params(ref, solver.handle, parameters)
    core.params_dec_ref(ref, parameters)
    return solver
