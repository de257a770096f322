"""Settings that every test shares."""

import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

HERE = Path(__file__).parent

# Tests over real processes, memory and windows: a shared machine can break one without the code being wrong. They have
# a second try, which the summary names (RERUN). What an engine, a solver or the evidence says never has one.
ON_THE_MACHINE = tuple(HERE / folder for folder in ("gui", "unit/interplay", "unit/benchmarks"))

# The same examples on every machine and in every run. Nothing is timed: a shared machine is not slow code.
settings.register_profile(
    "interplay", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("interplay")

# A job in the background may have been started with this signal ignored, and its children would ignore it too.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if any(item.path.is_relative_to(folder) for folder in ON_THE_MACHINE):
            item.add_marker(pytest.mark.flaky(reruns=1))
