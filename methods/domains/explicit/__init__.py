"""Explicit values of tracked variables and array cells."""

from methods.domains.explicit.cells import Cells, Explicit
from methods.domains.explicit.compiler import CompiledStep, StepCompiler, Values
from methods.domains.explicit.domain import ExplicitDomain
from methods.domains.explicit.precision import TOO_MANY, LocationPrecision, Precision
from methods.domains.explicit.specialisation import Specialisation
from methods.domains.explicit.union import facts, union
from methods.domains.explicit.valuation import Valuation

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
