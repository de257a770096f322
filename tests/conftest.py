"""Settings that every test shares."""

import signal

from hypothesis import HealthCheck, settings

# The same examples on every machine and in every run. Nothing is timed: a shared machine is not slow code.
settings.register_profile(
    "interplay", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("interplay")

# A job in the background may have been started with this signal ignored, and its children would ignore it too.
signal.signal(signal.SIGINT, signal.default_int_handler)
