"""Run control: one run at a time in a worker process, read on the event loop of the window, and a queue of jobs.

The worker's output is read when it becomes readable, at most 64 KiB at once, so that no call blocks for long; views are
notified ten times a second. A thread reads sources and program, once for a run; another packs the run file at the end,
which is possible since compression releases the interpreter.
"""

from __future__ import annotations

import contextlib
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, replace
from itertools import chain
from pathlib import Path

from PySide6.QtCore import QObject, QSocketNotifier, QTimer, Signal, SignalInstance

from core.dataclass import dataclass
from gui.model.background import Background, InPieces, polite
from gui.model.current import RunModel, RunState
from gui.model.recheck import Recheck
from interplay.presentation.record.preparation import preparation
from interplay.presentation.record.run import Documents, RunRecord, documents_of
from interplay.process.control import Control, Observer
from interplay.process.start import by_command
from interplay.session.request import WRITER, Request, Start
from runs.events import Level, Place
from runs.jsondata import Malformed
from runs.runfile import Journal, journal_of, open_run

TELL = 100  # milliseconds between two messages to the views
_BEAT = 1.0  # seconds between two of them where nothing happens, so that bars grow


@dataclass(frozen=True)
class Job:
    """A requested run: its request, its run file, and the sources shown until the run has its own."""

    request: Request
    output: Path
    start: Start = Start.AT_ONCE
    sources: Mapping[str, str] = field(default_factory=dict)


class Runner(QObject):
    """Runs jobs, one after the other. `show` gets each run that begins; without it, the model shows it.

    Signals: `changed(state)`; `started(job)` and `finished(job, record)` around each job, `finished` after the run file
    is written. `failed(text)`: a run could not be started or recorded.
    """

    changed = Signal(object)
    started = Signal(object)
    finished = Signal(object, object)
    failed = Signal(str)
    _packed = Signal(str)

    def __init__(
        self,
        model: RunModel,
        command: list[str] | None = None,
        parent: QObject | None = None,
        show: Callable[[RunRecord], None] | None = None,
    ) -> None:
        super().__init__(parent)
        self._model = model
        self._show = show or model.show
        self._command = command
        self._queue: deque[Job] = deque()
        self._active: _Active | None = None
        self._packing: threading.Thread | None = None
        self.state = RunState.IDLE
        model.control = self
        model.recheck = self._recheck = Recheck(model, command, self)
        self._reading: Background[Documents | Exception] = Background(self._have_read)
        self._telling: InPieces[None] = InPieces(lambda _: None)
        self._clock = QTimer(self, interval=TELL)
        self._clock.timeout.connect(self._tick)
        self._packed.connect(self._after_packing)

    # What a person does

    def submit(self, *jobs: Job) -> None:
        """Add jobs to the end of the queue."""
        self._queue.extend(jobs)
        if self._active is None:
            self._next()

    def stop(self) -> None:
        """End the active run, within half a second, and clear the queue."""
        self._queue.clear()
        if self._active is not None and self.state in (RunState.RUNNING, RunState.PAUSED):
            self._active.control.cancel()
            self._enter(RunState.STOPPING)
            self._advance()

    def pause(self) -> None:
        """Pause the run before its next round; the state becomes `RunState.PAUSED` when it has paused."""
        if self._active is not None and self.state is RunState.RUNNING:
            self._active.control.pause()

    def resume(self) -> None:
        if self._active is not None and self.state is RunState.PAUSED:
            self._go_on()
            self._active.control.resume()

    def step(self) -> None:
        """Run one round, then pause again."""
        if self._active is not None and self.state is RunState.PAUSED:
            self._go_on()
            self._active.control.step()

    def edit(self, attempt: int, action: str, formula: int, place: Place | None, text: str = "") -> None:
        """Change the precision of an attempt (its `number`) before its next round; see `interplay.process.control`."""
        if self._active is not None and self.state in (RunState.RUNNING, RunState.PAUSED):
            self._active.control.edit(attempt, action, formula, place, text)

    def shut_down(self) -> None:
        """End the worker when the window closes; its output stays as a journal that can be opened."""
        self._queue.clear()
        self._recheck.stop()
        self._reading.forget()
        self._telling.stop()
        if self._packing is not None:
            self._packing.join()  # its run file is nearly there
        elif self._active is not None:
            self._active.close()
            self._active.control.abandon()
            self._active.journal.close()
            self._active = None

    @property
    def record(self) -> RunRecord | None:
        """The run that goes on."""
        return None if self._active is None else self._active.record

    @property
    def waiting(self) -> int:
        return len(self._queue)

    # The run

    def _next(self) -> None:
        if not self._queue:
            self._enter(RunState.IDLE)
            return
        job = self._queue.popleft()
        try:
            self._active = _Active(job, self._command, self)
        except OSError as error:
            self.failed.emit(f"The run cannot be started: {error}")
            QTimer.singleShot(0, self, self._next)
            return
        self._active.notifier.activated.connect(self._advance)
        self._show(self._active.record)
        self._enter(RunState.RUNNING)
        self._clock.start()
        self.started.emit(job)

    def _advance(self) -> None:
        """Read new output. At the end of the run `_finish` is called."""
        active = self._active
        if active is None or self.state is RunState.SAVING:
            return
        try:
            going_on = active.control.advance(0)
        except OSError as error:
            self._break_off(active, f"The run cannot be recorded: {error}")
            return
        except BaseException:
            # The output stays readable, so this would come again and again.
            self._break_off(active, "The run is broken off: what its worker said is not understood.")
            raise
        if active.silent:
            active.notifier.setEnabled(False)  # at its end a pipe is readable for ever
        if active.record.paused and self.state is RunState.RUNNING:
            self._enter(RunState.PAUSED)
        if not going_on:
            self._finish(active)

    def _tick(self) -> None:
        self._advance()
        active = self._active
        if active is not None and self.state is not RunState.SAVING and active.grown(self.state is RunState.RUNNING):
            QTimer.singleShot(
                0, self, self._tell
            )  # so that what has come and what is drawn do not hold the loop at once

    def _tell(self) -> None:
        active = self._active
        if active is None or self.state is RunState.SAVING or self._reading.busy:
            return
        if active.lacks_documents:
            self._reading.submit(lambda _: _read(active.journal.directory))
        elif not self._telling.busy:
            self._telling.start(self._told(active.record))

    def _have_read(self, documents: Documents | Exception) -> None:
        """Receive sources and program of the active run, and notify the views."""
        active = self._active
        if active is not None and isinstance(documents, Documents):
            active.take(documents)
            self._tell()
        elif active is not None:
            self._break_off(active, str(documents))

    def _told(self, record: RunRecord) -> Iterator[None]:
        """Compute the data that views need of a long counterexample, then notify those that show it, piece by piece."""
        return chain(preparation(record), self._if_shown(record, self._model.advanced.notify()))

    def _if_shown(self, record: RunRecord, words: Iterator[None]) -> Iterator[None]:
        if self._model.wanted is record:
            yield from words

    def _go_on(self) -> None:
        assert self._active is not None
        self._active.record.paused = False
        self._enter(RunState.RUNNING)

    def _finish(self, active: _Active) -> None:
        active.close()
        self._clock.stop()
        self._reading.forget()
        try:
            active.control.finish()
            if active.lacks_documents:  # of a short run: afterwards the journal is no longer there
                active.take(documents_of(open_run(active.journal.directory)))
        except (OSError, Malformed) as error:
            self._break_off(active, str(error))
            return
        active.record.paused = False
        active.record.cpu, active.record.passed = active.control.cost.cpu, 0.0
        active.record.complete = True
        self._enter(RunState.SAVING)
        self._packing = threading.Thread(target=self._pack, args=(active,))
        self._packing.start()
        decided = map(SignalInstance.emit, (self._model.decided,))
        self._telling.start(chain(self._told(active.record), self._if_shown(active.record, decided)))

    def _pack(self, active: _Active) -> None:
        """Pack the journal into the run file, in a thread."""
        try:
            with polite():
                active.journal.finish(active.job.output)
        except OSError as error:
            self._packed.emit(f"The run cannot be saved: {error}")
        else:
            self._packed.emit("")

    def _after_packing(self, error: str) -> None:
        if self._telling.busy:
            QTimer.singleShot(TELL, self, lambda: self._after_packing(error))
            return
        active, self._active, self._packing = self._active, None, None
        if error:
            self.failed.emit(error)
        if active is not None:
            active.record.path = active.job.output
            self.finished.emit(active.job, active.record)
        self._next()

    def _break_off(self, active: _Active, why: str) -> None:
        self._clock.stop()
        self._reading.forget()
        self._telling.stop()
        active.close()
        active.control.abandon()
        active.journal.close()
        self._active = None
        self.failed.emit(why)
        self._next()

    def _enter(self, state: RunState) -> None:
        if state is not self.state:
            self.state = state
            self.changed.emit(state)


