"""The run file and its journal: nothing is lost to a crash, and nothing of a stranger's file is trusted."""

import json
import zipfile
from pathlib import Path

import pytest

from runs import runfile
from runs.events import SCHEMA_VERSION, Counter, Event, PhaseStarted, VerdictReached
from runs.events_json import encode
from runs.jsondata import Malformed
from runs.runfile import EVENTS, Journal, journal_of, open_run, put_document, put_text

WRITER = "interplay test"
EVENTS_OF_A_RUN: list[Event] = [
    PhaseStarted("parse"),
    Counter("states", 1),
    Counter("states", 2),
    VerdictReached("true", 0, (), "a certificate", "", ""),
]


def written(directory: Path, events: list[Event]) -> Journal:
    journal = Journal(directory, WRITER)
    for position, event in enumerate(events):
        journal.append(encode(event).encode(), position, position // 2 / 10)
    put_document(directory, "options.json", {"task": "a.c"})
    put_document(directory, "sources.json", [["a.c", "int main() {}"]])
    return journal


def make(tmp_path: Path) -> Path:
    target = tmp_path / "a.interplay"
    written(journal_of(target), EVENTS_OF_A_RUN).finish(target)
    return target


def test_a_run_survives(tmp_path: Path) -> None:
    run = open_run(make(tmp_path))
    assert list(run.events()) == EVENTS_OF_A_RUN
    assert run.sources() == {"a.c": "int main() {}"}
    assert run.options() == {"task": "a.c"}
    assert run.times() == {0: 0.0, 2: 0.1}
    assert (run.writer, run.complete) == (WRITER, True)
    assert run.document("evidence.json") is None
    view = run.view()
    assert view.verdict == EVENTS_OF_A_RUN[-1]
    assert [(p.name, p.start, p.end) for p in view.phases] == [("parse", 0.0, 0.1)]


def test_the_journal_is_gone_and_equal_runs_give_equal_files(tmp_path: Path) -> None:
    first = make(tmp_path).read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == ["a.interplay"]
    assert make(tmp_path).read_bytes() == first


def test_a_crash_loses_at_most_the_last_line(tmp_path: Path) -> None:
    target = tmp_path / "a.interplay"
    journal = written(journal_of(target), EVENTS_OF_A_RUN[:2])
    journal.close()
    with (journal.directory / EVENTS).open("ab") as stream:
        stream.write(b'{"kind":"coun')
    run = open_run(target)
    assert list(run.events()) == EVENTS_OF_A_RUN[:2]
    assert (run.writer, run.complete) == (WRITER, False)
    assert run.view().verdict is None
    assert open_run(journal.directory).sources() == run.sources()


def test_an_abandoned_journal_is_replaced_and_one_in_use_is_not(tmp_path: Path) -> None:
    journal = written(tmp_path / "a.journal", EVENTS_OF_A_RUN)
    with pytest.raises(FileExistsError, match="another run"):
        Journal(tmp_path / "a.journal", WRITER)
    journal.close()
    Journal(tmp_path / "a.journal", WRITER).discard()
    assert not (tmp_path / "a.journal").exists()


def test_a_directory_of_the_user_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "a.journal").mkdir()
    (tmp_path / "a.journal" / "diary.txt").write_text("Monday")
    with pytest.raises(FileExistsError, match="not the journal"):
        Journal(tmp_path / "a.journal", WRITER)
    assert (tmp_path / "a.journal" / "diary.txt").read_text() == "Monday"


def test_a_target_that_cannot_be_written_keeps_the_journal(tmp_path: Path) -> None:
    journal = written(tmp_path / "a.journal", EVENTS_OF_A_RUN)
    (tmp_path / "taken").mkdir()
    with pytest.raises(OSError, match="directory"):
        journal.finish(tmp_path / "taken")
    assert list(open_run(tmp_path / "a.journal").events()) == EVENTS_OF_A_RUN
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.journal", "taken"]


def test_texts_that_are_not_unicode_survive_in_documents(tmp_path: Path) -> None:
    target = tmp_path / "a.interplay"
    journal = written(journal_of(target), [])
    put_document(journal.directory, "sources.json", [["a.c", "/* \udce4 */"]])
    put_text(journal.directory, "trouble.txt", "\udce4")
    journal.finish(target)
    assert open_run(target).sources() == {"a.c": "/* \udce4 */"}


# Files of strangers


def rewritten(path: Path, changes: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()} | changes
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path


def test_what_is_no_run_file_is_refused(tmp_path: Path) -> None:
    for name, data in {"empty": b"", "text": b"int main() {}", "zip": b"PK\x03\x04garbage"}.items():
        (tmp_path / name).write_bytes(data)
        with pytest.raises(Malformed, match="not a run file"):
            open_run(tmp_path / name)
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as archive:
        archive.writestr("hello.txt", "hello")
    with pytest.raises(Malformed, match=r"manifest\.json is missing"):
        open_run(tmp_path / "other.zip")
    with pytest.raises(FileNotFoundError):
        open_run(tmp_path / "nowhere")


@pytest.mark.parametrize("manifest", [b"", b"[]", b"{}", b'{"format":"interplay-run"}', b'{"format":"x","schema":3}'])
def test_bad_manifests_are_refused(tmp_path: Path, manifest: bytes) -> None:
    with pytest.raises(Malformed):
        open_run(rewritten(make(tmp_path), {"manifest.json": manifest}))


def test_an_older_schema_is_refused(tmp_path: Path) -> None:
    manifest = b'{"format":"interplay-run","schema":2,"writer":"interplay 0.1.0","sha256":{}}'
    with pytest.raises(Malformed, match="schema version 2 is not read here"):
        open_run(rewritten(make(tmp_path), {"manifest.json": manifest}))


def test_a_changed_member_is_noticed(tmp_path: Path) -> None:
    with pytest.raises(Malformed, match=r"events\.jsonl differs"):
        open_run(rewritten(make(tmp_path), {EVENTS: b"{}\n"}))


def test_members_that_are_not_known_are_not_touched(tmp_path: Path) -> None:
    path = rewritten(make(tmp_path), {"../../evil.py": b"raise SystemExit", "/etc/x": b""})
    assert set(open_run(path).members) <= set(runfile.MEMBERS)


def test_a_bomb_is_refused_unread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = rewritten(make(tmp_path), {EVENTS: b"0" * 100_000})
    monkeypatch.setattr(runfile, "LARGEST_MEMBER", 10_000)
    with pytest.raises(Malformed, match="more than the 10000 allowed"):
        open_run(path)


def test_a_longer_line_than_allowed_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = open_run(make(tmp_path))
    monkeypatch.setattr(runfile, "LONGEST_LINE", 20)
    with pytest.raises(Malformed, match="too long"):
        list(run.events())


def test_a_newer_writer_s_events_are_skipped_over(tmp_path: Path) -> None:
    target = tmp_path / "a.interplay"
    journal = Journal(journal_of(target), "interplay 9.0")
    journal.append(b'{"kind":"hologram"}', 0, 0.0)
    journal.append(encode(EVENTS_OF_A_RUN[-1]).encode(), 1, 0.0)
    journal.finish(target)
    view = open_run(target).view()
    assert view.position == 2
    assert view.verdict is not None


def test_manifest_names_schema_and_hashes(tmp_path: Path) -> None:
    with zipfile.ZipFile(make(tmp_path)) as archive:
        manifest = json.loads(archive.read("manifest.json"))
    assert manifest["schema"] == SCHEMA_VERSION
    assert set(manifest["sha256"]) == {"events.jsonl", "times.jsonl", "options.json", "sources.json"}
