"""Benchmarks. Each module is a command: `python -m benchmarks.NAME --help`, run in the checkout."""
