"""A verification request. Plain data: it crosses process boundaries and is stored in the run file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, field, fields
from enum import StrEnum

from core.dataclass import dataclass
from core.program.properties import SELECTABLE, UNDEFINED_BEHAVIOUR, CheckKind
from frontend.options import Acsl, Aliasing, Argc, ArithmeticChoice, Malloc, Standard, Volatile
from frontend.typed.ctype import DATA_MODELS
from interplay import __version__
from interplay.session.options import (
    FLAGS,
    MEGABYTES,
    POSITIVE,
    SECONDS,
    SECONDS_OR_NONE,
    TEXT,
    TEXTS,
    ChoiceFormat,
    NamesFormat,
    NumberFormat,
    PairsFormat,
    ParametersFormat,
    RequestOption,
    Section,
    SwitchFormat,
    ValueFormat,
    described,
)
from methods.options import WrongOption, describe_options, read_options
from methods.registry import ENGINES
from runs.events import EditAction, Edited, Level
from runs.jsondata import Malformed, as_int, as_ints, as_list, as_object, as_row, as_str

WRITER = f"interplay {__version__}"
"""The program and version that events, run files and results name as their writer."""

PORTFOLIO = "portfolio"
"""The name in place of an engine where several are run: see `interplay.portfolio.portfolio`."""

DEFAULT_MODEL = "data model: ILP32, the default (--data-model LP64 for 64 bits)"
"""The premise of an answer that depends on a data model which nobody chose."""

VOLATILE_ARBITRARY = "volatile objects have any value at each read (--volatile memory: what was written)"
VOLATILE_MEMORY = "volatile objects are memory (--volatile arbitrary: any value at each read)"
"""The premises of an answer about a program that reads volatile objects."""

MALLOC_FAILS = "malloc may return null (--malloc succeeds where it never does)"
MALLOC_SUCCEEDS = "allocation succeeds: malloc never returns null (--malloc may-fail where it may)"
"""The premises of an answer about a program that allocates."""

ARGUMENTS = "argc is at least 1 (--argc any where it may be 0)"
"""The premise of an answer about a program that uses its arguments."""

TASK_DEFINITIONS = (".yml", ".yaml")
"""How the names of task definitions end."""

SHORTENING = 10.0
"""The CPU seconds that a counterexample is made shorter for, unless a fifth of the time limit is less."""

VACUITY = 2.0
"""The CPU seconds that the question takes which checks are reached, unless a tenth of the time limit is less."""

LARGEST_SEED = (1 << 32) - 1  # what all solvers take


def wrong_options(engine: str, values: Mapping[str, str]) -> str | None:
    """An error message for invalid options of an engine, or None."""
    if engine == PORTFOLIO:
        return f"engine {PORTFOLIO}: it has no options; choose an engine" if values else None
    try:
        read_options(ENGINES[engine].options, values)
    except WrongOption as error:
        return f"engine {engine}: {error}"
    return None


class ReplayMode(StrEnum):
    """The means that may confirm a counterexample."""

    NATIVE = "native"  # a compiled replay first, then the interpreter
    INTERPRETER = "interpreter"  # nothing is compiled or run natively


class Extent(StrEnum):
    """The checks that a run is to decide."""

    ALL_CHECKS = "all checks"
    FIRST_VIOLATION = "first violation"  # it ends where one is confirmed


class Start(StrEnum):
    """The start of a run: at once, or paused."""

    AT_ONCE = "at once"
    PAUSED = "paused"  # before its first round


class Stage(StrEnum):
    """The stage of the front end at which a check of the input stops."""

    PARSE = "parse"
    TYPES = "types"
    PROGRAM = "program"


@dataclass(frozen=True)
class _EditsFormat(ValueFormat):
    """Edits of a run, as rows."""

    def read(self, value: object) -> object:
        edits: list[Edited] = []
        for row in as_list(value):
            round, action, formula, at, text = as_row(row, 5)
            place = None
            if at is not None:
                stack, location = as_row(at, 2)
                place = as_ints(stack), as_int(location)
            edits.append(Edited(as_int(round), EditAction(as_str(action)).value, as_int(formula), place, as_str(text)))
        return tuple(edits)

    def write(self, value: object) -> object:
        assert isinstance(value, tuple)
        return [[one.round, one.action, one.formula, _place(one), one.text] for one in value]


def _place(edit: Edited) -> list[object] | None:
    return None if edit.place is None else [list(edit.place[0]), edit.place[1]]


def _model_named(word: str) -> str:
    """The name of a data model. Raises `ValueError` for other words, which would be read as the default."""
    if word not in DATA_MODELS:
        raise ValueError(f"{word[:60]!r} is none of {', '.join(DATA_MODELS)}")
    return word


def _engine_options() -> Iterator[str]:
    for name, engine in ENGINES.items():
        for line in describe_options(engine.options):
            yield f"{name}: {line}"


def _listed(kinds: Sequence[CheckKind]) -> str:
    return ", ".join(f"{kind.value} ({kind.row.fault})" for kind in kinds)


def _sources(flag: str, short: str, metavar: str, help: str) -> tuple[str, ...]:
    """A field of a request with texts about its sources: an option that may be repeated."""
    option = RequestOption(
        TEXTS, sparse=True, flag=flag, short=short, metavar=metavar, section=Section.SOURCES, help=help
    )
    return field(default=(), metadata=described(option))


@dataclass(frozen=True)
class Request:
    """A verification request. Plain data: it crosses process boundaries and is stored in the run file.

    None leaves a choice to the task definition or means no limit. `task` is a C file or a task definition, as the user
    wrote it, and `files` are the other files of the program; `task` is empty where `compile_commands` names all of
    them. `time_limit` is in CPU seconds, `memory_limit` in megabytes of 2^20 bytes. `recheck` names a run file
    whose sources and evidence are taken instead of reading files and running an engine, `obligations` a folder for the
    obligations of its certificates. `options` are the engine's (`methods.options`), `parameters` those of search that
    have another value than their default (`core.parameters`), both by name. `witness` is a file with a witness that
    becomes part of the program, to be examined.
    `edits` are made before their rounds, as a person made them in a run before (`interplay.session.recorded_edits`).
    """

    task: str = field(metadata=described(RequestOption(TEXT)))
    property: str | None = field(
        default=None,
        metadata=described(
            RequestOption(
                TEXT,
                flag="--property",
                metavar="P",
                section=Section.QUESTION,
                help="a property file (.prp), or names of properties with commas between",
            )
        ),
    )
    engine: str = field(
        default="transition",
        metadata=described(
            RequestOption(
                ChoiceFormat((PORTFOLIO, *ENGINES)),
                flag="--engine",
                section=Section.ENGINE,
                title="Engine",
                help="the method; by default those that fit the program, side by side; one alone can be watched round "
                "by round",
                asked=PORTFOLIO,
            )
        ),
    )
    time_limit: float | None = field(
        default=None,
        metadata=described(
            RequestOption(
                SECONDS,
                flag="--time-limit",
                metavar="S",
                section=Section.LIMITS,
                title="Time limit",
                help="CPU time in seconds, of which the check of a proof has a fifth",
                unset="no limit",
                asked=900,
            )
        ),
    )
    memory_limit: int | None = field(
        default=None,
        metadata=described(
            RequestOption(
                MEGABYTES,
                flag="--memory-limit",
                metavar="MB",
                section=Section.LIMITS,
                title="Memory limit",
                help="megabytes; a run that needs more ends without a verdict",
                unset="no limit",
            )
        ),
    )
    data_model: str | None = field(
        default=None,
        metadata=described(
            RequestOption(
                ChoiceFormat(tuple(DATA_MODELS), _model_named),
                flag="--data-model",
                section=Section.QUESTION,
                title="Sizes of C types",
                help="ILP32 (i386): long and pointers have 32 bits; LP64 (x86-64): they have 64; ARM: they have 32, "
                "char is unsigned",
                unset="of the flags or the task, else ILP32",
            )
        ),
    )
    shorten: float | None = field(
        default=None,
        metadata=described(
            RequestOption(
                SECONDS,
                sparse=True,
                flag="--shorten",
                metavar="S",
                section=Section.LIMITS,
                title="Time to shorten counterexamples",
                advanced=True,
                help="CPU time in seconds that making a counterexample shorter may take",
                unset=f"a fifth of the time limit, at most {SHORTENING:g} seconds",
            )
        ),
    )
    vacuity: float | None = field(
        default=None,
        metadata=described(
            RequestOption(
                SECONDS_OR_NONE,
                sparse=True,
                flag="--vacuity",
                metavar="S",
                section=Section.LIMITS,
                title="Time to ask which checks are reached",
                advanced=True,
                help="CPU time in seconds, after a true, that the question may take whether any execution comes to "
                "what was checked; 0: it is not asked",
                unset=f"a tenth of the time limit, at most {VACUITY:g} seconds; 0 with a task definition or a .prp",
            )
        ),
    )
    replay: ReplayMode = field(
        default=ReplayMode.NATIVE,
        metadata=described(
            RequestOption(
                SwitchFormat(ReplayMode.INTERPRETER),
                flag="--no-native-replay",
                section=Section.LIMITS,
                title="Run counterexamples natively",
                help="without native replay, violations are confirmed by the interpreter alone; with it, the program "
                "is compiled and run, shut off from files and network",
            )
        ),
    )
    seed: int = field(
        default=0,
        metadata=described(
            RequestOption(
                NumberFormat(
                    "", True, lambda number: 0 <= number <= LARGEST_SEED, f"must be between 0 and {LARGEST_SEED}"
                ),
                flag="--seed",
                metavar="N",
                section=Section.SEARCH,
                title="Seed",
                advanced=True,
                help="seed of all solvers; another one may lead them another way",
            )
        ),
    )
    level: Level = field(default=Level.SUMMARY, metadata=described(RequestOption(ChoiceFormat.of(Level))))
    recheck: str | None = field(default=None, metadata=described(RequestOption(TEXT)))
    obligations: str | None = field(default=None, metadata=described(RequestOption(TEXT, sparse=True)))
    arithmetic: ArithmeticChoice = field(
        default=ArithmeticChoice.AUTO,
        metadata=described(
            RequestOption(
                ChoiceFormat.of(ArithmeticChoice),
                flag="--arithmetic",
                section=Section.QUESTION,
                title="Arithmetic",
                advanced=True,
                help="how machine integers are computed with, always exactly; auto: with integers where these express "
                "all bit operations of the program",
            )
        ),
    )
    acsl: Acsl | None = field(
        default=None,
        metadata=described(
            RequestOption(
                ChoiceFormat.of(Acsl),
                sparse=True,
                flag="--acsl",
                section=Section.QUESTION,
                title="ACSL annotations",
                advanced=True,
                help="whether comments `//@ …` are claims that are checked",
                unset="read where no property is asked for",
            )
        ),
    )
    options: tuple[tuple[str, str], ...] = field(
        default=(),
        metadata=described(
            RequestOption(
                PairsFormat(),
                flag="--option",
                metavar="NAME=VALUE",
                section=Section.SEARCH,
                help=f"an option of the engine, repeatable; {'; '.join(_engine_options())}",
            )
        ),
    )
    parameters: tuple[tuple[str, str], ...] = field(
        default=(),
        metadata=described(
            RequestOption(ParametersFormat(), sparse=True, flag="--param", metavar="NAME=VALUE", section=Section.SEARCH)
        ),
    )
    checks: tuple[str, ...] = field(
        default=(),
        metadata=described(
            RequestOption(
                NamesFormat(
                    tuple(kind.value for kind in SELECTABLE),
                    tuple(kind.value for kind in UNDEFINED_BEHAVIOUR),
                    "--check-ub",
                ),
                sparse=True,
                flag="--check",
                metavar="KIND[,KIND…]",
                section=Section.QUESTION,
                title="Also find undefined behaviour",
                words="null pointers, accesses outside of objects, overflows, and all else for which C defines nothing",
                help=f"undefined behaviour that is an error beside the property: {_listed(UNDEFINED_BEHAVIOUR)}; "
                "behaviour that C defines, which no other option asks for: "
                + _listed([kind for kind in SELECTABLE if kind not in UNDEFINED_BEHAVIOUR]),
            )
        ),
    )
    files: tuple[str, ...] = field(default=(), metadata=described(RequestOption(TEXTS, sparse=True)))
    include_path: tuple[str, ...] = _sources(
        "--include-path", "-I", "DIR", "a folder in which headers are looked for, repeatable"
    )
    system_path: tuple[str, ...] = _sources("--system-path", "-isystem", "DIR", "the same, after those of -I")
    define: tuple[str, ...] = _sources(
        "--define", "-D", "NAME[=VALUE]", "a macro, repeatable; its value is 1 where none is given"
    )
    undefine: tuple[str, ...] = _sources(
        "--undefine", "-U", "NAME", "a macro that is not there, repeatable; it must not be one of -D"
    )
    include: tuple[str, ...] = _sources(
        "--include", "-include", "FILE", "a header before the first line of each file, repeatable"
    )
    remove_body: tuple[str, ...] = _sources(
        "--remove-body", "", "[FILE:]NAME", "a function whose body is left out, repeatable; another file may define it"
    )
    changes_nothing: tuple[str, ...] = _sources(
        "--changes-nothing", "", "NAME", "a function without a body that is assumed to change nothing, repeatable"
    )
    never_returns: tuple[str, ...] = _sources(
        "--never-returns", "", "NAME", "a function without a body that is assumed never to return, repeatable"
    )
    folder: tuple[str, ...] = _sources(
        "--folder", "", "DIR", "a folder whose files may be included by relative names, repeatable"
    )
    std: Standard = field(
        default=Standard.GNU11,
        metadata=described(
            RequestOption(
                ChoiceFormat.of(Standard),
                sparse=True,
                flag="--std",
                short="-std",
                section=Section.SOURCES,
                help="the version of C that the macros name; what is read is the same for all",
            )
        ),
    )
    flags: tuple[str, ...] = field(
        default=(),
        metadata=described(
            RequestOption(
                FLAGS,
                sparse=True,
                flag="--flag",
                metavar="FLAG",
                section=Section.SOURCES,
                help="a flag of gcc, repeatable, as in --flag=-fshort-enums; those that begin with -m, -f, -O, -W or "
                "-g can be written as they are",
            )
        ),
    )
    compile_commands: str | None = field(
        default=None,
        metadata=described(
            RequestOption(
                TEXT,
                sparse=True,
                flag="--compile-commands",
                short="-p",
                metavar="DIR",
                section=Section.SOURCES,
                help="the folder with the compile_commands.json that names files and flags",
            )
        ),
    )
    extent: Extent = field(
        default=Extent.ALL_CHECKS,
        metadata=described(
            RequestOption(
                SwitchFormat(Extent.FIRST_VIOLATION),
                sparse=True,
                flag="--stop-at-first",
                section=Section.SEARCH,
                title="Go on after a violation",
                advanced=True,
                help="end at the first confirmed violation, as with a task definition; otherwise the other checks are "
                "decided within the limits",
            )
        ),
    )
    buffer: int | None = field(
        default=None,
        metadata=described(
            RequestOption(
                POSITIVE,
                sparse=True,
                flag="--buffer",
                metavar="N",
                section=Section.SOURCES,
                help="the program is a fuzz target: LLVMFuzzerTestOneInput gets any input of at most N bytes",
            )
        ),
    )
    entry: str | None = field(
        default=None,
        metadata=described(
            RequestOption(
                TEXT,
                sparse=True,
                flag="--entry",
                metavar="FUNCTION",
                section=Section.QUESTION,
                title="Function that is started",
                advanced=True,
                help="the function in which the program starts, with all that its `requires` admits",
                unset="main",
            )
        ),
    )
    aliasing: Aliasing = field(
        default=Aliasing.ANY,
        metadata=described(
            RequestOption(
                ChoiceFormat.of(Aliasing),
                sparse=True,
                flag="--aliasing",
                section=Section.QUESTION,
                title="Pointers of the function that is started",
                advanced=True,
                help="with --entry: any: into any object that their types admit; separate: to the beginning of "
                "objects of their own, or equal, which the verdict names as assumed",
            )
        ),
    )
    malloc: Malloc | None = field(
        default=None,
        metadata=described(
            RequestOption(
                ChoiceFormat.of(Malloc),
                sparse=True,
                flag="--malloc",
                section=Section.QUESTION,
                title="Where memory is out",
                advanced=True,
                help="whether each call of malloc, and of others that allocate, may fail",
                unset="may-fail where `--check` asks for null or dangling, else succeeds",
            )
        ),
    )
    volatile: Volatile | None = field(
        default=None,
        metadata=described(
            RequestOption(
                ChoiceFormat.of(Volatile),
                sparse=True,
                flag="--volatile",
                section=Section.QUESTION,
                title="Reads of volatile objects",
                advanced=True,
                help="what each read of a volatile object gives: any value of its type, or what the program has "
                "written, which the verdict names",
                unset="arbitrary, and memory under a task definition or --property",
            )
        ),
    )
    argc: Argc | None = field(
        default=None,
        metadata=described(
            RequestOption(
                ChoiceFormat.of(Argc),
                sparse=True,
                flag="--argc",
                section=Section.QUESTION,
                title="Arguments",
                advanced=True,
                help="how many arguments the program may be started with, its name among them",
                unset="at-least-one; any with a task definition or --property",
            )
        ),
    )
    witness: str | None = field(default=None, metadata=described(RequestOption(TEXT, sparse=True)))
    edits: tuple[Edited, ...] = field(default=(), metadata=described(RequestOption(_EditsFormat(), sparse=True)))

    def ends_at_first(self) -> bool:
        """Whether the run ends at the first confirmed violation; a task definition asks for one answer."""
        return self.extent is Extent.FIRST_VIOLATION or self.task.endswith(TASK_DEFINITIONS)

    def shortening_seconds(self) -> float:
        """The CPU seconds that a counterexample is made shorter for."""
        if self.shorten is not None:
            return self.shorten
        return SHORTENING if self.time_limit is None else min(SHORTENING, self.time_limit / 5)

    def vacuity_seconds(self) -> float:
        """The CPU seconds of the question which checks are reached; files of benchmarks ask for verdicts alone."""
        if self.vacuity is not None:
            return self.vacuity
        if (self.property or "").endswith(".prp") or self.task.endswith(TASK_DEFINITIONS):
            return 0.0
        return VACUITY if self.time_limit is None else min(VACUITY, self.time_limit / 10)

    def question(self) -> dict[str, object]:
        """The options that say which program is meant, and what is asked of it, where they differ from the defaults."""
        written = self.to_json()
        return {name: written[name] for name in QUESTION if getattr(self, name) != DEFAULTS.get(name)}

    def to_json(self) -> dict[str, object]:
        written: dict[str, object] = {}
        for name, option in REQUEST_OPTIONS.items():
            value = getattr(self, name)
            if not option.sparse or ((value or value == 0) and value != DEFAULTS[name]):
                written[name] = None if value is None else option.format.write(value)
        return written


def _request_options() -> Iterator[tuple[str, RequestOption]]:
    for one in fields(Request):
        option = one.metadata["option"]
        assert isinstance(option, RequestOption)
        yield one.name, option


REQUEST_OPTIONS: Mapping[str, RequestOption] = dict(_request_options())
"""The descriptions of the fields of a request, by name."""

QUESTION = (
    *("task", "files"),
    *(name for name, one in REQUEST_OPTIONS.items() if one.section in (Section.SOURCES, Section.QUESTION)),
)
"""The options that say which program is meant, and what is asked of it."""

DEFAULTS: Mapping[str, object] = {one.name: one.default for one in fields(Request) if one.default is not MISSING}
"""The values that fields have where a request does not say otherwise."""


def read_request(value: object) -> Request:
    """The request that `to_json` wrote. Raises `Malformed`."""
    data = as_object(value)
    if "task" not in data:
        raise Malformed("options: there is no task")
    values: dict[str, object] = {}
    for name, option in REQUEST_OPTIONS.items():
        if name in data and not (data[name] is None and DEFAULTS.get(name, MISSING) is None):
            try:
                values[name] = option.format.read(data[name])
            except Malformed as error:
                error.path = ("options", name)
                raise
            except ValueError as error:
                raise Malformed(f"options.{name}: {error}") from None
    return Request(**values)  # type: ignore[arg-type]


def files_of(request: Request) -> tuple[str, ...]:
    """The files that the request names."""
    return tuple(name for name in (request.task, *request.files) if name)


def chosen_words(request: Request, sections: tuple[Section, ...]) -> Iterator[str]:
    """The words of a command line that ask for the options in these sections, as `request` has them.

    An option that has its default is left out, unless the command line has another default.
    """
    for name, option in REQUEST_OPTIONS.items():
        value = getattr(request, name)
        if option.section in sections and value is not None and (value != DEFAULTS[name] or option.asked is not None):
            yield from option.format.words(option.flag, value)
