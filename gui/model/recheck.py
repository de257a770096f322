"""Re-examination of the shown run's evidence on request: checks the proof, or compiles and runs the counterexample.

It does the same as `interplay check`: a worker reads the run file and lowers its sources anew; no engine takes part.
The events go to a fold of their own, so the shown run is unchanged. Opening a run executes nothing.
"""

from __future__ import annotations

import contextlib
import shutil
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, QSocketNotifier, QTimer, Signal

from gui.model.current import RunModel, RunState
from interplay.presentation.record.reexamination import Broken, Examined, Examining, NotAsked, Reexamination
from interplay.presentation.record.run import RunRecord
from interplay.process.control import Control, Observer
from interplay.process.start import by_command
from interplay.session.request import WRITER, ReplayMode
from runs.events import Level
from runs.runfile import Journal

TELL = 100  # milliseconds between two looks at the worker
LONGEST = 300.0  # seconds of CPU time, for runs that had no limit


_DOING = {
    "parse": "reading the stored C text",
    "lower": "building the program anew",
    "certify": "a separate checker examines the proof",
    "repeat": "the interpreter of typed C repeats the execution",
    "replay": "compiling the program and running the counterexample",
}


class Recheck(QObject):
    """Runs one examination at a time, of the shown run. `changed()`: `outcome` has changed."""

    changed = Signal()

    def __init__(self, model: RunModel, command: list[str] | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._command = command
        self._worker: _Worker | None = None
        self._outcome: Reexamination = NotAsked()
        self._clock = QTimer(self, interval=TELL)
        self._clock.timeout.connect(self._advance)
        model.replaced.connect(self._forget)

    @property
    def outcome(self) -> Reexamination:
        if isinstance(self._outcome, NotAsked):
            return NotAsked(self._obstacle())
        return self._outcome

    def start(self) -> None:
        """Examine the evidence; does nothing where that is in progress or impossible."""
        record = self._model.record
        if record is None or self._worker is not None or self._obstacle():
            return
        try:
            self._worker = _Worker(record, self._command)
        except OSError as error:
            self._tell(Broken(f"The examination cannot be started: {error}"))
            return
        notifier = QSocketNotifier(self._worker.control.output, QSocketNotifier.Type.Read, self)
        notifier.activated.connect(self._advance)
        self._worker.notifier = notifier
        self._clock.start()
        self._tell(Examining("starting"))

    def cancel(self) -> None:
        """End the examination and discard it, on request of the user."""
        self._forget()

    def stop(self) -> None:
        """End the process, if there is one, without a signal: the window closes or shows another run."""
        self._clock.stop()
        if self._worker is not None:
            worker, self._worker = self._worker, None
            worker.end()

    def _obstacle(self) -> str:
        record = self._model.record
        if record is None or not record.begun:
            return "There is no run yet."
        if record.view.verdict is None:
            return "The run has no verdict yet."
        if self._model.state is not RunState.IDLE:
            return "The run is not saved yet."
        if record.path is None or not record.path.exists():
            return "The file of this run is gone."
        return ""

    def _forget(self) -> None:
        self.stop()
        self._tell(NotAsked())

    def _advance(self) -> None:
        worker = self._worker
        if worker is None:
            return
        try:
            going_on = worker.control.advance(0)
        except OSError as error:
            self.stop()
            self._tell(Broken(f"The examination was broken off: {error}"))
            return
        except BaseException:
            # The output stays readable, so this would come again and again.
            self.stop()
            self._tell(Broken("The examination was broken off: what its worker said is not understood."))
            raise
        if worker.control.silent and worker.notifier is not None:
            worker.notifier.setEnabled(False)  # at its end a pipe is readable for ever
        phase = worker.control.view.phase
        self._tell(Examining(_DOING.get(phase, phase or "starting")) if going_on else self._finish(worker))

    def _finish(self, worker: _Worker) -> Reexamination:
        view = worker.control.finish()
        seconds = time.monotonic() - worker.since
        self._worker = None
        self._clock.stop()
        worker.tidy()
        verdict = view.verdict
        assert verdict is not None
        return Examined(verdict.verdict, tuple(view.checks.values()), seconds, verdict.reason)

    def _tell(self, outcome: Reexamination) -> None:
        if outcome != self._outcome:
            self._outcome = outcome
            self.changed.emit()


class _Worker:
    """The process of one examination, with a temporary journal. Raises `OSError`."""

    def __init__(self, record: RunRecord, command: list[str] | None) -> None:
        request = replace(
            record.request,
            time_limit=record.request.time_limit or LONGEST,
            replay=ReplayMode.NATIVE,
            level=Level.SUMMARY,
            recheck=str(record.path),
        )
        self.since = time.monotonic()
        self.notifier: QSocketNotifier | None = None
        self._folder = Path(tempfile.mkdtemp(prefix="interplay-"))
        self._journal = Journal(self._folder / "run", WRITER)
        self.control = Control(request, self._journal, Observer(), by_command(command))
        try:
            self.control.start()
        except OSError:
            self.tidy()
            raise

    def end(self) -> None:
        """Kill the process with its children."""
        self.control.abandon()
        self.tidy()

    def tidy(self) -> None:
        if self.notifier is not None:
            with contextlib.suppress(RuntimeError):  # Qt may have deleted it with its window
                self.notifier.setEnabled(False)
                self.notifier.deleteLater()
        self._journal.close()
        shutil.rmtree(self._folder, ignore_errors=True)
