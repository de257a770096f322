"""The run file, a zip with everything about one run, and the journal that grows while the run goes on.

The journal is a directory `NAME.journal` with the same members as plain files. Events are appended and flushed, each
document is written whole or not at all, and in the end the zip replaces the journal atomically. `open_run` reads
either; of a journal that a crash has left, an incomplete last line is ignored. Both hold data only: nothing is
unpacked to disk or executed, only known members are read, and each has a bound on its size.

    manifest.json   format, schema, writer, and the SHA-256 of each other member
    options.json    the request: what was to be verified, and how
    sources.json    [name, text] of each file that was read
    program.json    runs.serialize.encode_program
    events.jsonl    runs.events_json
    times.jsonl     [position, seconds]: when the event at this position arrived; positions left out: as the one before
    evidence.json   runs.evidence_json.encode_evidence
    verdict.json    the last event
    trouble.txt     the traceback of an internal error, if there was one
"""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from core.dataclass import dataclass
from runs.events import SCHEMA_VERSION, Event
from runs.events_json import decode_all, header, read_header, read_schema
from runs.jsondata import Malformed, as_int, as_list, as_number, as_object, as_row, as_str, compact, parse, parse_lines
from runs.runview import RunView

if TYPE_CHECKING:
    from zipfile import ZipFile

FORMAT = "interplay-run"
RUN_SUFFIX = ".interplay"
EVENTS, TIMES = "events.jsonl", "times.jsonl"
MEMBERS = (
    "options.json",
    "sources.json",
    "program.json",
    EVENTS,
    TIMES,
    "evidence.json",
    "verdict.json",
    "trouble.txt",
)
LARGEST_MEMBER = 1 << 29  # bytes; a member that claims more is refused unread
LONGEST_LINE = 1 << 24
DIGITS = 3  # of seconds, behind the point


@dataclass(frozen=True)
class StoredRun:
    """An opened run: its members as bytes. Every method raises `Malformed` where they are not what they should be."""

    path: Path
    writer: str
    members: Mapping[str, bytes]
    complete: bool  # False: read from the journal of a run that goes on or was cut off
    beside: Path | None = None  # the folder of the files that evidence names, which is no run

    def document(self, name: str) -> object | None:
        """The JSON value of a member; None if the run ended before it was written."""
        data = self.members.get(name)
        return None if data is None else parse(data)

    def options(self) -> dict[str, object]:
        return as_object(self.document("options.json") or {})

    def sources(self) -> dict[str, str]:
        """The source texts, by the names that the user gave."""
        rows = as_list(self.document("sources.json") or [])
        return {as_str(name): as_str(text) for name, text in (as_row(row, 2) for row in rows)}

    def source(self, name: str) -> str:
        """The text of a file that the run has read."""
        sources = self.sources()
        if name not in sources:
            raise Malformed(f"{self.path}: the run file does not hold {name}")
        return sources[name]

    def events(self) -> Iterator[Event | None]:
        """All events in order, with None for each of a kind that is not known here."""
        head, _, rest = self._text(EVENTS).partition(b"\n")
        if head:
            read_header(head)
            yield from _read(rest.splitlines())

    def _text(self, name: str) -> bytes:
        """The lines of a member that are complete."""
        text = self.members.get(name, b"")
        return text[: text.rfind(b"\n") + 1]

    def times(self) -> dict[int, float]:
        """Arrival times in seconds by position, where they changed."""
        pairs = (as_row(pair, 2) for pair in parse_lines(self._text(TIMES).splitlines()))
        return {as_int(position): as_number(seconds) for position, seconds in pairs}

    def view(self) -> RunView:
        """The fold of all events; of runs of nodes no more is read at first than that they are some."""
        from runs.packed_nodes import PackedNodes, packed  # a run that is watched has no use for them

        view, times, seconds = RunView(), self.times(), 0.0
        head, _, rest = self._text(EVENTS).partition(b"\n")
        if head:
            read_header(head)
        for part in packed(rest):
            if isinstance(part, PackedNodes):
                first = seconds = times.get(view.position, seconds)
                for position in range(view.position, view.position + len(part)):
                    seconds = times.get(position, seconds)
                view.add_packed(part, (first, seconds))
                continue
            for event in _read(part.splitlines()):
                seconds = times.get(view.position, seconds)
                if event is None:
                    view.skip()
                else:
                    view.add(event, seconds)
        return view


def _read(lines: list[bytes]) -> Iterator[Event | None]:
    if max(map(len, lines), default=0) > LONGEST_LINE:
        raise Malformed("an event is too long")
    return decode_all(lines)


def open_run(path: Path) -> StoredRun:
    """Open a run file, or the journal of one (`path` may name either). Raises `Malformed` and `OSError`."""
    journal = journal_of(path)
    if path.is_dir():
        return _open_journal(path)
    if journal.is_dir():  # newer than the file beside it: a run that finishes removes its journal
        return _open_journal(journal)
    if _is_text(path):
        raise Malformed(f"{path}: no run file; evidence in JSON is examined by `interplay check {path}`")
    return _open_zip(path)


def open_evidence(path: Path) -> StoredRun:
    """Open what `interplay check` examines: a run file, or evidence in JSON with the files that it names beside it."""
    if path.is_dir() or journal_of(path).is_dir() or not _is_text(path):
        return open_run(path)
    if path.stat().st_size > LARGEST_MEMBER:
        raise Malformed(f"{path}: larger than allowed")
    from runs.evidence_json import head  # few open one

    document = path.read_bytes()
    try:
        options = head(parse(document))
    except Malformed as error:
        raise Malformed(f"{path}: {error}") from None
    members = {"options.json": compact(options).encode(), "evidence.json": document}
    return StoredRun(path, "", members, complete=True, beside=path.parent)


