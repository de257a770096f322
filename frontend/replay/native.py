"""Native replay: builds the instrumented program with gcc and runs it on recorded inputs, isolated from the machine.

It is linked without any library, so nothing but the program's code and our harness runs; with limits on time, memory
and files, an empty environment, and no system calls. `int` wraps and aliasing is not exploited, as in the lowering.

Limitations: x86 and gcc only; no inline assembly, no constructors; errors and labels that macros make; memory errors
are not noticed.
"""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from core.dataclass import dataclass
from core.program.span import Span
from core.verdict import Confirmer, InputValue
from frontend.api import has_macros
from frontend.interpreter import ELSEWHERE_AT
from frontend.options import STATIC, SourceFile
from frontend.preprocessing.plain_text import blanked, is_plain, line_marker
from frontend.properties.errors import ErrorPolicy
from frontend.replay import harness
from frontend.replay.harness import ELSEWHERE_SECTION
from frontend.replay.instrument import Instrumented, NotReplayable, instrument
from frontend.replay.results import NotAvailable, NotReproduced, ReplayResult, Reproduced
from frontend.replay.source_edits import Text, TextToken, marked_lines
from frontend.source import FrontendError
from frontend.typed import tree
from frontend.typed.ctype import DataModel, Target

if TYPE_CHECKING:
    from frontend.preprocessing.preprocess import ReadHeader

_COMMON = "(__typeof__((a)+(b)))"
FLAGS = (
    "-O0",
    "-w",
    "-std=gnu11",
    "-fgnu89-inline",
    "-fpermissive",
    "-fwrapv",
    "-fno-strict-aliasing",
    "-fno-delete-null-pointer-checks",
    "-ftrivial-auto-var-init=zero",
    "-ffreestanding",
    "-ffp-contract=off",
    "-D__STDC_HOSTED__=1",
    "-fno-pie",
    "-fno-stack-protector",
    "-fcf-protection=none",
    "-fno-asynchronous-unwind-tables",
    *(
        f"-D__CPROVER_overflow_{name}(a,b)=__builtin_{builtin}_overflow_p({_COMMON}(a),{_COMMON}(b),{_COMMON}0)"
        for name, builtin in (("plus", "add"), ("minus", "sub"), ("mult", "mul"))
    ),
)
_LINK = (
    *("-nostdlib", "-nostartfiles", "-static", "-no-pie", "-Wl,--build-id=none", "-Wl,-z,noexecstack"),
    f"-Wl,--section-start={ELSEWHERE_SECTION}={ELSEWHERE_AT:#x}",
)
_ASSEMBLY = frozenset(("asm", "__asm", "__asm__"))
_FORBIDDEN_ATTRIBUTES = frozenset(("constructor", "destructor", "alias", "ifunc", "weakref", "symver"))
_ENDS = {
    harness.ENDED: "the program ends without the error",
    harness.ABORTED: "the program aborts before the error",
    harness.VIOLATED: "an assumption is violated before the error",
    harness.EXHAUSTED: "the program asks for more memory than a replay has",
}


@dataclass(frozen=True, slots=True)
class ProcessLimits:
    """Limits of one child process: seconds of CPU time, and kilobytes of memory, stack and each file that it writes.

    `memory` is address space.
    """

    seconds: int = 10
    memory: int = 3_000_000
    stack: int = 250_000
    file: int = 0


_COMPILER_LIMITS = ProcessLimits(seconds=60, file=200_000)
_PATIENCE = 20  # times as long on the clock: the machine may do other things too, and what never ends mostly computes


