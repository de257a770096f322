"""Explicit values of tracked variables and array cells."""

from core.domains.explicit.cells import Cells, Explicit
from core.domains.explicit.compiler import CompiledStep, StepCompiler, Values
from core.domains.explicit.domain import ExplicitDomain, Valuation
from core.domains.explicit.precision import TOO_MANY, LocationPrecision, Precision
from core.domains.explicit.specialisation import Specialisation
from core.domains.explicit.union import facts, union

__all__ = [
    "TOO_MANY",
    "Cells",
    "CompiledStep",
    "Explicit",
    "ExplicitDomain",
    "LocationPrecision",
    "Precision",
    "Specialisation",
    "StepCompiler",
    "Valuation",
    "Values",
    "facts",
    "union",
]
