"""Runs the jobs of a batch on this machine, several at once."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import Protocol

from interplay.batch.batch_plan import BatchJob
from interplay.batch.job import Stopped, run_job
from interplay.batch.orphans import Orphans
from interplay.batch.rows import ResultRow


class Executor(Protocol):
    """An executor of jobs, on this machine or elsewhere."""

    def rows(self, jobs: Sequence[BatchJob]) -> Generator[ResultRow, None, None]:
        """Yield the row of each job when it is done and its run file is in place. Each job has a row, unless the
        iteration is closed before; closing it ends the runs in progress. Raises `OSError` where it cannot go on.
        """
        ...


class Pool:
    """Executor on this machine, with a fixed number of workers at once. `command` replaces the usual worker; `begun` is
    called for the jobs that begin before any has ended.
    """

    def __init__(
        self,
        folder: Path,
        workers: int,
        command: list[str] | None = None,
        begun: Callable[[BatchJob], None] = lambda _: None,
    ) -> None:
        self._begun = begun
        self._folder = folder
        self._workers = workers
        self._command = command

    def rows(self, jobs: Sequence[BatchJob]) -> Generator[ResultRow, None, None]:
        waiting, first = iter(jobs), set(range(self._workers))
        lock, stop = threading.Lock(), threading.Event()
        done: queue.SimpleQueue[ResultRow | BaseException] = queue.SimpleQueue()
        orphans = Orphans()

        def work() -> None:
            try:
                while not stop.is_set():
                    with lock:
                        job = next(waiting, None)
                    if job is None:
                        return
                    if first:
                        first.pop()
                        self._begun(job)
                    done.put(run_job(job, self._folder / job.run_file, orphans, stop, self._command))
            except Stopped:
                pass
            except BaseException as error:  # noqa: BLE001 - raised again in the thread that waits for the row
                done.put(error)

        threads = [threading.Thread(target=work) for _ in range(min(self._workers, len(jobs)))]
        try:
            for thread in threads:
                thread.start()
            for _ in jobs:
                row = done.get()
                if isinstance(row, BaseException):
                    raise row
                yield row
        finally:
            stop.set()
            for thread in threads:
                thread.join()
            orphans.close()
