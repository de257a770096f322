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
from core.program.memory import Cell, LifetimeVariables, MemoryLayout

__all__ = [
    "Assign",
    "Assume",
    "Call",
    "Cell",
    "Check",
    "Edge",
    "Function",
    "Input",
    "InputKind",
    "LifetimeVariables",
    "Location",
    "MemoryLayout",
    "Operation",
    "Program",
    "Range",
    "Variable",
    "terms_of",
    "uses_bits",
]