def _is_text(path: Path) -> bool:
    with path.open("rb") as stream:
        return stream.read(64).lstrip().startswith(b"{")


def journal_of(path: Path) -> Path:
    return path.with_name(path.name + ".journal")


def _open_zip(path: Path) -> StoredRun:
    import zipfile
    import zlib

    members: dict[str, bytes] = {}
    try:
        with zipfile.ZipFile(path) as archive:
            for name in ("manifest.json", *MEMBERS):
                if name in archive.namelist():
                    members[name] = _read_member(archive, name)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise Malformed(f"{path}: not a run file ({error})") from None
    try:
        return _checked(path, members)
    except Malformed as error:
        raise Malformed(f"{path}: not a run file ({error})") from None


def _read_member(archive: ZipFile, name: str) -> bytes:
    size = archive.getinfo(name).file_size
    if size > LARGEST_MEMBER:
        raise Malformed(f"{name} has {size} bytes, more than the {LARGEST_MEMBER} allowed")
    with archive.open(name) as stream:
        data = stream.read(size + 1)
    if len(data) != size:
        raise Malformed(f"{name} is not as long as the file says")
    return data


def _checked(path: Path, members: dict[str, bytes]) -> StoredRun:
    import hashlib

    if "manifest.json" not in members:
        raise Malformed("manifest.json is missing")
    manifest = as_object(parse(members.pop("manifest.json")))
    if manifest.get("format") != FORMAT:
        raise Malformed("manifest.json is of another format")
    read_schema(manifest.get("schema"))
    hashes = as_object(manifest.get("sha256"))
    for name, data in members.items():
        if hashes.get(name) != hashlib.sha256(data).hexdigest():
            raise Malformed(f"{name} differs from what the manifest says")
    return StoredRun(path, as_str(manifest.get("writer")), members, complete=True)


def _open_journal(directory: Path) -> StoredRun:
    members: dict[str, bytes] = {}
    for name in MEMBERS:
        member = directory / name
        if member.is_file():
            if member.stat().st_size > LARGEST_MEMBER:
                raise Malformed(f"{member}: larger than allowed")
            members[name] = member.read_bytes()
    if EVENTS not in members:
        raise Malformed(f"{directory}: not the journal of a run")
    first = members[EVENTS].partition(b"\n")[0]
    writer = as_object(parse(first)).get("writer") if first else ""
    return StoredRun(directory, as_str(writer), members, complete=False)


def put_document(journal: Path, name: str, value: object) -> None:
    """Write a JSON member into a journal: all of it or nothing."""
    put_text(journal, name, compact(value))


def put_text(journal: Path, name: str, text: str) -> None:
    """Write a text member into a journal: all of it or nothing."""
    assert name in MEMBERS
    temporary = journal / f"{name}.part"
    temporary.write_text(text, encoding="utf-8", errors="backslashreplace")
    temporary.replace(journal / name)


class Journal:
    """The writer of a journal: appends events and their times, and in the end makes the run file."""

    def __init__(self, directory: Path, writer: str) -> None:
        """Begin in `directory`; the journal of a run that was cut off is replaced. Raises `OSError`."""
        _make_way(directory)
        self.directory = directory
        self._writer = writer
        self._events: BinaryIO = (directory / EVENTS).open("wb", buffering=0)
        fcntl.flock(self._events, fcntl.LOCK_EX | fcntl.LOCK_NB)
        self._times: BinaryIO = (directory / TIMES).open("wb", buffering=0)
        self._last = -1.0
        self._events.write(header(writer).encode() + b"\n")

    def append(self, line: bytes, position: int, seconds: float) -> None:
        """Append one event line (without its end), its position, and the time of its arrival."""
        self._events.write(line + b"\n")
        stamp = round(seconds, DIGITS)
        if stamp != self._last:
            self._last = stamp
            self._times.write(compact([position, stamp]).encode() + b"\n")

    def close(self) -> None:
        self._events.close()
        self._times.close()

    def finish(self, target: Path) -> None:
        """Replace `target` by the run file made of this journal, and remove the journal. Raises `OSError`."""
        self.close()
        pack(self.directory, target, self._writer)
        shutil.rmtree(self.directory)

    def discard(self) -> None:
        self.close()
        shutil.rmtree(self.directory, ignore_errors=True)


def _make_way(directory: Path) -> None:
    """Create `directory`, instead of an abandoned journal. Raises `OSError` if it is something else, or in use."""
    if directory.exists() and any(directory.iterdir()):
        if not (directory / EVENTS).is_file():
            raise FileExistsError(errno.EEXIST, "exists and is not the journal of a run", str(directory))
        with (directory / EVENTS).open("rb") as events:
            try:
                fcntl.flock(events, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise FileExistsError(errno.EEXIST, "another run is writing this journal", str(directory)) from None
        shutil.rmtree(directory)
    directory.mkdir(parents=True, exist_ok=True)


def pack(journal: Path, target: Path, writer: str) -> None:
    """Make the run file of a journal: written aside, synchronised, then moved to `target`. Raises `OSError`."""
    import hashlib
    import zipfile

    members = {name: (journal / name).read_bytes() for name in MEMBERS if (journal / name).is_file()}
    hashes = {name: hashlib.sha256(data).hexdigest() for name, data in members.items()}
    manifest = {"format": FORMAT, "schema": SCHEMA_VERSION, "writer": writer, "sha256": hashes}
    temporary = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        with temporary.open("wb") as stream:
            with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
                for name, data in {"manifest.json": compact(manifest).encode(), **members}.items():
                    # A fixed date: equal runs give equal members.
                    archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
