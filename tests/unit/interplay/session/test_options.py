"""The options of a request: what follows from their descriptions agrees."""

from __future__ import annotations

import inspect
import shlex
import subprocess
from dataclasses import fields, replace
from typing import get_type_hints

import pytest

import interplay
from core.program.properties import UNDEFINED_BEHAVIOUR
from frontend.options import Acsl, Aliasing, Argc, ArithmeticChoice, Malloc, Standard, Volatile
from interplay.commands.cli import _parser
from interplay.commands.options import applied
from interplay.session.options import Section
from interplay.session.reproduction import command_of
from interplay.session.request import DEFAULTS, PORTFOLIO, REQUEST_OPTIONS, Extent, ReplayMode, Request, read_request
from methods.registry import ENGINES
from runs.events import Edited, Level
from runs.jsondata import Malformed, compact, parse

EVERY = Request(
    "a b.yml",
    property="no-overflow",
    engine="explicit",
    time_limit=60.5,
    memory_limit=1_000_000,
    data_model="LP64",
    shorten=2.5,
    vacuity=1.5,
    replay=ReplayMode.INTERPRETER,
    seed=7,
    level=Level.STATES,
    recheck="old.interplay",
    obligations="asked",
    arithmetic=ArithmeticChoice.BITVECTORS,
    acsl=Acsl.READ,
    extent=Extent.FIRST_VIOLATION,
    options=(("precision", "location"), ("configuration", "explicit")),
    parameters=(("explicit.refiner.patience", "2"), ("portfolio.limits.exploring", "0.75")),
    checks=("bounds", "null"),
    files=("b.c",),
    include_path=("inc", "other"),
    system_path=("sys",),
    define=("A", "B=2"),
    undefine=("C",),
    include=("first.h",),
    remove_body=("b.c:f",),
    changes_nothing=("g",),
    never_returns=("h",),
    folder=("lib",),
    std=Standard.C99,
    flags=("-m64",),
    compile_commands="build",
    buffer=16,
    entry="f",
    aliasing=Aliasing.SEPARATE,
    malloc=Malloc.MAY_FAIL,
    volatile=Volatile.MEMORY,
    argc=Argc.ANY,
    witness="w.yml",
    edits=(Edited(1, "add-predicate", 3, ((1,), 2), "x > 0"), Edited(2, "remove-predicate", 4, None, "y")),
)
"""A request in which no field has its default."""

REQUESTS = [
    Request("t.c", engine=PORTFOLIO),
    Request("t.c", time_limit=900.0, checks=("shift",)),
    replace(EVERY, recheck=None, obligations=None, witness=None, edits=()),
    replace(
        EVERY,
        recheck=None,
        obligations=None,
        edits=(),
        level=Level.SUMMARY,
        options=(),
        parameters=(),
        seed=0,
        extent=Extent.ALL_CHECKS,
    ),
]


def test_the_example_has_no_defaults() -> None:
    assert [name for name, value in DEFAULTS.items() if getattr(EVERY, name) == value] == []


@pytest.mark.parametrize("request_", [EVERY, *REQUESTS])
def test_json_and_back(request_: Request) -> None:
    assert read_request(parse(compact(request_.to_json()))) == request_


def test_json_stays_as_run_files_have_it() -> None:
    assert compact(Request("t.c").to_json()) == (
        '{"task":"t.c","property":null,"engine":"transition","time_limit":null,"memory_limit":null,"data_model":null,'
        '"replay":"native","seed":0,"level":"summary","recheck":null,"arithmetic":"auto","options":{}}'
    )
    assert compact(EVERY.to_json()) == (
        '{"task":"a b.yml","property":"no-overflow","engine":"explicit","time_limit":60.5,"memory_limit":1000000,'
        '"data_model":"LP64","shorten":2.5,"vacuity":1.5,"replay":"interpreter","seed":7,"level":"states",'
        '"recheck":"old.interplay","obligations":"asked","arithmetic":"bitvectors","acsl":"read",'
        '"options":{"precision":"location","configuration":"explicit"},'
        '"parameters":{"explicit.refiner.patience":"2","portfolio.limits.exploring":"0.75"},'
        '"checks":["bounds","null"],"files":["b.c"],"include_path":["inc","other"],"system_path":["sys"],'
        '"define":["A","B=2"],"undefine":["C"],"include":["first.h"],"remove_body":["b.c:f"],'
        '"changes_nothing":["g"],"never_returns":["h"],"folder":["lib"],'
        '"std":"c99","flags":["-m64"],"compile_commands":"build","extent":"first violation",'
        '"buffer":16,"entry":"f","aliasing":"separate","malloc":"may-fail","volatile":"memory","argc":"any","witness":"w.yml",'
        '"edits":[[1,"add-predicate",3,[[1],2],"x > 0"],[2,"remove-predicate",4,null,"y"]]}'
    )


@pytest.mark.parametrize(
    "wrong",
    [
        {"seed": -1},
        {"seed": 1 << 32},
        {"seed": None},
        {"replay": "maybe"},
        {"checks": ["magic"]},
        {"checks": "bounds"},
        {"options": {"image": 3}},
        {"parameters": {"explicit.refiner.patience": "many"}},
        {"parameters": {"explicit.refiner": "1"}},
        {"time_limit": "long"},
        {"edits": [[1]]},
        {"acsl": "sometimes"},
        {"task": 3},
    ],
)
def test_what_no_request_has_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(Malformed):
        read_request({"task": "t.c", **wrong})
    with pytest.raises(Malformed):
        read_request({})


