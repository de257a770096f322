"""The engine `eureka`: linear programs with arrays, abstracted to variables and elements of arrays."""

from methods.engine import EngineDescription

DESCRIPTION = EngineDescription(
    name="eureka",
    method="linear relations of refined variables and elements of arrays, procedure by procedure",
    source='A. Armando, M. Benerecetti, J. Mantovani, "Abstraction refinement of linear programs with arrays", 2007',
    implementation="methods.engines.eureka.engine:EurekaEngine",
    round="one refinement: model check the abstract linear program, decide its error trace, refine from the core",
    node="a zone at one location of the modular view, for one choice of values of the scalars that have one",
    lemma="a tracked place (role `value`): a variable, an element of an array, or a sum of these",
    nouns=("refinement", "zone", "tracked variable"),
    floats="floating-point arithmetic is no linear relation",
)