def replay(
    sources: Sequence[SourceFile],
    unit: tree.TranslationUnit,
    policy: ErrorPolicy,
    claimed: Span,
    recorded: Sequence[InputValue],
    limits: ProcessLimits | None = None,
    read: ReadHeader | None = None,
) -> ReplayResult:
    """Whether the program of `sources`, from which the unit was made, reaches the error at the line of `claimed`."""
    if unit.data_model.target is Target.ARM:
        return NotAvailable("no compiler for ARM is used")
    compiler = shutil.which("gcc")
    if compiler is None:
        return NotAvailable("gcc is not installed")
    try:
        prefix = f"{harness.PREFIX}{secrets.token_hex(8)}_"  # which the program cannot know, nor define
        program = instrumented(
            sources, unit.data_model, lambda texts: instrument(texts, unit, policy, recorded, prefix), read
        )
        with tempfile.TemporaryDirectory(prefix="interplay-replay-") as folder:
            build = _Build(Path(folder), compiler, unit.data_model)
            secret = secrets.token_hex(16)
            executable = build.executable(program, secret)
            ended = _run([str(executable)], Path(folder), limits or ProcessLimits(), {})
        return _judged(ended, secret, program, claimed, unit.data_model)
    except NotReplayable as reason:
        return NotAvailable(str(reason))
    except subprocess.TimeoutExpired:
        return NotReproduced("the replay does not end within its time limit")
    except OSError as error:
        return NotAvailable(f"the replay cannot be run: {error}")


def linking(prefix: str = harness.PREFIX) -> tuple[str, ...]:
    """The flags for linking a program with a harness whose names begin with `prefix`."""
    return (*_LINK, f"-Wl,--entry={prefix}begin")


def instrumented(
    sources: Sequence[SourceFile],
    data_model: DataModel,
    edit: Callable[[Sequence[Text]], Instrumented],
    read: ReadHeader | None = None,
) -> Instrumented:
    """`edit` of the texts as ours has them: gcc has macros of its own by which a text could tell who reads it.

    Raises `NotReplayable`.
    """
    if any(one.start is not None and STATIC in one.start.text for one in sources):
        raise NotReplayable("the start gives values to static objects within functions, which no text can name")
    try:
        expanded = _expanded(sources, data_model, read)
    except FrontendError as error:
        raise NotReplayable(str(error)) from None
    return edit([Text(one, marked_lines(one)) for one in expanded])


def _expanded(sources: Sequence[SourceFile], data_model: DataModel, read: ReadHeader | None) -> Sequence[str]:
    """The texts without macros. Raises `FrontendError`."""
    texts = [blanked(one.text) for one in sources]
    if all(is_plain(text) and not one.start and not has_macros(one) for one, text in zip(sources, texts, strict=True)):
        return [f"{line_marker(1, one.file)}{text}\n" for one, text in zip(sources, texts, strict=True)]
    from frontend.preprocessing.headers import Headers
    from frontend.preprocessing.preprocess import header_on_disk, preprocess  # only here: its library is slow to import

    headers = Headers()
    return [preprocess(one, data_model, read or header_on_disk, headers).text for one in sources]


def _judged(
    ended: subprocess.CompletedProcess[str], secret: str, program: Instrumented, claimed: Span, model: DataModel
) -> ReplayResult:
    code = ended.returncode
    if code == harness.REPORTED and ended.stdout.startswith(secret):
        place = program.errors[int(ended.stdout.removeprefix(secret))]
        if (place.file, place.line) == (claimed.file, claimed.line):
            kind = Confirmer.NATIVE_REPLAY
            return Reproduced(f"{kind} (gcc {' '.join(machine(model))})", kind)
        return NotReproduced(f"the replay reaches the error at {place} first")
    if code == -signal.SIGXCPU or code == -signal.SIGKILL:
        return NotReproduced("the replay does not end within its time limit")
    if code < 0:
        return NotReproduced(f"the program is killed by {signal.Signals(-code).name} before the error")
    return NotReproduced(_ENDS.get(code, f"the program ends with code {code}"))


def machine(model: DataModel) -> tuple[str, ...]:
    """The flags of gcc for a data model of x86."""
    return ("-m64" if model.is_64 else "-m32", *model.flags)


def sse(model: DataModel) -> tuple[str, ...]:
    """The flags by which floating-point numbers are computed on i386 as on x86-64.

    Without the last one, a `long long` that is converted to `float`, then to `long double`, is not rounded.
    """
    return () if model.is_64 else ("-msse2", "-mfpmath=sse", "-fexcess-precision=standard")


