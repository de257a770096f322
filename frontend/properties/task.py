"""SV-COMP task definitions (YAML) and property files (`.prp`), read leniently into plain values."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from core.dataclass import dataclass
from core.program.properties import PropertyKind
from frontend.source import FrontendError, ParseError, Span, Unsupported, point
from frontend.typed.ctype import DATA_MODELS, DataModel

LARGEST_FILE = 1024 * 1024
VERSIONS = ("0.1", "1.0", "2.0", "2.1")


@dataclass(frozen=True, slots=True)
class Property:
    """One line of a property file.

    `argument` is the function of UNREACH_CALL, the label of LABEL, the goal of COVERAGE, and empty for the others.
    """

    kind: PropertyKind
    argument: str
    entry: str
    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class TaskProperty:
    """A property file of a task, and the verdict that the task definition expects: None where it names none."""

    file: Path
    expected: bool | None
    subproperty: str


@dataclass(frozen=True, slots=True)
class TaskDefinition:
    """A task definition; paths are as they lead from the working directory. The data model may be left open."""

    file: Path
    inputs: tuple[Path, ...]
    properties: tuple[TaskProperty, ...]
    data_model: DataModel | None


def parse_properties(text: str, file: str) -> tuple[Property, ...]:
    """The properties of a `.prp` file in order; ParseError for a line that is none, and for an empty file."""
    found = [
        _property(line.strip(), Span(file, number, 1, number, len(line) + 1))
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip() and not line.lstrip().startswith("//")
    ]
    if not found:
        raise ParseError(point(file, 1, 1), "there is no property in this file")
    return tuple(found)


def _property(line: str, span: Span) -> Property:
    plain = re.sub(r"\s+", "", line)
    cover = re.fullmatch(r"COVER\(init\((\w+)\(\)\),FQL\(COVEREDGES\((.*)\)\)\)", plain)
    if cover:
        return Property(PropertyKind.COVERAGE, cover[2], cover[1], line, span)
    check = re.fullmatch(r"CHECK\(init\((\w+)\(\)\),LTL\((.*)\)\)", plain)
    if check is None:
        raise ParseError(span, "expected CHECK( init(main()), LTL(…) )")
    for kind in PropertyKind:
        formula = re.fullmatch(_pattern(kind.row.formula), check[2])
        if kind.row.formula and formula:
            return Property(kind, "".join(formula.groups()), check[1], line, span)
    raise ParseError(span, f"the property LTL({check[2]}) is not known")


def _pattern(formula: str) -> str:
    """A regular expression for the formula without spaces; its argument is a group."""
    return re.escape(re.sub(r"\s+", "", formula)).replace(r"\{\}", r"(\w+)")


def read_task(path: Path) -> TaskDefinition:
    return parse_task(_text(path), path)


def parse_task(text: str, path: Path) -> TaskDefinition:
    """A task definition of format 0.1 to 2.1; FrontendErrors are located in the file."""
    return _DefinitionReader(text, path).task()


def _text(path: Path) -> str:
    """The text of a file of the user; ParseError where it cannot be read."""
    where = point(str(path), 1, 1)
    try:
        if not path.is_file():
            raise ParseError(where, "there is no such file")
        if path.stat().st_size > LARGEST_FILE:
            raise ParseError(where, f"the file has more than {LARGEST_FILE} bytes")
        return path.read_text("utf-8", "replace")
    except OSError as error:
        raise ParseError(where, error.strerror or "the file cannot be read") from None


class _DefinitionReader:
    def __init__(self, text: str, path: Path) -> None:
        self._text = text
        self._path = path

    def task(self) -> TaskDefinition:
        content = self._mapping(self._load(), "")
        version = str(content.get("format_version", ""))
        if version not in VERSIONS:
            raise self._error("format_version", f"format version {version!r} is none of {', '.join(VERSIONS)}")
        return TaskDefinition(self._path, self._inputs(content), self._properties(content), self._data_model(content))

    def _load(self) -> object:
        import yaml  # only a run with a task definition pays for it

        try:
            for event in yaml.parse(self._text, Loader=yaml.SafeLoader):
                if isinstance(event, yaml.AliasEvent):  # a few of them stand for billions of nodes
                    mark = event.start_mark
                    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
                    raise ParseError(point(str(self._path), line, column), "aliases are not supported")
            content: object = yaml.safe_load(self._text)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark
            line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
            raise ParseError(point(str(self._path), line, column), error.problem or "malformed YAML") from None
        except (yaml.YAMLError, ValueError) as error:
            raise ParseError(point(str(self._path), 1, 1), f"malformed YAML: {error}") from None
        except RecursionError:
            raise ParseError(point(str(self._path), 1, 1), "nested too deeply") from None
        return content

    def _error(self, key: str, message: str) -> FrontendError:
        """A complaint about a key, placed where the key is first."""
        found = re.search(rf"^[ \t]*(?:-[ \t]+)?({re.escape(key)})[ \t]*:", self._text, re.MULTILINE) if key else None
        offset = found.start(1) if found else 0
        line = self._text.count("\n", 0, offset) + 1
        return ParseError(point(str(self._path), line, offset - self._text.rfind("\n", 0, offset)), message)

    def _mapping(self, value: object, key: str) -> Mapping[object, object]:
        if not isinstance(value, dict):
            raise self._error(key, f"{key or 'a task definition'} must be a mapping")
        return value

    def _file(self, value: object, key: str) -> Path:
        if not isinstance(value, str) or not value or "\0" in value:
            raise self._error(key, f"{key} must name a file")
        folder = self._path.parent
        # Sets of tasks stand beside each other and beside their properties: `../properties/unreach-call.prp`.
        around = os.path.realpath(folder / "..")
        if os.path.isabs(value) or os.path.commonpath((around, os.path.realpath(folder / value))) != around:
            raise self._error(key, f"{key} must stay in the folders around the task definition: {value!r}")
        return folder / value

    def _inputs(self, content: Mapping[object, object]) -> tuple[Path, ...]:
        given = content.get("input_files")
        names = given if isinstance(given, list) else [given]
        if not names or given is None:
            raise self._error("input_files", "a task definition needs input_files")
        return tuple(self._file(name, "input_files") for name in names)

    def _properties(self, content: Mapping[object, object]) -> tuple[TaskProperty, ...]:
        given = content.get("properties") or []
        if not isinstance(given, list):
            raise self._error("properties", "properties must be a list")
        return tuple(self._property(item) for item in given)

    def _property(self, item: object) -> TaskProperty:
        # Formats before 2.0 also have bare names of files here.
        entry = {"property_file": item} if isinstance(item, str) else self._mapping(item, "properties")
        expected = entry.get("expected_verdict")
        if isinstance(expected, str):
            expected = {"true": True, "false": False}.get(expected.lower(), expected)
        if not isinstance(expected, bool | None):
            raise self._error("expected_verdict", "expected_verdict must be true or false")
        subproperty = entry.get("subproperty", "")
        return TaskProperty(self._file(entry.get("property_file"), "property_file"), expected, str(subproperty or ""))

    def _data_model(self, content: Mapping[object, object]) -> DataModel | None:
        options = content.get("options")
        if options is None:
            return None
        options = self._mapping(options, "options")
        language = options.get("language", "C")
        if language != "C":
            place = self._error("language", "").span
            raise Unsupported(place, f"language {language} is not supported")
        model = options.get("data_model")
        if model is None:
            return None
        if not isinstance(model, str) or model not in DATA_MODELS:
            raise self._error("data_model", f"data model {model!r} is none of {', '.join(DATA_MODELS)}")
        return DATA_MODELS[model]