class _Active:
    """The active run: its journal, its process, its record."""

    def __init__(self, job: Job, command: list[str] | None, parent: QObject) -> None:
        self.job = job
        request = replace(job.request, level=Level.STATES)
        job.output.parent.mkdir(parents=True, exist_ok=True)
        self.journal = Journal(journal_of(job.output), WRITER)
        self.control = Control(
            request, self.journal, Observer(paused=self._pause), by_command(command), start=job.start
        )
        self.record = RunRecord(request, self.control.view, self.journal.directory)
        self.record.sources = job.sources
        self.record.live = True
        self._seen = 0
        self._documents = False
        try:
            self.control.start()
        except OSError:
            self.journal.discard()
            raise
        self.notifier = QSocketNotifier(self.control.output, QSocketNotifier.Type.Read, parent)

    @property
    def silent(self) -> bool:
        return self.control.silent

    def _pause(self) -> None:
        self.record.paused = True

    def grown(self, computes: bool) -> bool:
        """Whether events have arrived since the last call, or the run has computed for a while without any."""
        before, self._seen = self._seen, self.control.view.position
        record, passed = self.record, self.control.passed
        late = computes and passed > record.passed + _BEAT
        if self._seen > before or late:
            record.cpu, record.passed = self.control.used, passed
            record.memo.grow()
        return self._seen > before or late

    @property
    def lacks_documents(self) -> bool:
        """Whether sources and program can be read now: they are written before an engine starts."""
        view = self.control.view
        return not self._documents and (len(view.attempts) > 1 or view.verdict is not None)

    def take(self, documents: Documents) -> None:
        self.record.take(documents)
        self._documents = True

    def close(self) -> None:
        with contextlib.suppress(RuntimeError):  # Qt may have deleted it with its window
            self.notifier.setEnabled(False)
            self.notifier.deleteLater()


def _read(journal: Path) -> Documents | Exception:
    try:
        return documents_of(open_run(journal))
    except (OSError, Malformed) as error:
        return error
