"""Settings that every test shares."""

import signal

import pytest
from hypothesis import HealthCheck, settings

# The same examples on every machine and in every run. Nothing is timed: a shared machine is not slow code.
settings.register_profile(
    "interplay", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("interplay")

# A job in the background may have been started with this signal ignored, and its children would ignore it too.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        second_try = item.get_closest_marker("flaky")
        if second_try is not None and not second_try.kwargs.get("reason"):
            raise pytest.UsageError(f"{item.nodeid}: a test that is tried again says why: flaky(reruns=1, reason=...)")
