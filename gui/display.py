"""A check of the display before Qt starts: Qt would abort with a misleading message where no window can be opened."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import sys
from collections.abc import Mapping
from pathlib import Path

PACKAGES = (
    "libgl1 libegl1 libxkbcommon0 libdbus-1-3 libfontconfig1 "
    "libxcb-cursor0 libxkbcommon-x11-0 libxcb-icccm4 libxcb-keysyms1 libxcb-shape0"
)
_BASIC = ("libGL.so.1", "libEGL.so.1", "libxkbcommon.so.0", "libfontconfig.so.1")
_X11 = (
    "libxcb-cursor.so.0",
    "libxkbcommon-x11.so.0",
    "libxcb-icccm.so.4",
    "libxcb-keysyms.so.1",
    "libxcb-shape.so.0",
)


def obstacle(environment: Mapping[str, str] | None = None) -> str | None:
    """The reason why no window can be opened, with what to do, as one sentence; None if one can."""
    variables = os.environ if environment is None else environment
    if importlib.util.find_spec("PySide6") is None:
        clone = Path(__file__).parents[1]
        what = f"-e '{clone}[gui]'" if (clone / "pyproject.toml").is_file() else "'interplay[gui]'"
        return f"the workbench needs PySide6: pip install {what}"
    platform = variables.get("QT_QPA_PLATFORM", "").partition(":")[0]
    if not sys.platform.startswith("linux") or platform not in ("", "xcb", "wayland"):
        return _missing(_BASIC) if sys.platform.startswith("linux") else None
    if not variables.get("DISPLAY") and not variables.get("WAYLAND_DISPLAY"):
        return "there is no display: run it on a desktop, or through `ssh -X`, or under `xvfb-run`"
    wayland = bool(variables.get("WAYLAND_DISPLAY")) and platform != "xcb"
    return _missing(_BASIC if wayland else (*_BASIC, *_X11))


def _missing(libraries: tuple[str, ...]) -> str | None:
    missing = [name for name in libraries if not _loads(name)]
    if not missing:
        return None
    return f"a library of the system is missing ({', '.join(missing)}): apt-get install {PACKAGES}"


def _loads(name: str) -> bool:
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True
