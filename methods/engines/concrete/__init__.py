"""The engine `concrete`: executions on chosen inputs."""

from methods.engine import EngineDescription

DESCRIPTION = EngineDescription(
    name="concrete",
    method="executions on inputs that are tried",
    source="execution, with the results of pure functions remembered and alike rounds of loops skipped",
    implementation="methods.engines.concrete.engine:ConcreteEngine",
    round="first the execution without inputs, then executions up to a length",
    node="none",
    lemma="none",
)
