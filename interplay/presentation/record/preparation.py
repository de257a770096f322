"""Computes the data of long counterexamples in pieces, so that views do not block the event loop.

The functions of `paths` and `trace` find the data in the cache of the record, or compute it at once, with equal
results.
"""

from __future__ import annotations

from collections.abc import Iterator

from interplay.presentation.record.memo import drained_into
from interplay.presentation.record.paths import steps_key, steps_of
from interplay.presentation.record.run import RunRecord
from interplay.presentation.record.trace import part_key, part_of, rows_key, rows_of

_LONG = 500  # steps; shorter ones take some milliseconds


def preparation(record: RunRecord) -> Iterator[None]:
    """The remaining pieces for the counterexamples of a record; none if they are short."""
    for trace in record.view.traces.values():
        if len(trace.steps) > _LONG and not record.memo.has(rows_key(trace)):
            yield from drained_into(record.memo, steps_key(trace), steps_of(record, trace))
            yield from drained_into(record.memo, part_key(trace), part_of(record, trace))
            yield from drained_into(record.memo, rows_key(trace), rows_of(record, trace))


def needs_preparation(record: RunRecord) -> bool:
    return next(preparation(record), True) is None
