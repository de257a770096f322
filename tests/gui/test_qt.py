"""Expectations of Qt: there are releases in which they do not hold."""

import sys

import pytest
from PySide6.QtCore import QObject
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from gui.icons import icon
from gui.theme import LIGHT, Scheme, apply


@pytest.mark.usefixtures("qapp")
def test_calls_that_return_none_do_not_use_it_up() -> None:
    """PySide6 6.12 aborts on Python 3.11 once the references to None are used up."""
    owner = QObject()
    before = sys.getrefcount(None)
    for _ in range(2000):
        owner.setObjectName("x")
        owner.parent()
    assert sys.getrefcount(None) > before - 1000


def test_icons_take_the_colour_of_the_theme(qapp: QApplication) -> None:
    def ink(one: QIcon) -> set[str]:
        image = one.pixmap(24, 24).toImage()
        return {image.pixelColor(12, 12).name()}

    apply(qapp, Scheme.LIGHT)
    plain, good = icon("stop"), QIcon(icon("stop", "good"))
    light = ink(plain)
    assert ink(good) == {LIGHT.good}
    apply(qapp, Scheme.DARK)
    assert ink(plain) != light
    apply(qapp, Scheme.LIGHT)
