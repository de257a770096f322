"""The linter, the formatter and the type checker are tests, so that one command checks everything."""

import sys

import pytest

from tests.architecture.commands import run


def test_ruff_finds_nothing() -> None:
    run([sys.executable, "-m", "ruff", "check", "--output-format=concise", "."])


def test_ruff_would_format_nothing() -> None:
    run([sys.executable, "-m", "ruff", "format", "--check", "."])


@pytest.mark.long
def test_mypy_finds_nothing() -> None:
    run([sys.executable, "-m", "mypy", "--no-error-summary"])
