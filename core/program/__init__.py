"""Programs as control-flow automata: their parts, their semantics, and the views that engines explore."""

from core.program.automaton import (
    Assign,
    Assume,
    Call,
    Check,
    Edge,
    Function,
    Input,
    InputKind,
    Location,
    Operation,
    Program,
    Range,
    Variable,
    terms_of,
    uses_bits,
)

__all__ = [
    "Assign",
    "Assume",
    "Call",
    "Check",
    "Edge",
    "Function",
    "Input",
    "InputKind",
    "Location",
    "Operation",
    "Program",
    "Range",
    "Variable",
    "terms_of",
    "uses_bits",
]