@dataclass(frozen=True, slots=True)
class _Build:
    folder: Path
    compiler: str
    model: DataModel

    def executable(self, program: Instrumented, secret: str) -> Path:
        """Preprocess, refuse what must not be built, compile and link. Raises NotReplayable."""
        self._write("declarations.h", "\n".join([*program.declarations, ""]))
        texts: list[str] = []
        built = [f"program{number}" for number in range(len(program.texts))]
        for name, text in zip(built, program.texts, strict=True):
            self._write(f"{name}.c", text)
            self._gcc("-E", "-P", "-undef", "-nostdinc", "-include", "declarations.h", f"{name}.c", "-o", f"{name}.i")
            texts.append(harmless(self._read(f"{name}.i")))
            self._write(f"{name}.i", texts[-1])
        beside = harness.beside(secret, texts, program.definitions, program.declared, program.prefix)
        names = [f"beside{number}.c" for number in range(len(beside))]
        for name, text in zip(names, beside, strict=True):
            self._write(name, text)
        several = ("-Wl,--allow-multiple-definition",) if len(built) > 1 else ()  # of inline functions
        self._gcc(
            *linking(program.prefix),
            *several,
            *(f"{name}.i" for name in built),
            *names,
            "-o",
            "replay",
        )
        return self.folder / "replay"

    def _write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="utf-8", errors="surrogateescape")

    def _read(self, name: str) -> str:
        return (self.folder / name).read_text(encoding="utf-8", errors="surrogateescape")

    def _gcc(self, *arguments: str) -> None:
        command = [self.compiler, *machine(self.model), *sse(self.model), *FLAGS, *arguments]
        environment = {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C", "TMPDIR": str(self.folder)}
        try:
            ended = _run(command, self.folder, _COMPILER_LIMITS, environment)
        except subprocess.TimeoutExpired:
            raise NotReplayable("gcc does not end within its time limit") from None
        if ended.returncode:
            lines = [line for line in ended.stderr.splitlines() if "error" in line.lower() or "undefined" in line]
            raise NotReplayable(f"gcc refuses the program: {(lines or ['it gives no reason'])[0]}")


def harmless(text: str) -> str:
    """The text without assembly and sections; NotReplayable for attributes with code outside the control flow.

    The typed tree has no assembly statement, so what is left renames symbols, which nothing here needs. Nor does
    anything depend on the section of an object or a function.
    """
    edited = Text(text)
    words = list(edited.words())
    partner = _partners(words)
    for position, word in enumerate(words[:-1]):
        end = partner.get(position + 1)
        if word.text in _ASSEMBLY:
            if end is None:
                raise NotReplayable("the program has inline assembly")
            edited.remove(word.start, words[end].end)
        elif word.text in ("__attribute__", "__attribute") and end is not None:
            names = {one.text.strip("_") for one in words[position:end]}
            if names & _FORBIDDEN_ATTRIBUTES:
                raise NotReplayable(f"the program has the attribute {min(names & _FORBIDDEN_ATTRIBUTES)}")
            for place in range(position, end):
                if words[place].text.strip("_") == "section" and place + 1 in partner:
                    edited.remove(words[place].start, words[partner[place + 1]].end)
    return edited.result()


def _partners(words: Sequence[TextToken]) -> dict[int, int]:
    """From the positions of opening parentheses to those of the closing ones."""
    found: dict[int, int] = {}
    opened: list[int] = []
    for position, word in enumerate(words):
        if word.text == "(":
            opened.append(position)
        elif word.text == ")" and opened:
            found[opened.pop()] = position
    return found


def _run(
    command: Sequence[str], folder: Path, limits: ProcessLimits, environment: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    """Run a command in `folder` under limits set by a shell: no code of ours runs between fork and exec."""
    # A limit that cannot be set is one that is lower already.
    wanted = (("c", 0), ("f", 2 * limits.file), ("t", limits.seconds), ("v", limits.memory), ("s", limits.stack))
    script = " ".join(f"ulimit -{letter} {number} 2>/dev/null;" for letter, number in wanted) + ' exec "$0" "$@"'
    process = subprocess.Popen(
        ["/bin/sh", "-c", script, *command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    try:
        output, errors = process.communicate(timeout=_PATIENCE * limits.seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise
    return subprocess.CompletedProcess(list(command), process.returncode, output, errors)
