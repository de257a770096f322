"""The command line: its parser, and the table of commands with their functions.

Exit codes: 0 true, 10 false, 5 unknown, 124 time limit, 137 memory limit, 2 command line, 3 input not parsed, 4
unsupported construct, 70 internal error, 130 interrupted.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from core.pattern import pattern
from interplay import __version__

if TYPE_CHECKING:
    _Commands = argparse._SubParsersAction[argparse.ArgumentParser]

_EXIT_CODES = """exit codes: 0 true, 10 false, 5 unknown, 124 time limit, 137 memory limit, 2 command line,
3 input not parsed, 4 unsupported construct, 70 internal error, 130 interrupted"""

_DESCRIPTION = """Proves or refutes the assertions of a C program by abstraction refinement, and has separate code
confirm every answer: a proof is checked as a certificate, a violation is run again."""

_VERIFY = """Verify a C program: its files, a folder, or what a task definition (.yml) names. The last line of the
output is `VERDICT:` with the verdict: true, false(PROPERTY), unknown, TIMEOUT, OUT OF MEMORY or ERROR."""

_FLAG = pattern(r"-(?:[mfW].|O|g|ansi$|nostdinc$|pthread$)")
_WITH_FLAGS = ("verify", "cfa", "lower", "witness")
"""Flags of gcc as they are, and the commands that have them: what `--flag=` says, too."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    if words[:1] == ["worker"]:  # hidden: what other commands start
        from interplay.commands.handlers import worker

        return worker()
    if sys.stderr is None:  # closed by whoever started this
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - for as long as the process lives
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # names of files may be any bytes
    parser = _parser(words[0] if words else "")
    words = [f"--flag={word}" if words[0] in _WITH_FLAGS and _FLAG.match(word) else word for word in words]
    options, unknown = parser.parse_known_args(words)
    if unknown:
        known = f"`interplay {options.command} --help` lists the options"
        parser.error(f"unrecognized arguments: {' '.join(unknown)}; {known}")
    options.alone = arguments is None
    if "files" in options:
        _resolve(parser, words, options)
    try:
        return _serve(options)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever read our output has gone. Nothing may be flushed there when Python ends.
        sys.stdout = None
        return 141


def _resolve(parser: argparse.ArgumentParser, words: Sequence[str], options: argparse.Namespace) -> None:
    """Put C files, and options of a project, in place of the folders of the command line."""
    from interplay.commands.command_files import resolved
    from interplay.session.project_file import WrongProject

    is_witness = options.command == "witness"
    try:
        found = None if is_witness and not options.files else resolved(options)
    except WrongProject as error:
        parser.error(str(error))
    files = options.files
    if found is not None:
        given, files = found
        commands = 2 if is_witness else 1
        parser.parse_args([*words[:commands], *given, *words[commands:]], options)
    if not files and options.compile_commands is None and not is_witness:
        parser.error(f"name a C file, a task definition or a folder: there is no interplay.toml in {os.getcwd()}")
    options.task, options.files = (files[0], files[1:]) if files else ("", [])


def _serve(options: argparse.Namespace) -> int:
    from interplay.commands import handlers as commands

    match options.command:
        case "verify":
            return commands.verify(options)
        case "check":
            return commands.check(options)
        case "cfa":
            return commands.cfa(options)
        case "lower":
            return commands.lower(options)
        case "engine":
            from interplay.commands.engine import run_engine

            return run_engine(options)
        case "batch":
            from interplay.commands.batch import batch

            return batch(options)
        case "compare":
            from interplay.commands.batch import compare

            return compare(options)
        case "witness":
            return commands.witness(options)
        case "report-problem":
            return commands.report_problem(options)
        case "export":
            return commands.export(options)
        case "completion":
            from interplay.commands.completion import script

            print(script(_parser()), end="")
            return 0
        case "gui":
            from interplay.commands.desktop import open_window

            return open_window(options.paths)
        case _:
            return commands.show(Path(options.run))


