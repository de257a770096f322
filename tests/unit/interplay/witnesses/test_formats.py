"""Written witnesses and test suites against what the formats ask for."""

import re
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

from interplay.witnesses.formats.graphml import to_graphml
from interplay.witnesses.formats.model import (
    CorrectnessWitness,
    Invariant,
    InvariantKind,
    Producer,
    SourcePosition,
    TaskFacts,
    ViolationWitness,
    Waypoint,
    WaypointKind,
    WitnessHeader,
)
from interplay.witnesses.formats.testsuite import to_test_suite, write_test_suite
from interplay.witnesses.formats.yamlfile import to_yaml
from tests.support.witness_schema import TIME, Violated, check_witness

HASH = "bf44e270d5df2b5cc331fc7d6b98550db93ee6ae905d9bda98ed6c8c1aa61ca8"
SPECIFICATION = "CHECK( init(main()), LTL(G ! call(reach_error())) )"
HEADER = WitnessHeader(
    Producer("interplay", "0.1.0", "transition", "interplay verify 'a b.c'"),
    TaskFacts(("a b.c",), {"a b.c": HASH}, SPECIFICATION, "ILP32"),
    "2026-11-21T08:00:00Z",
)


def at(line: int, column: int | None = 3) -> SourcePosition:
    return SourcePosition("a b.c", line, column, "main")


PROOF = CorrectnessWitness(
    HEADER,
    (
        Invariant(InvariantKind.LOOP, at(7), '0 <= i && i <= 10 && "<&>" != 0'),
        Invariant(InvariantKind.LOCATION, at(9), "i % 2 == 0"),
    ),
)
VIOLATION = ViolationWitness(
    HEADER,
    (
        Waypoint(WaypointKind.FUNCTION_RETURN, at(5), "\\result == 6", "__VERIFIER_nondet_int"),
        Waypoint(WaypointKind.ASSUMPTION, at(6), "x == 6"),
        Waypoint(WaypointKind.BRANCHING, at(7), "true"),
        Waypoint(WaypointKind.FUNCTION_ENTER, at(8)),
        Waypoint(WaypointKind.TARGET, at(11, None)),
    ),
)


@pytest.mark.parametrize("witness", [PROOF, VIOLATION, CorrectnessWitness(HEADER, ())])
def test_yaml_keeps_to_the_schema_and_comes_back(witness: CorrectnessWitness | ViolationWitness) -> None:
    text = to_yaml(witness)
    value = yaml.safe_load(text)
    check_witness(value)
    assert text == to_yaml(witness)
    assert value[0]["metadata"]["creation_time"] == "2026-11-21T08:00:00Z"  # quoted: no date
    assert value[0]["metadata"]["format_version"] == "2.0"
    assert value[0]["metadata"]["task"]["input_file_hashes"] == {"a b.c": HASH}


def test_yaml_says_what_the_witness_says() -> None:
    invariants = yaml.safe_load(to_yaml(PROOF))[0]["content"]
    assert [one["invariant"]["value"] for one in invariants] == [one.value for one in PROOF.invariants]
    waypoints = [one["segment"][0]["waypoint"] for one in yaml.safe_load(to_yaml(VIOLATION))[0]["content"]]
    assert [one["type"] for one in waypoints] == [one.kind.value for one in VIOLATION.waypoints]
    assert waypoints[0]["constraint"] == {"value": "\\result == 6", "format": "acsl_expression"}
    assert waypoints[2]["constraint"] == {"value": "true"}
    assert waypoints[-1] == {
        "type": "target",
        "action": "follow",
        "location": {"file_name": "a b.c", "line": 11, "function": "main"},
    }


def test_the_schema_refuses_what_is_not_in_it() -> None:
    value = yaml.safe_load(to_yaml(VIOLATION))
    value[0]["metadata"]["format_version"] = 2.0
    with pytest.raises(Violated, match="format_version"):
        check_witness(value)
    value = yaml.safe_load(to_yaml(VIOLATION))
    value[0]["content"].pop()
    with pytest.raises(Violated, match="target"):
        check_witness(value)


