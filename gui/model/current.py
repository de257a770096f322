"""The run that the window shows, with signals when it is replaced or grows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Signal, SignalInstance

from gui.model.background import InPieces
from gui.model.focus import Focus
from gui.model.texts import Texts
from interplay.presentation.record.preparation import needs_preparation, preparation
from interplay.presentation.record.reexamination import Reexamination
from interplay.presentation.record.run import RunRecord
from runs.events import Place
from runs.runfile import open_run

if TYPE_CHECKING:
    from gui.model.project import ProjectModel


class RunState(Enum):
    """The states of run control."""

    IDLE = "idle"
    RUNNING = "running"
    PAUSED = "paused"
    STOPPING = "stopping"
    SAVING = "saving"


class RunControl(Protocol):
    """The control of the active run, as views use it (`gui.model.runner`). `changed(state)` is emitted with each
    change; `record` is the run that goes on, which need not be the one that is shown.
    """

    state: RunState

    @property
    def record(self) -> RunRecord | None: ...
    @property
    def changed(self) -> SignalInstance: ...

    def stop(self) -> None: ...
    def pause(self) -> None: ...
    def resume(self) -> None: ...
    def step(self) -> None: ...
    def edit(self, attempt: int, action: str, formula: int, place: Place | None, text: str = "") -> None: ...


class EvidenceCheck(Protocol):
    """The re-examination of the shown run, as views use it (`gui.model.recheck`). `changed()`: another `outcome`."""

    @property
    def outcome(self) -> Reexamination: ...
    @property
    def changed(self) -> SignalInstance: ...

    def start(self) -> None: ...
    def cancel(self) -> None: ...
    def stop(self) -> None: ...


class Broadcast:
    """A signal that the run has grown, delivered to one view after the other."""

    def __init__(self) -> None:
        self._views: list[Callable[[], None]] = []

    def connect(self, hear: Callable[[], None]) -> None:
        self._views.append(hear)

    def notify(self) -> Iterator[None]:
        """Notify one view in each step, so that the event loop runs in between. A failing view does not keep the others
        from being notified.
        """
        return map(_call, tuple(self._views))


def _call(view: Callable[[], None]) -> None:
    view()


class RunModel(QObject):
    """The model of the window: holds the current record. Views read `record` and redraw on these signals:

    - `replaced()`: another run is shown, or none: forget everything, read again;
    - `advanced()`: the run has grown; at most ten times a second, to each view in its turn;
    - `decided()`: the run has its verdict; once, after the last `advanced`.

    A run with a long counterexample is shown once the data that views need is computed, some moments later. `control`
    is how a view pauses, steps and changes the run that goes on; `recheck` examines stored evidence again; `texts`
    says which runs are about the texts of now; `project` has what is known of a folder of programs.
    """

    replaced = Signal()
    decided = Signal()

    def __init__(self, focus: Focus, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._focus = focus
        self.advanced = Broadcast()
        self.record: RunRecord | None = None
        self.control: RunControl | None = None
        self.recheck: EvidenceCheck | None = None
        self.project: ProjectModel | None = None
        self.texts = Texts(self)
        self.wanted: RunRecord | None = None
        """The run that is shown, or will be in a moment."""
        self._pieces: InPieces[None] = InPieces(lambda _: self._replace())

    @property
    def state(self) -> RunState:
        """The state of the run that is shown: idle while another one goes on."""
        control = self.control
        return control.state if control is not None and control.record is self.wanted else RunState.IDLE

    def show(self, record: RunRecord | None) -> None:
        """Show another run, at its end."""
        self.wanted = record
        self._pieces.stop()
        if record is not None and needs_preparation(record):
            self._pieces.start(preparation(record))
        else:
            self._replace()

    def _replace(self) -> None:
        self.record = self.wanted
        self._focus.attach(self.record)
        self.replaced.emit()

    def open(self, path: Path) -> RunRecord:
        """Show a stored run. Raises `Malformed` and `OSError`; then the run shown before stays."""
        record = RunRecord.of(open_run(path))
        self.show(record)
        return record
