"""The engine `chc`: the program as constrained Horn clauses, solved by Spacer."""

from methods.engine import EngineDescription
from methods.engines.chc.options import ChcOptions

DESCRIPTION = EngineDescription(
    name="chc",
    method="constrained Horn clauses, solved by Spacer",
    source='A. Komuravelli, A. Gurfinkel, S. Chaki, "SMT-based model checking for recursive programs", CAV 2014',
    implementation="methods.engines.chc.engine:ChcEngine",
    options=ChcOptions,
    round="one question to Spacer, about the checks that are left",
    node="a relation of the clauses with its meaning: what holds at one location of the modular view",
    lemma="a conjunct of that meaning",
    nouns=("question", "relation", "conjunct"),
    floats="it knows only bounds of the results of floating-point arithmetic",
)