def _parser(command: str = "") -> argparse.ArgumentParser:
    """The parser of the command line. To describe the options of all commands takes a while, so those that stand beside
    `command` are enough; where there is no such command, all are told.
    """
    parser = argparse.ArgumentParser(
        prog="interplay",
        description=_DESCRIPTION,
        epilog=_EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"interplay {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    asked = [add for names, add in _COMMANDS if command in names]
    for add in asked or [add for _, add in _COMMANDS]:
        add(commands)
    return parser


def _verify_command(commands: _Commands) -> None:
    _verify_options(
        commands.add_parser(
            "verify",
            help="verify a C file or a task definition",
            description=_VERIFY,
            epilog=_EXIT_CODES,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
    )


def _check_command(commands: _Commands) -> None:
    from interplay.commands.options import add_options
    from interplay.session.options import CHECK

    check = commands.add_parser(
        "check",
        help="examine evidence: that of a run file again, or what a tool or a person wrote",
        description="Lower the program that evidence is about, and check its certificates and run its counterexamples. "
        "No engine takes part. Exit codes: those of `verify`.",
        allow_abbrev=False,
    )
    check.add_argument(
        "evidence",
        metavar="EVIDENCE",
        help="a run file that `verify --output` wrote, or a document in JSON that `interplay engine`, another tool or "
        "a person wrote (docs/evidence.md)",
    )
    check.add_argument(
        "--obligations",
        metavar="DIR",
        help="write every proof obligation as SMT-LIB 2.6 into this folder, for other solvers, with an index.json that "
        "says to which step it belongs",
    )
    add_options(check, CHECK)
    _add_debug(check)


def _program_commands(commands: _Commands) -> None:
    cfa = commands.add_parser(
        "cfa",
        help="show the control-flow automata of a program",
        description="Show what was understood: one control-flow automaton for each function, with the lines and the "
        "operations of the program that `verify` works on. No engine takes part.",
        allow_abbrev=False,
    )
    _input_options(cfa)
    cfa.add_argument("--format", choices=["svg", "dot", "json"], default="svg", help="default: %(default)s")
    cfa.add_argument("--output", metavar="OUT", help="write to this file instead of standard output")
    lower = commands.add_parser(
        "lower",
        help="print the program that a C file means",
        description="Print the program that `verify` works on: variables with ranges, inputs, edges, checks, "
        "assumptions, warnings. No engine takes part.",
        allow_abbrev=False,
    )
    _input_options(lower)
    lower.add_argument(
        "--format", choices=["text", "json"], default="text", help="json: for `interplay engine`; default: %(default)s"
    )
    lower.add_argument("--output", metavar="OUT", help="write to this file instead of standard output")

    engine = commands.add_parser(
        "engine",
        help="run one engine as a filter, from a program to its evidence",
        description="Read a program in JSON (`interplay lower --format json`) from standard input, run one engine, and "
        "write its evidence to standard output. Nothing is examined: `interplay check` does that. Exit code 0: there "
        "is evidence for every check.",
        allow_abbrev=False,
    )
    _engine_options(engine)


def _engine_options(engine: argparse.ArgumentParser) -> None:
    from interplay.commands.options import PrintParameters, add_option
    from methods.registry import ENGINES

    engine.add_argument("name", metavar="NAME", choices=list(ENGINES), help=f"one of {', '.join(ENGINES)}")
    engine.add_argument(
        "--parameters",
        dest=argparse.SUPPRESS,
        action=PrintParameters,
        nargs=0,
        help="print the table of the numbers that bound search, and end",
    )
    engine.add_argument(
        "--check", dest="asked", metavar="ID", type=int, action="append", help="a check to decide; default: all"
    )
    for name in ("options", "parameters", "seed", "time_limit"):
        add_option(engine, name)


def _run_file_commands(commands: _Commands) -> None:
    _export_options(
        commands.add_parser(
            "export",
            help="write a run as a report, a run or a program in formats of other tools",
            description="Write a run as a report, or as a witness, a test suite or a log in the formats of other "
            "tools, or a program as Horn clauses. Nothing is executed.",
            allow_abbrev=False,
        )
    )
    _witness_options(commands.add_parser("witness", help="examine a witness of any tool", allow_abbrev=False))
    show = commands.add_parser(
        "show",
        help="print what a run file holds",
        description="Print the verdict, checks, rounds, invariants and trace of a run file. Nothing of it is executed.",
        allow_abbrev=False,
    )
    show.add_argument("run", metavar="RUN", help="a run file, or the journal of a run that was cut off")
    problem = commands.add_parser(
        "report-problem",
        help="put a run with a doubtful verdict into one file",
        description="Write one zip with the sources, the options, the versions of everything that takes part, and the "
        "run, for whoever looks into a verdict that seems wrong. Nothing is sent.",
        allow_abbrev=False,
    )
    problem.add_argument("run", metavar="RUN", help="a run file that `verify --output` wrote, or its journal")
    problem.add_argument("--output", metavar="ZIP", default="problem.zip", help="default: %(default)s")


def _gui_command(commands: _Commands) -> None:
    gui = commands.add_parser(
        "gui",
        help="open the workbench",
        description="Open the window in which programs are verified and runs are watched, replayed and steered.",
        allow_abbrev=False,
    )
    commands.add_parser(
        "completion",
        help="print the completion of the command line for bash and zsh",
        description="Print a script that completes commands, options and their values: `interplay completion >> "
        "~/.bashrc`, in zsh after `autoload -U bashcompinit; bashcompinit`.",
        allow_abbrev=False,
    )
    gui.add_argument("paths", metavar="FILE|RUN", nargs="*", help="C files, task definitions, folders or run files")


def _batch_commands(commands: _Commands) -> None:
    from interplay.commands.batch_options import add_batch, add_compare

    add_batch(commands.add_parser("batch", help="verify many tasks", allow_abbrev=False))
    add_compare(commands.add_parser("compare", help="set two results of batches side by side", allow_abbrev=False))


def _input_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that name the program and its property."""
    from interplay.commands.options import add_options
    from interplay.session.options import Section

    _files_argument(parser)
    add_options(parser, (Section.SOURCES, Section.QUESTION))


def _files_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files",
        metavar="FILE|DIR",
        nargs="*",
        help="C files, which are linked; a folder: its C files, or its project (interplay.toml); a task definition "
        "in the format of SV-COMP (.yml); default: the project of this folder",
    )


def _verify_options(verify: argparse.ArgumentParser) -> None:
    from interplay.commands.options import add_options
    from interplay.session.options import VERIFY
    from interplay.session.request import Stage

    _files_argument(verify)
    add_options(verify, VERIFY)
    verify.add_argument(
        "--stop-after",
        choices=[stage.value for stage in Stage],
        help="only check the input, up to this stage: the text is parsed, has types, is a program",
    )
    verify.add_argument(
        "--edits-of",
        metavar="RUN",
        help="steer as a person steered this run: its engine, its options, and its edits before their rounds",
    )
    _add_debug(verify)
    verify.add_argument("--output", metavar="RUN", help="write the run with all events and evidence to this file")
    verify.add_argument("--witness", metavar="OUT.yml", help="write the witness of a true or false (YAML, version 2.0)")
    verify.add_argument(
        "--events",
        metavar="-",
        choices=["-"],
        help="print events as JSON lines instead of text; the last is the verdict",
    )
    verify.add_argument("--quiet", action="store_true", help="print the line with the verdict only")


def _witness_options(witness: argparse.ArgumentParser) -> None:
    from interplay.commands.options import add_options
    from interplay.session.options import EXAMINE_WITNESS

    check = witness.add_subparsers(dest="action", metavar="ACTION", required=True).add_parser(
        "check",
        help="is it right about the program?",
        description="Examine a witness in YAML (format version 2), ours or another tool's: its invariants must hold "
        "and prove the program, its waypoints must lead to the violation. The last line of the output is `WITNESS:` "
        "with confirmed, rejected, unknown, or trivial for a proof that needs nothing of the witness.",
        epilog="exit codes: 0 confirmed or trivial, 10 rejected, 5 unknown; others as of verify",
        allow_abbrev=False,
    )
    check.add_argument("witness", metavar="WITNESS", help="a witness in YAML")
    check.add_argument(
        "files",
        metavar="FILE|DIR",
        nargs="*",
        help="C files, a folder or a task definition; default: the file that the witness names",
    )
    add_options(check, EXAMINE_WITNESS)
    _add_debug(check)
    check.set_defaults(output=None)


def _export_options(export: argparse.ArgumentParser) -> None:
    from interplay.commands.options import add_options
    from interplay.session.options import Section

    export.add_argument(
        "input", metavar="RUN|FILE", help="a run file that `verify --output` wrote; for --chc a program"
    )
    export.add_argument("--witness", metavar="OUT.yml", help="the witness in YAML, version 2.0")
    export.add_argument("--graphml", metavar="OUT", help="the witness in GraphML, version 1.0")
    export.add_argument("--test-suite", metavar="DIR|ZIP", help="of a violation: a test suite in XML")
    export.add_argument("--sarif", metavar="OUT", help="all checks in SARIF 2.1.0, whatever the verdict was")
    export.add_argument(
        "--html", metavar="OUT", help="a report: the verdict, its evidence and how it was found, one page"
    )
    export.add_argument("--markdown", metavar="OUT", help="what the report says first, as Markdown")
    export.add_argument("--pdf", metavar="OUT", help="the report for paper; needs the extra `gui`")
    export.add_argument(
        "--style",
        choices=["assumption", "function-return"],
        default="assumption",
        help="how a violation witness gives inputs: where the next statement begins, or where the call ends; "
        "default: %(default)s",
    )
    export.add_argument("--chc", action="store_true", help="the program as constrained Horn clauses in SMT-LIB 2.6")
    export.add_argument("--output", metavar="OUT", help="for --chc: write to this file instead of standard output")
    add_options(export, (Section.SOURCES, Section.QUESTION))


def _add_debug(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--debug", action="store_true", help="print the traceback of an internal error")


_COMMANDS: tuple[tuple[tuple[str, ...], Callable[[_Commands], None]], ...] = (
    (("verify",), _verify_command),
    (("check",), _check_command),
    (("cfa", "lower", "engine"), _program_commands),
    (("export", "witness", "show", "report-problem"), _run_file_commands),
    (("batch", "compare"), _batch_commands),
    (("gui", "completion"), _gui_command),
)
"""What describes commands, and which."""
