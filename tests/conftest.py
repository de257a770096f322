"""Settings that every test shares."""

import gc
import signal
from collections import defaultdict
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

# The same examples on every machine and in every run. Nothing is timed: a shared machine is not slow code.
settings.register_profile(
    "interplay", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("interplay")

# A job in the background may have been started with this signal ignored, and its children would ignore it too.
signal.signal(signal.SIGINT, signal.default_int_handler)

SHARE = 4  # one of so many parameters of a sampled test is in every run


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Tests are no garbage: to look for it while they are collected takes a third of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(tryfirst=True)  # before the tests that are marked slow are left out
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    families: defaultdict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        second_try = item.get_closest_marker("flaky")
        if second_try is not None and not second_try.kwargs.get("reason"):
            raise pytest.UsageError(f"{item.nodeid}: a test that is tried again says why: flaky(reruns=1, reason=...)")
        if item.get_closest_marker("sampled") is not None and item.get_closest_marker("slow") is None:
            families[item.nodeid.partition("[")[0]].append(item)
    for family in families.values():
        for i, item in enumerate(family):
            # Diagonals of the table, so that each value of two parameters has its turn.
            if i % SHARE != i // SHARE % SHARE:
                item.add_marker("slow")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """After each file its garbage is collected: solvers in reference cycles hold much native memory by few objects, so
    that Python would wait for long, and each process that a test forks would pay for gigabytes.
    """
    result = yield
    if nextitem is None or nextitem.path != item.path:
        gc.collect()
        gc.freeze()  # what is left stays: it is not looked at again
    return result
