"""Shrinks a program on which an engine goes wrong, as long as it does.

    python -m benchmarks.reduce FILE --engine E [--option NAME=VALUE]... --expect true|false|rejected|unconfirmed|error
        [--kinds bounds,null,…] [--time-limit 5] [--seconds 600] [--output FILE]

`true` and `false` stand for a verdict that contradicts the truth, which gcc finds by running the program on all of its
inputs; these must be written as in `tests/random_programs/memory_generator.py`. `rejected` and `unconfirmed` stand for
a certificate or a counterexample that its examination rejects, `error` for an internal error. Lines and blocks are
left out first, then tokens of each line (after Zeller and Hildebrandt, TSE 2002); what gcc does not accept, and what
has undefined behaviour that nobody asks for, is not tried further.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from interplay.session.request import Request
from methods.registry import ENGINES
from tests.random_programs.checked import Answer, answers, contradictions
from tests.random_programs.memory_truth import KINDS, MemoryProgram, NoTruth, is_defined, judge

Holds = Callable[[str], bool]

_TOKEN = re.compile(r"\s*(?:[A-Za-z_]\w*|\d\w*|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.)")
_SYNTAX = ("gcc", "-fsyntax-only", "-std=gnu11", "-w", "-Werror=implicit-function-declaration", "-x", "c", "-")
_PAIRS = {")": "(", "]": "[", "}": "{"}


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    text = Path(options.file).read_text()
    how = Request("", engine=options.engine, options=tuple(options.option), time_limit=options.time_limit)
    predicate = Predicate(how, tuple(options.kinds), options.expect)
    if not predicate(text):
        print(f"{options.file}: there is nothing to reduce", file=sys.stderr)
        return 1
    reduced = reduce(text, predicate, time.monotonic() + options.seconds)
    if options.output is not None:
        Path(options.output).write_text(reduced)
    print(reduced, end="")
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.reduce", description=__doc__.splitlines()[0])
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("--engine", choices=list(ENGINES), default=Request.engine, help="default: %(default)s")
    parser.add_argument(
        "--option", action="append", type=_option, default=[], metavar="NAME=VALUE", help="of the engine"
    )
    parser.add_argument("--expect", choices=EXPECTED, required=True, help="what goes wrong")
    parser.add_argument("--kinds", type=_kinds, default=(), metavar="K,…", help="checks, or `all`; default: none")
    parser.add_argument("--time-limit", type=float, default=5.0, metavar="S", help="CPU seconds; default: %(default)s")
    parser.add_argument("--seconds", type=float, default=600.0, metavar="S", help="when to stop; default: %(default)s")
    parser.add_argument("--output", metavar="FILE", help="where the result goes beside standard output")
    return parser.parse_args(arguments)


def _option(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise ValueError(text)
    return name, value


def _kinds(text: str) -> tuple[str, ...]:
    return KINDS if text == "all" else tuple(text.split(","))


# What goes wrong


@dataclass(frozen=True)
class Predicate:
    """Whether a program goes wrong in the expected way; true only of programs that gcc accepts."""

    how: Request
    kinds: tuple[str, ...]
    expected: str

    def __call__(self, text: str) -> bool:
        if not is_c(text):
            return False
        program = MemoryProgram("reduced", text, self.kinds, frozenset(), frozenset(), 0)
        return _GOES_WRONG[self.expected](self._answer(program)) and self._is_meant(program)

    def _answer(self, program: MemoryProgram) -> Answer:
        with tempfile.TemporaryDirectory(prefix="reduce-") as folder:
            ((_, _, answer),) = answers([(program, self.how)], Path(folder), 1)
        return answer

    def _is_meant(self, program: MemoryProgram) -> bool:
        """No undefined behaviour but what is asked for; for a verdict, that the truth is another one."""
        try:
            if not self.kinds and not is_defined(program.text):
                return False
            if self.expected not in ("true", "false"):
                return True
            (judged,) = judge([(program.name, program.text)], self.kinds)
        except (NoTruth, subprocess.SubprocessError):
            return self.expected == "error"
        return judged is not None and bool(contradictions(judged, self._answer(program)))


_GOES_WRONG: dict[str, Callable[[Answer], bool]] = {
    "true": lambda answer: answer.verdict == "true" or "true" in _statuses(answer),
    "false": lambda answer: "false" in _statuses(answer),
    "rejected": lambda answer: bool(answer.rejected),
    "unconfirmed": lambda answer: bool(answer.unconfirmed),
    "error": lambda answer: answer.verdict.startswith("ERROR"),
}
EXPECTED = tuple(_GOES_WRONG)


def _statuses(answer: Answer) -> set[str]:
    return {one for statuses in answer.statuses.values() for one in statuses}


def is_c(text: str) -> bool:
    """Whether gcc accepts the text."""
    return subprocess.run(_SYNTAX, input=text, text=True, capture_output=True, check=False).returncode == 0


# Reduction


def reduce(text: str, holds: Holds, deadline: float = float("inf")) -> str:
    """A text from which nothing that is tried can be left out; it still holds, as `text` must."""
    lines = text.splitlines()
    while True:
        before = lines
        for candidates in (_without_lines, _unwrapped, _without_tokens):
            lines = _smallest(lines, candidates, holds, deadline)
        if lines == before or time.monotonic() > deadline:
            return "\n".join(lines) + "\n"


def _smallest(
    lines: list[str], candidates: Callable[[list[str]], Iterator[list[str]]], holds: Holds, deadline: float
) -> list[str]:
    """The lines after the candidates that hold, one after the other."""
    position = 0
    while time.monotonic() < deadline:
        for number, one in enumerate(candidates(lines)):
            if number >= position and holds("\n".join(one) + "\n"):
                lines, position = one, number
                break
            if time.monotonic() > deadline:
                break
        else:
            return lines
    return lines


def _without_lines(lines: list[str]) -> Iterator[list[str]]:
    """Balanced runs of lines are left out, long ones first."""
    size = max(1, len(lines) // 2)
    while size:
        for start in range(len(lines) - size, -1, -1):
            if _is_balanced("".join(lines[start : start + size])):
                yield lines[:start] + lines[start + size :]
        size //= 2


def _unwrapped(lines: list[str]) -> Iterator[list[str]]:
    """The first and the last line of a block are left out; or all from one brace to the next on its level."""
    for start, line in enumerate(lines):
        if not line.rstrip().endswith("{"):
            continue
        depth = 1
        for end in range(start + 1, len(lines)):
            depth -= lines[end].count("}")
            if depth == 0:
                yield lines[:start] + lines[end + 1 :]
                if "{" not in lines[end]:
                    yield lines[:start] + lines[start + 1 : end] + lines[end + 1 :]
                break
            depth += lines[end].count("{")


def _without_tokens(lines: list[str]) -> Iterator[list[str]]:
    """Tokens of a line are left out, or become a number."""
    for number in range(len(lines) - 1, -1, -1):
        for text in _shorter(lines[number]):
            yield [*lines[:number], text, *lines[number + 1 :]]


def _shorter(line: str) -> Iterator[str]:
    tokens = _TOKEN.findall(line)
    size = len(tokens) - 1
    while size > 0:
        for start in range(len(tokens) - size + 1):
            part = "".join(tokens[start : start + size])
            if not _is_balanced(part):
                continue
            rest = "".join(tokens[:start]), "".join(tokens[start + size :])
            yield "".join(rest)
            if size > 1:
                yield " 0".join(rest)
                yield " 1".join(rest)
        size = size // 2 if size > 8 else size - 1


def _is_balanced(text: str) -> bool:
    stack: list[str] = []
    for character in text:
        if character in "([{":
            stack.append(character)
        elif character in _PAIRS and (not stack or stack.pop() != _PAIRS[character]):
            return False
    return not stack


if __name__ == "__main__":
    sys.exit(main())
