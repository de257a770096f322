"""The public function `interplay.verify` and its results: plain data, independent of the rest of Interplay."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass  # of the standard library: this process is not ours

from interplay.folders import own_command

_USAGE = 2  # the exit code for a command line that is not understood


@dataclass(frozen=True)
class CheckVerdict:
    """The verdict on one check: an error that the program may have at a place of its source.

    `status` is one of true, false, unknown. `confirmed_by` says what examined the evidence, `reason` explains an
    unknown. `reach` says whether any execution comes to the check: reached, unreached (which is proved), not known, or
    nothing where that was not asked; `reached_by` is the execution, or the evidence. Lines and columns count from 1;
    column 0 is unknown.
    """

    check: int
    property: str
    description: str
    file: str
    line: int
    column: int
    status: str
    confirmed_by: str
    reason: str
    reach: str
    reached_by: str


@dataclass(frozen=True)
class RunVerdict:
    """The verdict of a run.

    `status` is one of true, false, unknown, TIMEOUT, OUT OF MEMORY, ERROR; `property` is the violated one, of a false.
    `assumptions` are what a true or false rests on, `premises` those that stand in the first
    lines of its text, behind those that are `untested`: what it says nothing about, since no execution comes there.
    `advice` says what to try after an unknown.
    """

    status: str
    property: str
    checks: tuple[CheckVerdict, ...]
    assumptions: tuple[str, ...]
    confirmed_by: str
    reason: str
    advice: str
    exit_code: int
    premises: tuple[str, ...]
    untested: tuple[str, ...]


def verify(
    path: str | os.PathLike[str],
    *files: str | os.PathLike[str],
    property: str | None = None,
    engine: str | None = None,
    option: Mapping[str, str] | None = None,
    check: Sequence[str] = (),
    acsl: str | None = None,
    arithmetic: str | None = None,
    data_model: str | None = None,
    include_path: Sequence[str] = (),
    system_path: Sequence[str] = (),
    define: Sequence[str] = (),
    undefine: Sequence[str] = (),
    include: Sequence[str] = (),
    remove_body: Sequence[str] = (),
    changes_nothing: Sequence[str] = (),
    never_returns: Sequence[str] = (),
    folder: Sequence[str] = (),
    std: str | None = None,
    flag: Sequence[str] = (),
    compile_commands: str | None = None,
    buffer: int | None = None,
    entry: str | None = None,
    aliasing: str | None = None,
    malloc: str | None = None,
    volatile: str | None = None,
    argc: str | None = None,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    shorten: float | None = None,
    vacuity: float | None = None,
    seed: int | None = None,
    no_native_replay: bool = False,
    stop_at_first: bool = False,
    output: str | os.PathLike[str] | None = None,
) -> RunVerdict:
    """Verify C files, a folder or a task definition in a process of its own, and return the verdict.

    The keywords are the options of `interplay verify`, with its defaults. Input that is rejected gives a verdict with
    status `ERROR` and a located reason. Raises `ValueError` with the message of the command line for invalid values,
    `OSError` if no process can be started.
    """
    words = ["verify", "--events", "-"]
    for name, value in (
        ("property", property),
        ("engine", engine),
        ("acsl", acsl),
        ("arithmetic", arithmetic),
        ("data-model", data_model),
        ("time-limit", time_limit),
        ("memory-limit", memory_limit),
        ("shorten", shorten),
        ("vacuity", vacuity),
        ("seed", seed),
        ("output", None if output is None else os.fspath(output)),
        ("check", ",".join(check) or None),
        ("std", std),
        ("compile-commands", compile_commands),
        ("buffer", buffer),
        ("entry", entry),
        ("aliasing", aliasing),
        ("malloc", malloc),
        ("volatile", volatile),
        ("argc", argc),
    ):
        if value is not None:
            words += [f"--{name}", str(value)]
    for name, values in (
        ("include-path", include_path),
        ("system-path", system_path),
        ("define", define),
        ("undefine", undefine),
        ("include", include),
        ("remove-body", remove_body),
        ("changes-nothing", changes_nothing),
        ("never-returns", never_returns),
        ("folder", folder),
        ("flag", flag),
    ):
        words += [f"--{name}={one}" for one in values]
    for name, chosen in (option or {}).items():
        words += ["--option", f"{name}={chosen}"]
    if no_native_replay:
        words.append("--no-native-replay")
    if stop_at_first:
        words.append("--stop-at-first")
    words += ["--", *(os.fspath(one) for one in (path, *files))]
    done = _completed(words)
    events = [json.loads(line) for line in done.stdout.splitlines()[1:]]  # without the header
    if not events or events[-1].get("kind") != "verdict":
        raise (ValueError if done.returncode == _USAGE else OSError)(done.stderr.strip())
    return _verdict(events)


def _completed(words: Sequence[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(own_command(*words), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)


def _verdict(events: Sequence[Mapping[str, object]]) -> RunVerdict:
    """The verdict of a finished run. For each check the last decision counts."""
    last = events[-1]
    checks: dict[object, CheckVerdict] = {}
    names = CheckVerdict.__dataclass_fields__
    for event in events:
        if event.get("kind") == "check":
            checks[event["check"]] = CheckVerdict(**{name: event[name] for name in names})  # type: ignore[arg-type]
    word, _, rest = str(last["verdict"]).partition("(")
    status = word.strip()
    return RunVerdict(
        status=status,
        property=rest.removesuffix(")") if status == "false" else "",
        checks=tuple(checks.values()),
        assumptions=tuple(map(str, last["assumptions"])),  # type: ignore[call-overload]
        premises=tuple(map(str, last["premises"])),  # type: ignore[call-overload]
        untested=tuple(map(str, last["untested"])),  # type: ignore[call-overload]
        confirmed_by=str(last["confirmed_by"]),
        reason=str(last["reason"]),
        advice=str(last["advice"]),
        exit_code=int(str(last["exit_code"])),
    )
