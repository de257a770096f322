"""Binary decision diagrams over predicate variables, and images under approximate transition relations.

`Manager` is the specification; `cudd_manager` and `autoref_manager` make its two implementations, and `best_manager`
takes the first that is installed. Importing this package loads no native library; making a manager does.
"""

from bdd.adapter import autoref_manager, best_manager, cudd_manager
from bdd.manager import BackendMissing, Bdd, ForeignBdd, Manager, WrongCopy
from bdd.projection import few_variables
from bdd.relation import Relation

__all__ = [
    "BackendMissing",
    "Bdd",
    "ForeignBdd",
    "Manager",
    "Relation",
    "WrongCopy",
    "autoref_manager",
    "best_manager",
    "cudd_manager",
    "few_variables",
]
