"""Terms: sorts, hash-consed terms in normal form, substitution, evaluation and printing."""

from core.terms.arena import PROOF_SIGN, Arena
from core.terms.arrays import SplitAtIndices, chain_of_stores, common_base, parts_of_array, store_layers
from core.terms.evaluate import ArrayValue, Evaluator, Value, evaluate
from core.terms.operators import (
    BIT_OPERATORS,
    FUNCTIONS,
    IntegerFunction,
    NotEvaluable,
    Treatment,
    function_of,
    integer_function,
    is_uninterpreted,
)
from core.terms.printing import to_c, to_math, to_readable_c
from core.terms.python import called_functions, to_python
from core.terms.smtlib_writer import to_smtlib
from core.terms.sorts import BOOL, INT, INT_ARRAY, ArraySort, BoolSort, IntSort, Sort
from core.terms.tables import ConstantTable
from core.terms.term import Op, Term, subterms
from core.terms.traversal import (
    Substitution,
    atoms,
    branched,
    combine,
    computes_with_floats,
    leaves_of_choices,
    lift_choices,
    literals,
    rebuild,
    replace_subterms,
    substitute,
)

__all__ = [
    "BIT_OPERATORS",
    "BOOL",
    "FUNCTIONS",
    "INT",
    "INT_ARRAY",
    "PROOF_SIGN",
    "Arena",
    "ArraySort",
    "ArrayValue",
    "BoolSort",
    "ConstantTable",
    "Evaluator",
    "IntSort",
    "IntegerFunction",
    "NotEvaluable",
    "Op",
    "Sort",
    "SplitAtIndices",
    "Substitution",
    "Term",
    "Treatment",
    "Value",
    "atoms",
    "branched",
    "called_functions",
    "chain_of_stores",
    "combine",
    "common_base",
    "computes_with_floats",
    "evaluate",
    "function_of",
    "integer_function",
    "is_uninterpreted",
    "leaves_of_choices",
    "lift_choices",
    "literals",
    "parts_of_array",
    "rebuild",
    "replace_subterms",
    "store_layers",
    "substitute",
    "subterms",
    "to_c",
    "to_math",
    "to_python",
    "to_readable_c",
    "to_smtlib",
]