@pytest.mark.parametrize("request_", REQUESTS)
def test_the_command_asks_for_the_same_run(request_: Request) -> None:
    """The level is that of `--output`; a limit that is not there cannot be asked for."""
    options = _parser().parse_args(shlex.split(command_of(request_))[1:])
    task, *files = options.files
    start = Request(task, level=request_.level, witness=request_.witness, files=tuple(files))
    assert bool(options.output) == (request_.level is Level.STATES and request_.witness is None)
    found = applied(start, options)
    assert replace(found, time_limit=request_.time_limit or found.time_limit) == replace(
        request_, time_limit=request_.time_limit or 900.0
    )


def test_the_command_of_an_examination() -> None:
    options = _parser().parse_args(shlex.split(command_of(replace(EVERY, edits=())))[1:])
    assert (options.command, options.evidence) == ("check", "old.interplay")
    assert applied(EVERY, options) == EVERY


def test_all_kinds_and_kinds_in_any_order() -> None:
    def checks(*words: str) -> tuple[str, ...]:
        return applied(Request("t.c"), _parser().parse_args(["verify", "t.c", *words])).checks

    every = tuple(UNDEFINED_BEHAVIOUR)
    assert checks("--check-ub") == checks("--check", "null", "--check-ub") == checks("--check-ub", "--check", "null")
    assert checks("--check-ub") == every
    assert checks("--check", "null,bounds", "--check", "null") == ("bounds", "null")
    assert set(checks("--check", "unsigned", "--check-ub")) == {*every, "unsigned"}
    assert checks() == ()


def test_of_an_option_given_twice_the_last_value_counts() -> None:
    words = ["verify", "t.c", "--option", "a=1", "--option", "b=2", "--option", "a=3=4"]
    assert applied(Request("t.c"), _parser().parse_args(words)).options == (("a", "3=4"), ("b", "2"))


def test_the_keywords_of_the_api_are_the_options() -> None:
    keywords = [one for one in inspect.signature(interplay.verify).parameters if one not in ("path", "files", "output")]
    assert set(keywords) == {one.keyword for one in REQUEST_OPTIONS.values() if one.help}


def test_the_api_hands_everything_on(monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[list[str]] = []

    def run(words: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        called.append(words)
        return subprocess.CompletedProcess(words, 2, "", "no")

    monkeypatch.setattr(subprocess, "run", run)
    with pytest.raises(ValueError, match="no"):
        interplay.verify(
            EVERY.task,
            *EVERY.files,
            include_path=EVERY.include_path,
            system_path=EVERY.system_path,
            define=EVERY.define,
            undefine=EVERY.undefine,
            include=EVERY.include,
            remove_body=EVERY.remove_body,
            changes_nothing=EVERY.changes_nothing,
            never_returns=EVERY.never_returns,
            folder=EVERY.folder,
            std="c99",
            flag=EVERY.flags,
            compile_commands="build",
            buffer=16,
            entry="f",
            aliasing="separate",
            malloc="may-fail",
            volatile="memory",
            argc="any",
            property=EVERY.property,
            engine=EVERY.engine,
            option=dict(EVERY.options),
            check=EVERY.checks,
            acsl="read",
            arithmetic="bitvectors",
            data_model=EVERY.data_model,
            time_limit=EVERY.time_limit,
            memory_limit=EVERY.memory_limit,
            shorten=EVERY.shorten,
            vacuity=EVERY.vacuity,
            seed=EVERY.seed,
            no_native_replay=True,
            stop_at_first=True,
            output="x.interplay",
        )
    options = _parser().parse_args(called[0][called[0].index("verify") :])
    task, *files = options.files
    assert applied(Request(task, files=tuple(files)), options) == replace(
        EVERY, level=Level.SUMMARY, recheck=None, obligations=None, witness=None, edits=(), parameters=()
    )
    assert options.output == "x.interplay"


def test_descriptions_are_complete() -> None:
    types = get_type_hints(Request)
    for one in fields(Request):
        option = REQUEST_OPTIONS[one.name]
        assert bool(option.flag) == (option.section is not None)
        assert bool(option.help) == (bool(option.flag) and one.name != "parameters")
        assert option.flag or not option.title
        assert (option.unset != "") <= (DEFAULTS.get(one.name) is None)
        if DEFAULTS.get(one.name) is not None and one.name != "edits":
            assert isinstance(option.format.read(option.format.write(DEFAULTS[one.name])), type(DEFAULTS[one.name]))
        assert types[one.name] is not object
    assert {option.section for option in REQUEST_OPTIONS.values()} == {None, *Section}


def test_engines_are_those_of_the_registry() -> None:
    (engine,) = (one for one in _choices("verify") if one[0] == "--engine")
    assert engine[1] == (PORTFOLIO, *ENGINES)


def _choices(command: str) -> list[tuple[str, tuple[str, ...]]]:
    subparsers = next(one for one in _parser()._actions if isinstance(one.choices, dict))
    assert isinstance(subparsers.choices, dict)
    parser = subparsers.choices[command]
    return [(one.option_strings[0], tuple(one.choices)) for one in parser._actions if one.choices]
