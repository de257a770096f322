"""Takes the pictures of the manual: `python -m scripts.pictures.__main__ FOLDER [NAME…]`, without a screen.

Each scene opens a bundled example in a fresh window, verifies it with the real engine, goes to a moment and saves what
the window shows. A scene asserts what it must show. The walkthroughs of `scripts.pictures.walkthroughs` (`walk-true`,
`walk-false`, `walk-unknown`) leave a picture of each step in `FOLDER/walkthrough`.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest

from gui.app import make_application
from gui.model.current import RunState
from gui.model.tasks import examples
from gui.settings import Settings
from gui.views.steering import SteeringView
from gui.window import MainWindow
from interplay.session.request import Start
from scripts.pictures.scenes import batch, comparison
from scripts.pictures.user import wait
from scripts.pictures.walkthroughs import SIZE, WALKTHROUGHS, Walkthrough, first_page
from scripts.pictures.walkthroughs import take as walk

SETTLED = 500  # milliseconds until layouts are there
TRANSITION = "transition"


@dataclass(frozen=True)
class Scene:
    """A scene: `example` is verified with `engine` (the window's choice if empty) unless it is empty itself; then
    `arrange` is called.

    `paused`: step by step, up to the first pause.
    """

    name: str
    example: str
    engine: str
    theme: str
    arrange: Callable[[MainWindow], None]
    paused: bool = False


def _nothing(window: MainWindow) -> None:
    assert window.model.record is None


def _options(window: MainWindow) -> None:
    window.show_options()


def _verdict(window: MainWindow) -> None:
    assert window.model.record is not None
    assert window.model.record.view.verdict is not None


def _evidence(window: MainWindow) -> None:
    _verdict(window)
    window.show_panel("evidence")
    window.show_panel("timeline")


def _refinement(window: MainWindow) -> None:
    """Show the second refinement, at the last step of its contradiction."""
    window.focus.first_round()
    window.focus.next_round()
    path = window.focus.path
    assert path is not None
    against = [step.index for step in path.steps if step.in_core]
    window.focus.go_to_step(against[-1])
    window.show_panel("path")
    window.show_panel("timeline")
    window.show_panel("programgraph")


def _predicate(window: MainWindow) -> None:
    """Show a predicate over two variables at the end of the run."""
    record = window.model.record
    assert record is not None
    lemmas = [one.event for one in record.attempt().lemmas if one.event.role == "predicate" and one.event.place]
    assert lemmas
    window.show_panel("predicates")
    window.show_panel("reachability")
    window.focus.go_to_lemma(lemmas[-1].lemma)


def _step(window: MainWindow) -> None:
    path = window.focus.path
    assert path is not None
    changing = [step.index for step in path.steps if step.changes]
    window.focus.go_to_step(changing[-1])


def _heap(window: MainWindow) -> None:
    """Show the step that turns a pointer around, with the heap."""
    path = window.focus.path
    assert path is not None
    window.show_panel("path")
    window.show_panel("heap")
    turning = [step.index for step in path.steps if step.text == "i->n = r"]
    window.focus.go_to_step(turning[-1])


def _paused(window: MainWindow) -> None:
    """Show the pause after the first refinement, with a condition that is being typed."""
    record = window.model.record
    assert record is not None
    window.runner.step()
    wait(lambda: record.paused and bool(record.attempt().paths), "the pause after a refinement")
    view = window.show_panel("steering")
    window.focus.go_to_line(record.main_file, 41)
    assert isinstance(view, SteeringView)
    view.field.setText("served == seen")


SCENES: tuple[Scene, ...] = (
    Scene("start", "", "", "light", _nothing),
    Scene("options", "", "", "light", _options),
    Scene("true", "lock", TRANSITION, "light", _verdict),
    Scene("refinement", "lock", TRANSITION, "light", _refinement),
    Scene("predicates", "lock", TRANSITION, "light", _predicate),
    Scene("steering", "lock", TRANSITION, "light", _paused, paused=True),
    Scene("counterexample", "off_by_one", TRANSITION, "light", _step),
    Scene("dark", "wrap_around", TRANSITION, "dark", _step),
    Scene("heap", "reverse_wrong", "pdr", "light", _heap),
    Scene("unknown", "unknown", TRANSITION, "light", _evidence),
    Scene("comparison", "protocol", TRANSITION, "light", comparison),
    Scene("batch", "", "", "light", batch),
)
REPORT = "report"
"""The picture of the first page of a report."""


def take(folder: Path, names: Sequence[str]) -> None:
    """Save the pictures of the scenes named, or of all."""
    folder.mkdir(parents=True, exist_ok=True)
    for walkthrough in WALKTHROUGHS:
        if not names or f"walk-{walkthrough.name}" in names:
            with tempfile.TemporaryDirectory() as place:
                _take_walk(walkthrough, folder / "walkthrough", Path(place))
    for scene in SCENES:
        if not names or scene.name in names or (scene.name == "counterexample" and REPORT in names):
            with tempfile.TemporaryDirectory() as place:
                _take(scene, folder, Path(place))


def _take_walk(walkthrough: Walkthrough, folder: Path, place: Path) -> None:
    def save(name: str, picture: Callable[[], QImage]) -> None:
        QTest.qWait(SETTLED)
        _save(picture(), folder / f"{name}.png")

    make_application()
    folder.mkdir(parents=True, exist_ok=True)
    walk(walkthrough, place, save)


def _take(scene: Scene, folder: Path, place: Path) -> None:
    make_application()
    settings = Settings(place / "settings.ini")
    settings.put_text("theme", scene.theme)
    window = MainWindow(settings, runs=place / "runs")
    window.resize(*SIZE)
    window.show()
    if scene.example:
        window.open_paths([entry.path for entry in examples() if entry.path.stem == scene.example])
        if scene.engine:
            window.options.choose_engine(scene.engine)
        window.verify(window.tasks.selected_properties(), Start.PAUSED if scene.paused else Start.AT_ONCE)
        ends = (RunState.IDLE, RunState.PAUSED) if scene.paused else (RunState.IDLE,)
        wait(lambda: window.runner.state in ends, "the end of the run")
    scene.arrange(window)
    QTest.qWait(SETTLED)
    _save(window.grab().toImage(), folder / f"{scene.name}.png")
    if scene.name == "counterexample":
        assert window.model.record is not None
        _save(first_page(window.model.record), folder / f"{REPORT}.png")
    window.close()


def _save(image: QImage, picture: Path) -> None:
    """Save an image with its 256 most frequent colours; those missing are of the edges of letters."""
    plain = image.convertToFormat(QImage.Format.Format_RGB32)
    counts = Counter(memoryview(plain.constBits()).cast("I"))
    colours = [colour for colour, _ in counts.most_common(256)]
    small = plain.convertToFormat(QImage.Format.Format_Indexed8, colours, Qt.ImageConversionFlag.ThresholdDither)
    small.save(str(picture), quality=0)


if __name__ == "__main__":
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    take(Path(sys.argv[1]), sys.argv[2:])
