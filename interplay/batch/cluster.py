"""Runs the jobs of a batch on a Dask cluster (https://distributed.dask.org); the only module that imports Dask.

A job travels as data, its row and run file come back; the texts of tasks do not travel: all machines see the same file
system, and have Interplay installed. A worker that dies gives its jobs back to the scheduler, which gives them to
others; the processes it has started die with it. Only a job that has outlived several workers ends as killed.
"""

from __future__ import annotations

import hashlib
import sys
import tempfile
import threading
from collections.abc import Generator, Sequence
from contextlib import suppress
from pathlib import Path

from distributed import Client, Future, KilledWorker, Worker, WorkerPlugin, as_completed, get_worker

from interplay.batch.batch_plan import BatchJob
from interplay.batch.job import ended_row, run_job
from interplay.batch.orphans import Orphans
from interplay.batch.rows import ResultRow
from interplay.session.endings import Termination

PATIENCE = 10  # seconds to wait for the scheduler
RETRIES = 3  # for a job that could not be begun: its next worker may have what was missing


class Guard(WorkerPlugin):  # type: ignore[misc]  # the library has no types
    """Plugin of a cluster worker: ends the processes of a batch when the worker ends, or when the batch does.

    A batch that is resumed has the name of the interrupted one: its guard replaces that one, which ends its runs.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def setup(self, worker: Worker) -> None:
        self.stop = threading.Event()
        self.orphans = Orphans()

    def teardown(self, worker: Worker) -> None:
        self.stop.set()
        self.orphans.close()


def run_there(job: BatchJob, directory: str, guard: str, command: list[str] | None) -> tuple[ResultRow, bytes]:
    """Run a job in a worker of the cluster, and return its row and its run file. Names are relative to `directory`."""
    found = get_worker().plugins[guard]
    with tempfile.TemporaryDirectory(prefix="interplay-") as folder:
        run_file = Path(folder) / "run"
        row = run_job(job, run_file, found.orphans, found.stop, command, Path(directory))
        return row, run_file.read_bytes() if row.run else b""


class Cluster:
    """Executor on a Dask cluster (`interplay.batch.pool.Executor`). `command` replaces the usual worker process."""

    def __init__(self, folder: Path, address: str, command: list[str] | None = None) -> None:
        self._folder = folder
        self._address = address
        self._command = command
        self._guard = f"interplay {hashlib.sha256(str(folder.absolute()).encode()).hexdigest()[:16]}"

    def rows(self, jobs: Sequence[BatchJob]) -> Generator[ResultRow, None, None]:
        client = self._client()
        try:
            workers = len(client.scheduler_info(n_workers=-1)["workers"])
            print(f"{workers} workers at {self._address}; more may join at any time", file=sys.stderr)
            client.register_plugin(Guard(self._guard))
            waiting = {
                client.submit(
                    run_there, job, str(Path.cwd()), self._guard, self._command, pure=False, retries=RETRIES
                ): job
                for job in jobs
            }
            for future in as_completed(list(waiting), loop=client.loop):
                yield self._row(waiting.pop(future), future)
                future.release()
        finally:
            with suppress(OSError, TimeoutError):  # the scheduler may be what is gone
                client.unregister_worker_plugin(self._guard)
            client.close()

    def _client(self) -> Client:
        try:
            return Client(self._address, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise ConnectionError(f"no Dask scheduler answers at {self._address} ({type(error).__name__})") from None

    def _row(self, job: BatchJob, future: Future) -> ResultRow:
        if future.status == "finished":
            row, run = future.result()
            assert isinstance(row, ResultRow)
            if row.run:
                path = self._folder / row.run
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(run)
            return row
        error = future.exception() if future.status == "error" else None
        if isinstance(error, KilledWorker):
            return ended_row(job, Termination.KILLED, "the workers of the cluster that ran it have died")
        reason = f"{type(error).__name__}: {error}" if error is not None else "the scheduler is gone"
        raise ConnectionError(f"the cluster at {self._address} does not go on: {reason}")