# GraphML

_TYPES = {"graph", "node", "edge"}
SPACE = "{http://graphml.graphdrawing.org/xmlns}"


@pytest.mark.parametrize("witness", [PROOF, VIOLATION])
def test_graphml_uses_declared_keys_where_they_belong(witness: CorrectnessWitness | ViolationWitness) -> None:
    root = ElementTree.fromstring(to_graphml(witness))
    assert root.tag == f"{SPACE}graphml"
    keys = {key.attrib["id"]: key.attrib["for"] for key in root.iter(f"{SPACE}key")}
    assert set(keys.values()) == _TYPES
    for kind in _TYPES:
        for one in root.iter(f"{SPACE}{kind}"):
            for data in one.findall(f"{SPACE}data"):
                assert keys[data.attrib["key"]] == kind
    (graph,) = root.iter(f"{SPACE}graph")
    facts = {data.attrib["key"]: data.text for data in graph.findall(f"{SPACE}data")}
    assert facts["programhash"] == HASH
    assert facts["specification"] == SPECIFICATION
    assert facts["architecture"] == "32bit"
    assert facts["sourcecodelang"] == "C"
    assert re.fullmatch(TIME, facts["creationtime"] or "")
    nodes = [node.attrib["id"] for node in graph.iter(f"{SPACE}node")]
    assert len(nodes) == len(set(nodes))
    assert {end for e in graph.iter(f"{SPACE}edge") for end in (e.attrib["source"], e.attrib["target"])} <= set(nodes)
    entries = [data for data in graph.iter(f"{SPACE}data") if data.attrib["key"] == "entry"]
    assert len(entries) == 1


def test_graphml_of_a_violation_is_a_chain_to_it() -> None:
    root = ElementTree.fromstring(to_graphml(VIOLATION))
    edges = [{d.attrib["key"]: d.text for d in edge} for edge in root.iter(f"{SPACE}edge")]
    assert edges[0]["assumption"] == "\\result == 6;"
    assert edges[0]["assumption.resultfunction"] == "__VERIFIER_nondet_int"
    assert edges[2]["control"] == "condition-true"
    last = list(root.iter(f"{SPACE}node"))[-1]
    assert [(d.attrib["key"], d.text) for d in last] == [("violation", "true")]


def test_graphml_of_a_proof_has_its_loop_invariants() -> None:
    root = ElementTree.fromstring(to_graphml(PROOF))
    found = [d.text for d in root.iter(f"{SPACE}data") if d.attrib["key"] == "invariant"]
    assert found == [PROOF.invariants[0].value]


# Test suites


def test_a_test_suite_has_its_elements_in_order(tmp_path: Path) -> None:
    files = to_test_suite(HEADER, [(6, -7), (8,)])
    assert list(files) == ["metadata.xml", "testcase-1.xml", "testcase-2.xml"]
    metadata = ElementTree.fromstring(files["metadata.xml"])
    assert metadata.tag == "test-metadata"
    assert [one.tag for one in metadata] == [
        "sourcecodelang",
        "producer",
        "specification",
        "programfile",
        "programhash",
        "entryfunction",
        "architecture",
        "creationtime",
    ]
    case = ElementTree.fromstring(files["testcase-1.xml"])
    assert [(one.tag, one.text) for one in case] == [("input", "6"), ("input", "-7")]
    assert '<!DOCTYPE testcase SYSTEM "https://gitlab.com/' in files["testcase-1.xml"]
    write_test_suite(HEADER, [(6, -7), (8,)], tmp_path / "suite")
    write_test_suite(HEADER, [(6, -7), (8,)], tmp_path / "suite.zip")
    assert {p.name: p.read_text() for p in (tmp_path / "suite").iterdir()} == dict(files)
    with zipfile.ZipFile(tmp_path / "suite.zip") as archive:
        assert {name: archive.read(name).decode() for name in archive.namelist()} == dict(files)
