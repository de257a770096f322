"""Settings that every test shares."""

from hypothesis import settings

# The same examples on every machine and in every run. No deadline: a shared machine is not slow code.
settings.register_profile("interplay", derandomize=True, deadline=None, database=None)
settings.load_profile("interplay")
