"""The project that is open: what is known of its programs, and the process that verifies them.

Results are a batch (`interplay.batch.journal`) in a folder of their own, so that they are there when the project is
opened again, and a verification that was cut off goes on with what is left.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, QProcess, Signal

from core.dataclass import dataclass
from gui.model.background import Background
from gui.model.glance import ProjectProgram, Question, columns_of, job_of, outdated, programs_of, questions_of
from gui.model.tasks import TaskEntry, request_of
from gui.model.texts import Texts
from interplay.batch.batch_plan import EACH_ITS_OWN, BatchJob, write_job
from interplay.batch.job import digests, row_of
from interplay.batch.journal import BatchJournal, JournalConflict, read_journal
from interplay.batch.rows import JOURNAL, ResultRow, RowKey, read_row
from interplay.folders import own_command
from interplay.presentation.record.run import RunRecord
from interplay.session.endings import ExitCode
from interplay.session.project_file import WrongProject
from interplay.session.request import WRITER, Request
from runs.jsondata import Malformed, compact, parse

_PATIENCE = 5000  # milliseconds until the process ends that was asked to
_SHORT = 12  # digits of a digest that tell projects of one name apart


@dataclass(frozen=True)
class Visit:
    """The run of a program of the project, to be opened at a line."""

    entry: TaskEntry
    run: Path
    place: tuple[str, int] | None


class ProjectModel(QObject):
    """The programs of a folder, and the rows of their results by question.

    Signals: `changed()`; `answered(entry, row)`: a result, of now or of before; `failed(sentence)`.
    """

    changed = Signal()
    answered = Signal(object, object)
    failed = Signal(str)

    def __init__(
        self,
        runs: Path,
        chosen: Callable[[], Request],
        texts: Texts,
        command: list[str] | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._texts = texts
        texts.changed.connect(self.changed)
        self._runs = runs
        self._chosen = chosen
        self._command = command or []
        self._process: QProcess | None = None
        self._output = b""
        self._later: list[tuple[BatchJob, ResultRow, Path]] = []  # runs of the window, while the journal is taken
        self._looking: Background[frozenset[RowKey]] = Background(self._have_looked)
        self.place: Path | None = None
        self.folder = runs
        self.programs: tuple[ProjectProgram, ...] = ()
        self.columns: tuple[str, ...] = ()
        self.rows: dict[RowKey, ResultRow] = {}
        self._looked: frozenset[RowKey] = frozenset()
        self.left: tuple[Question, ...] = ()

    # What a person does

    def open(self, place: Path, entries: Iterable[TaskEntry]) -> None:
        """Show the programs of a folder, or of a project, with what is known of them."""
        self.stop()
        self.place = place.absolute()
        number = hashlib.sha256(str(self.place).encode()).hexdigest()[:_SHORT]
        self.folder = self._runs / "projects" / f"{self.place.name}-{number}"
        self.programs = programs_of(entries)
        self.columns = columns_of(self.programs)
        self.rows, self._looked = {}, frozenset()
        self._take_stored()
        self.look_again()
        self.changed.emit()

    def verify(self, questions: Iterable[Question]) -> None:
        """Answer these questions one after the other, after those that wait."""
        known = {one.key for one in self.left}
        more = [one for one in questions if one.key not in known]
        try:
            jobs = [self._job(one) for one in more]
        except WrongProject as error:
            self.failed.emit(str(error))
            return
        if jobs and self._process is None:
            self.left = tuple(more)
            self._start(jobs)
        elif jobs:
            self.left += tuple(more)
        self.changed.emit()

    def unanswered(self) -> tuple[Question, ...]:
        """The questions without an answer for the text as it is now."""
        old = self.old
        return tuple(
            one
            for one in questions_of(self.programs)
            if one.key in old or one.key not in self.rows or not _is_answer(self.rows[one.key])
        )

    def stop(self) -> None:
        """End the run that goes on; what is done stays."""
        process, self._process = self._process, None
        self.left = ()
        if process is not None:
            process.readyReadStandardOutput.disconnect()
            process.finished.disconnect()
            process.terminate()
            if not process.waitForFinished(_PATIENCE):
                process.kill()
                process.waitForFinished()
            process.deleteLater()
            self._take_stored()  # also what it had not told any more
            self._keep_later()
        self.changed.emit()

    def look_again(self) -> None:
        """See which texts have changed on disk, off the event loop, and what would be asked otherwise now."""
        rows = tuple(self.rows.values())
        asked = {one.key: self._job(one).task.digest for one in questions_of(self.programs) if one.key in self.rows}
        self._looking.submit(lambda _: frozenset(row.key for row in rows if outdated(row, asked.get(row.key, ""))))

    @property
    def old(self) -> frozenset[RowKey]:
        """The questions whose answers are about other texts or options than those of now."""
        return self._looked | {key for key, row in self.rows.items() if not self._texts.are(row.texts)}

    @property
    def running(self) -> bool:
        return self._process is not None

    def run_of(self, key: RowKey) -> Path | None:
        """The run file of an answer, if it is still there."""
        row = self.rows.get(key)
        path = None if row is None or not row.run else self.folder / row.run
        return path if path is not None and path.is_file() else None

    # Runs of the window itself

    def take(self, record: RunRecord) -> None:
        """Keep the run of a program of the project that the window has made."""
        if record.path is None or record.view.verdict is None:
            return
        for question in questions_of(self.programs):
            job = self._known_job(question, record.request)
            if job is not None:
                row = replace(
                    row_of(job, record.view, record.cpu), texts=digests(record.sources), wall=record.view.seconds
                )
                self._later.append((job, row, record.path))
        if self._process is None:
            self._keep_later()
        self.changed.emit()

    def _known_job(self, question: Question, request: Request) -> BatchJob | None:
        """The job of a question, if the request asks it."""
        if question.choice.property != request.property:
            return None
        try:
            job = self._job(question)
        except WrongProject:
            return None
        same = (job.request.task, job.request.files) == (request.task, request.files)
        return job if same and job.request.compile_commands == request.compile_commands else None

    def _keep_later(self) -> None:
        later, self._later = self._later, []
        try:
            for job, row, run in later:
                journal = BatchJournal(self.folder, EACH_ITS_OWN, WRITER)
                target = self.folder / job.run_file
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(run, target)
                journal.add(row)
                journal.close()
                self._put(row)
        except (OSError, JournalConflict, Malformed) as error:
            self.failed.emit(f"The result is not kept for the project: {error}")

    # The process

    def _job(self, question: Question) -> BatchJob:
        entry, choice = question.program.entry, question.choice
        return job_of(question, request_of(entry, self._chosen(), choice.property))

    def _start(self, jobs: Iterable[BatchJob]) -> None:
        words = (str(self.folder), *self._command)
        program, *arguments = own_command(*words, program="interplay.commands.queue")
        self._process = process = QProcess(self)
        self._output = b""
        process.readyReadStandardOutput.connect(self._read)
        process.finished.connect(self._ended)
        process.start(program, arguments)
        process.write(b"".join(compact(write_job(job)).encode() + b"\n" for job in jobs))
        process.closeWriteChannel()

    def _read(self) -> None:
        assert self._process is not None
        self._output += bytes(self._process.readAllStandardOutput().data())
        *lines, self._output = self._output.split(b"\n")
        for line in lines:
            try:
                row = read_row(parse(line))
            except Malformed as error:
                self.failed.emit(f"A result is not understood: {error}")
                continue
            self.left = tuple(one for one in self.left if one.key != row.key)
            self._put(row)
        self.changed.emit()

    def _ended(self, code: int) -> None:
        """Go on with what was asked meanwhile; a process that has died is started again, without what it died of."""
        process, self._process = self._process, None
        assert process is not None
        said = process.readAllStandardError().toStdString().strip()
        process.deleteLater()
        self._take_stored()
        self._keep_later()
        if code != 0:
            self.left = () if code == ExitCode.COMMAND_LINE else self.left[1:]
            self.failed.emit(f"The verification of the project was cut off: {said.splitlines()[-1] if said else code}")
        again, self.left = self.left, ()
        self.verify(again)

    def _put(self, row: ResultRow) -> None:
        self.rows[row.key] = row
        self._looked -= {row.key}
        program = next((one for one in self.programs if one.name == row.task), None)
        if program is not None:
            self.answered.emit(program.entry, row)

    def _take_stored(self) -> None:
        """Take the rows of the journal that are not known here."""
        asked = {question.key for question in questions_of(self.programs)}
        for row in self._stored().values():
            if row.key in asked and row != self.rows.get(row.key):
                self._put(row)

    def _stored(self) -> dict[RowKey, ResultRow]:
        try:
            return read_journal(self.folder / JOURNAL).rows
        except FileNotFoundError:
            return {}
        except (OSError, Malformed) as error:
            self.failed.emit(f"The results of before cannot be read: {error}")
            return {}

    def _have_looked(self, old: frozenset[RowKey]) -> None:
        if old != self._looked:
            self._looked = old
            self.changed.emit()


def _is_answer(row: ResultRow) -> bool:
    return row.verdict.startswith(("true", "false"))
