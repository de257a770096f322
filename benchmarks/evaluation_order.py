"""Compares random expressions whose value depends on the order of evaluation: by gcc, by C, and as they are tried here.

    python -m benchmarks.evaluation_order --count 3000 [--seed 1] [--verified 30]

gcc compiles them for two machines at two levels; C is all interleavings of their evaluations. Some are also verified,
by all engines: an outcome that C allows must not be proved impossible, and any other one must not be found. The exit
code is 1 if anything is wrong.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import interplay
from frontend.typed.ctype import DataModel
from tests.evaluation_order.expressions import DECLARED, Expression, Generator
from tests.evaluation_order.legal import legal
from tests.evaluation_order.outcomes import Outcome, compared

_BATCH = 100
_MODELS = (DataModel.ILP32, DataModel.LP64)
_SECONDS = 20


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.evaluation_order", description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=3000, metavar="N", help="expressions; default %(default)s")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="default %(default)s")
    parser.add_argument("--verified", type=int, default=30, metavar="N", help="of them; default %(default)s")
    options = parser.parse_args(arguments)
    generator = Generator(options.seed)
    expressions = [generator.expression() for _ in range(options.count)]
    counts: Counter[str] = Counter()
    decided: list[Expression] = []
    with tempfile.TemporaryDirectory(prefix="evaluation-order-") as folder:
        for first in range(0, len(expressions), _BATCH):
            batch, model = expressions[first : first + _BATCH], _MODELS[first // _BATCH % 2]
            for expression, one in zip(batch, compared(batch, model, Path(folder)), strict=True):
                counts[one.verdict] += 1
                if one.verdict in ("wrong", "odd"):
                    print(one, flush=True)
                if not one.is_refused:
                    decided.append(expression)
        step = max(1, len(decided) // max(1, options.verified))
        for expression in decided[::step][: options.verified]:
            for verdict in _verified(expression, Path(folder)):
                counts[f"verified {verdict}"] += 1
    print(", ".join(f"{name} {count}" for name, count in sorted(counts.items())))
    return 1 if any(name.endswith("wrong") for name in counts) else 0


def _verified(expression: Expression, folder: Path) -> Iterator[str]:
    """The verdicts on an outcome that C allows, and on one that it does not."""
    allowed = sorted(legal(expression))
    value, n, m = allowed[-1]
    for outcome in (allowed[0], allowed[-1], (value, n + 1, m + 1)):
        expected = "false" if outcome in allowed else "true"
        found = interplay.verify(str(_written(expression, outcome, folder)), time_limit=_SECONDS).status
        if found not in (expected, "unknown"):
            print(f"{found} instead of {expected}: {expression.text()} as {outcome}", flush=True)
            yield "wrong"
        else:
            yield found


def _written(expression: Expression, outcome: Outcome, folder: Path) -> Path:
    """A program whose error is this outcome."""
    path, (value, n, m) = folder / "verified.c", outcome
    condition = f"r == {value}LL && n == {n} && m == {m}"
    main_ = f"int main(void) {{ long long r = {expression.text()}; if ({condition}) reach_error(); return 0; }}\n"
    path.write_text(f"extern void reach_error(void);\n{DECLARED}{main_}")
    return path


if __name__ == "__main__":
    sys.exit(main())
