"""YAML witnesses (format version 2), read leniently: what a file says, with the places where it says it.

Every scalar is a text, whatever YAML would make of it; unknown keys are ignored; a missing `producer.version` or
`specification` is no fault. Nothing of a file is executed or looked up: tags mean nothing and aliases are refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

import yaml

from core.dataclass import dataclass
from frontend.source import ParseError, Span, Unsupported, point

LARGEST_FILE = 4 * 1024 * 1024
DEEPEST = 50
MAX_ENTRIES = 100_000
_VERSIONS = ("2.",)


@dataclass(frozen=True)
class WitnessLocation:
    """A place in the program; `column` is None where the file leaves it open. `span` is the place in the witness."""

    file: str
    line: int
    column: int | None
    function: str
    span: Span

    def __str__(self) -> str:
        column = "" if self.column is None else f":{self.column}"
        return f"{self.file}:{self.line}{column}" if self.file else f"line {self.line}{column}"


@dataclass(frozen=True)
class GivenInvariant:
    """An invariant that a witness gives. `at_loop` tells an invariant of a loop from one of a location."""

    at_loop: bool
    location: WitnessLocation
    value: str
    span: Span


@dataclass(frozen=True)
class GivenWaypoint:
    """A waypoint that a witness gives.

    `kind` is the type of the format; `value` the constraint, empty where there is none.
    """

    kind: str
    follow: bool
    location: WitnessLocation
    value: str
    span: Span


@dataclass(frozen=True)
class Segment:
    """A segment of a violation witness: waypoints to avoid until one is followed."""

    avoid: tuple[GivenWaypoint, ...]
    follow: GivenWaypoint


@dataclass(frozen=True)
class About:
    """The metadata of a witness: the task that it is about, as far as they say it."""

    files: tuple[str, ...] = ()
    hashes: Mapping[str, str] = field(default_factory=dict)
    specification: str = ""
    data_model: str = ""
    producer: str = ""


@dataclass(frozen=True)
class GivenProof:
    """A correctness witness."""

    about: About
    invariants: tuple[GivenInvariant, ...]


@dataclass(frozen=True)
class GivenViolation:
    """A violation witness."""

    about: About
    segments: tuple[Segment, ...]


Given = GivenProof | GivenViolation


class MalformedWitness(ParseError):
    """A file that is no witness: it says nothing that could be right or wrong."""

    kind = "malformed witness"


def read_witness(text: str, file: str) -> Given:
    """The witness that a file holds. Raises MalformedWitness, Unsupported for kinds that are not decided."""
    root = _composed(text, file)
    entries = [root] if isinstance(root, yaml.MappingNode) else _WitnessReader(file).items(root)
    return _WitnessReader(file).witness(entries, root)


class _Loader(yaml.BaseLoader):
    """Composes nodes; no alias can repeat one, and no nesting exhausts the stack."""

    depth = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            raise self._refusal("aliases are not accepted")
        self.depth += 1
        if self.depth > DEEPEST:
            raise self._refusal("nested too deeply")
        found: yaml.Node | None = super().compose_node(parent, index)
        self.depth -= 1
        return found

    def _refusal(self, problem: str) -> yaml.MarkedYAMLError:
        event = self.peek_event()  # type: ignore[no-untyped-call]
        return yaml.MarkedYAMLError(problem=problem, problem_mark=event.start_mark)


def _composed(text: str, file: str) -> yaml.Node:
    if text.lstrip().startswith("<"):
        raise Unsupported(point(file, 1, 1), "GraphML witnesses are not read, only those in YAML (format version 2)")
    if len(text) > LARGEST_FILE:
        raise MalformedWitness(point(file, 1, 1), f"a witness of more than {LARGEST_FILE} characters is not read")
    try:
        root = yaml.compose(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = point(file, mark.line + 1, mark.column + 1) if mark else point(file, 1, 1)
        raise MalformedWitness(where, error.problem or "this is not YAML") from None
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise MalformedWitness(point(file, 1, 1), f"this is not YAML: {str(error).splitlines()[0][:200]}") from None
    if root is None:
        raise MalformedWitness(point(file, 1, 1), "the file is empty")
    return root


class _WitnessReader:
    """Reads nodes of one file."""

    def __init__(self, file: str) -> None:
        self._file = file

    def witness(self, entries: Sequence[yaml.Node], root: yaml.Node) -> Given:
        if not entries:
            raise MalformedWitness(self._span(root), "there is no entry in this witness")
        kinds = {self._text(self._member(entry, "entry_type")) for entry in entries}
        about = self._about(entries[0])
        contents = [self._member(entry, "content") for entry in entries]
        if kinds == {"invariant_set"}:
            invariants = [self._invariant(one) for content in contents for one in self.items(content)]
            return GivenProof(about, tuple(invariants))
        if kinds == {"violation_sequence"} and len(entries) == 1:
            return GivenViolation(about, tuple(self._segments(contents[0])))
        raise Unsupported(self._span(root), f"a witness of {' and '.join(sorted(kinds))} is not decided")

    # Metadata

    def _about(self, entry: yaml.Node) -> About:
        metadata = self._find(entry, "metadata")
        version = self._find(metadata, "format_version")
        if version is not None and not self._text(version).startswith(_VERSIONS):
            raise Unsupported(self._span(version), f"format version {self._text(version)} is not read")
        task, producer = self._find(metadata, "task"), self._find(metadata, "producer")
        hashes, files = self._find(task, "input_file_hashes"), self._find(task, "input_files")
        return About(
            () if files is None else tuple(self._text(one) for one in self.items(files)),
            {} if hashes is None else {self._text(key): self._text(value) for key, value in self._pairs(hashes)},
            self._optional(task, "specification"),
            self._optional(task, "data_model"),
            " ".join(filter(None, (self._optional(producer, "name"), self._optional(producer, "version")))),
        )

    # Invariants

    def _invariant(self, item: yaml.Node) -> GivenInvariant:
        node = self._member(item, "invariant")
        kind = self._member(node, "type")
        if self._text(kind) not in ("loop_invariant", "location_invariant"):
            raise Unsupported(self._span(kind), f"a {self._text(kind)} is not decided")
        format_ = self._find(node, "format")
        if format_ is not None and self._text(format_) not in ("c_expression", "C"):
            raise Unsupported(self._span(format_), f"the format {self._text(format_)} is not decided")
        value = self._member(node, "value")
        location = self._location(node)
        return GivenInvariant(self._text(kind) == "loop_invariant", location, self._text(value), self._span(value))

    # Segments

    def _segments(self, content: yaml.Node) -> Iterator[Segment]:
        segments = self.items(content)
        if not segments:
            raise MalformedWitness(self._span(content), "a violation needs a segment")
        for i, item in enumerate(segments):
            waypoints = [
                self._waypoint(self._member(one, "waypoint")) for one in self.items(self._member(item, "segment"))
            ]
            if not waypoints or not waypoints[-1].follow or any(one.follow for one in waypoints[:-1]):
                raise MalformedWitness(
                    self._span(item), "a segment is waypoints to avoid, and one at its end to follow"
                )
            is_last = i == len(segments) - 1
            if any((one.kind == "target") != (is_last and one is waypoints[-1]) for one in waypoints):
                raise MalformedWitness(self._span(item), "the target is the last waypoint, and no other")
            yield Segment(tuple(waypoints[:-1]), waypoints[-1])

    def _waypoint(self, node: yaml.Node) -> GivenWaypoint:
        kind, action = self._member(node, "type"), self._find(node, "action")
        if self._text(kind) not in ("assumption", "branching", "function_enter", "function_return", "target"):
            raise Unsupported(self._span(kind), f"a waypoint of type {self._text(kind)} is not decided")
        acts = "follow" if action is None else self._text(action)
        if acts not in ("follow", "avoid"):
            raise Unsupported(self._span(node), f"the action {acts} is not decided")
        constraint = self._find(node, "constraint")
        value = None if constraint is None else self._find(constraint, "value")
        if value is None and self._text(kind) in ("assumption", "branching", "function_return"):
            raise MalformedWitness(self._span(node), "this waypoint needs a constraint with a value")
        text, span = ("", self._span(node)) if value is None else (self._text(value), self._span(value))
        return GivenWaypoint(self._text(kind), acts == "follow", self._location(node), text, span)

    # Parts

    def _location(self, node: yaml.Node) -> WitnessLocation:
        where = self._member(node, "location")
        line, column = self._number(self._member(where, "line")), self._find(where, "column")
        return WitnessLocation(
            self._optional(where, "file_name"),
            line,
            None if column is None else self._number(column),
            self._optional(where, "function"),
            self._span(where),
        )

    def _number(self, node: yaml.Node) -> int:
        text = self._text(node)
        if not (text.isascii() and text.isdigit() and 0 < len(text) < 10):
            raise MalformedWitness(self._span(node), f"{text[:40]!r} is no line or column")
        return int(text)

    def items(self, node: yaml.Node) -> list[yaml.Node]:
        if not isinstance(node, yaml.SequenceNode):
            raise MalformedWitness(self._span(node), "a list is expected")
        if len(node.value) > MAX_ENTRIES:
            raise MalformedWitness(self._span(node), f"lists of more than {MAX_ENTRIES} entries are not read")
        return list(node.value)

    def _pairs(self, node: yaml.Node) -> list[tuple[yaml.Node, yaml.Node]]:
        if not isinstance(node, yaml.MappingNode):
            raise MalformedWitness(self._span(node), "a mapping is expected")
        return list(node.value)

    def _find(self, node: yaml.Node | None, key: str) -> yaml.Node | None:
        """The value of a key; None where there is no such key, or the node is not there."""
        if node is None:
            return None
        pairs = self._pairs(node)
        return next((value for name, value in pairs if isinstance(name, yaml.ScalarNode) and name.value == key), None)

    def _member(self, node: yaml.Node, key: str) -> yaml.Node:
        found = self._find(node, key)
        if found is None:
            raise MalformedWitness(self._span(node), f"{key!r} is missing")
        return found

    def _optional(self, node: yaml.Node | None, key: str) -> str:
        found = self._find(node, key)
        return "" if found is None else self._text(found)

    def _text(self, node: yaml.Node) -> str:
        if not isinstance(node, yaml.ScalarNode):
            raise MalformedWitness(self._span(node), "a text is expected")
        return str(node.value)

    def _span(self, node: yaml.Node) -> Span:
        begin, end = node.start_mark, node.end_mark
        return Span(self._file, begin.line + 1, begin.column + 1, end.line + 1, end.column + 1)
