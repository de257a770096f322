"""Runs by gcc: the program of a task in the harness of the native replay, with inputs by formula and a trace."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from core.terms import Value
from frontend.options import SourceFile
from frontend.properties.errors import ErrorPolicy
from frontend.replay import harness
from frontend.replay.instrument import Instrumented, NotReplayable, SourceInstrumentation
from frontend.replay.native import FLAGS, harmless, instrumented, linking, machine, sse
from frontend.replay.source_edits import Text
from frontend.typed import tree
from frontend.typed.ctype import DataModel
from frontend.typed.library_table import library_functions
from frontend.typed.traversal import unit_nodes
from tests.three_way.inputs import FILL, FORMULA, Vector, drawing
from tests.three_way.interpreted import globals_of, listed
from tests.three_way.run import MAX_CALLS, End, Run

_CUT, _RETURNED = 85, 86
_SECRET = "three-way "
_BLOCKS = 20_000_000  # basic blocks that a run may execute
_TRACED = ("-ftrivial-auto-var-init=pattern", "-fsanitize-coverage=trace-pc", "-finstrument-functions")
_EXCLUDED = ("-finstrument-functions-exclude-file-list=inputs.c",)

_TRACE = f"""
#define INTERPLAY_READ {{read}}
static unsigned interplay_calls[{MAX_CALLS}], interplay_count, interplay_blocks, interplay_over;
extern void interplay_dump(void);
static void interplay_sent(const void *p, unsigned long n)
{{{{
    const char *bytes = p;
    while (n) {{{{
        long done = interplay_system(INTERPLAY_WRITE, 2, (long)bytes, n);
        if (done <= 0) return;
        bytes += done, n -= done;
    }}}}
}}}}
void interplay_bytes(unsigned number, const void *p, unsigned long n)
{{{{
    unsigned head[2] = {{{{number, n}}}};
    interplay_sent(head, sizeof head);
    interplay_sent(p, n);
}}}}
static void interplay_before_end(void)
{{{{
    if (interplay_over++) return;
    interplay_bytes(1, interplay_calls, 4 * interplay_count);
    interplay_dump();
}}}}
static void interplay_end(int code);
void __sanitizer_cov_trace_pc(void)
{{{{
    if (!interplay_over && ++interplay_blocks > {_BLOCKS}u) interplay_end({_CUT});
}}}}
void __cyg_profile_func_enter(void *f, void *site)
{{{{
    if (!interplay_over && interplay_count < {MAX_CALLS}) interplay_calls[interplay_count++] = (unsigned)(long)f;
}}}}
void __cyg_profile_func_exit(void *f, void *site) {{{{ }}}}
"""


class _ByFormula(SourceInstrumentation):
    draws = True

    def source(self, name: str, call: tree.Call, values: Sequence[Value]) -> str:
        return drawing(name, call)


@dataclass
class Native:
    """Builds programs of one data model below `folder`; the harness is compiled once."""

    folder: Path
    model: DataModel
    _ready: bool = field(default=False)

    def build(self, source: str, unit: tree.TranslationUnit, policy: ErrorPolicy) -> Executable:
        """Raises NotReplayable."""
        if not self._ready:
            self._write("harness.c", _harness(self.model))
            self._gcc("-c", "harness.c", "-o", "harness.o")
            self._ready = True
        program = instrumented(
            [SourceFile(unit.file, source)], unit.data_model, lambda texts: _edited(texts[0], unit, policy)
        )
        functions = [name for name, one in unit.functions.items() if one.body is not None]
        self._write("declarations.h", "\n".join([*program.declarations, ""]))
        self._write("program.c", program.texts[0] + _dump(unit, functions))
        self._write("inputs.c", harness.inputs(program.definitions))
        self._gcc("-E", "-P", "-undef", "-nostdinc", "-include", "declarations.h", "program.c", "-o", "program.i")
        path = self.folder / "program.i"
        self._write("program.i", harmless(path.read_text(encoding="utf-8", errors="surrogateescape")))
        self._gcc(*_TRACED, *_EXCLUDED, *linking(), "program.i", "inputs.c", "harness.o", "-o", "program")
        return Executable(self.folder / "program", unit, functions, program)

    def _write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="utf-8", errors="surrogateescape")

    def _gcc(self, *arguments: str) -> None:
        environment = {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C"}
        command = ["gcc", *machine(self.model), *sse(self.model), *FLAGS, *arguments]
        ended = subprocess.run(
            command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False, timeout=600
        )
        if ended.returncode:
            lines = [line for line in ended.stderr.splitlines() if "error" in line.lower() or "undefined" in line]
            raise NotReplayable(f"gcc refuses the program: {(lines or ['it gives no reason'])[0]}")


@dataclass(frozen=True)
class Executable:
    path: Path
    unit: tree.TranslationUnit
    functions: Sequence[str]
    program: Instrumented

    def run(self, vector: Vector) -> Run:
        script = 'ulimit -c 0; ulimit -t 5; ulimit -f 0; ulimit -v 3000000; ulimit -s 250000 2>/dev/null; exec "$0"'
        ended = subprocess.run(
            ["/bin/sh", "-c", script, str(self.path)],
            env={},
            input=vector.kind.to_bytes(4, "little") + vector.seed.to_bytes(4, "little"),
            capture_output=True,
            check=False,
            timeout=600,
        )
        code = ended.returncode
        if code < 0 or code > 128:
            return Run(End.KILLED, detail=signal.Signals(-code if code < 0 else code - 128).name)
        records = list(_records(ended.stderr))
        addresses = next((_words(data, self.unit) for number, data in records if number == 0), [])
        names = dict(zip(addresses, self.functions, strict=True)) if addresses else {}
        entered = next((_unsigned(data, 4) for number, data in records if number == 1), [])
        calls = tuple(names.get(one, "?") for one in entered)
        objects = listed(self.unit)
        contents = {objects[number - 2][0].name: data for number, data in records if number >= 2}
        line = 0
        if code == harness.REPORTED:
            line = self.program.errors[int(ended.stdout.decode().removeprefix(_SECRET))].line
        return Run(_end(code), line, calls, globals_of(self.unit, contents), f"exit code {code}")


def _end(code: int) -> End:
    return {harness.REPORTED: End.ERROR, _RETURNED: End.RETURNED, _CUT: End.CUT, harness.EXHAUSTED: End.CUT}.get(
        code, End.STOPPED
    )


def _records(data: bytes) -> list[tuple[int, bytes]]:
    found: list[tuple[int, bytes]] = []
    while len(data) >= 8:
        number, size = int.from_bytes(data[:4], "little"), int.from_bytes(data[4:8], "little")
        found.append((number, data[8 : 8 + size]))
        data = data[8 + size :]
    return found


def _words(data: bytes, unit: tree.TranslationUnit) -> list[int]:
    return [one & 0xFFFFFFFF for one in _unsigned(data, unit.data_model.pointer_size)]


def _unsigned(data: bytes, size: int) -> list[int]:
    return [int.from_bytes(data[i : i + size], "little") for i in range(0, len(data), size)]


def _edited(text: Text, unit: tree.TranslationUnit, policy: ErrorPolicy) -> Instrumented:
    work = _ByFormula(text, unit, policy, [], Instrumented())
    for node in unit_nodes(unit):
        work.visit(node)
    work.stubs()
    work.result.texts.append(text.result())
    return work.result


def _dump(unit: tree.TranslationUnit, functions: Sequence[str]) -> str:
    """The code that shows the addresses of functions and the bytes of globals at the end of a run."""
    lines = ["", "extern void interplay_bytes(unsigned, const void *, unsigned long);"]
    listed_functions = ", ".join(f"(void *){name}" for name in functions)
    lines.append("void interplay_dump(void) {")
    lines.append(f"void *interplay_f[] = {{{listed_functions}}}; interplay_bytes(0, interplay_f, sizeof interplay_f);")
    for number, (one, _) in enumerate(listed(unit), 2):
        lines.append(f"interplay_bytes({number}, (const void *)&{one.source_name}, sizeof {one.source_name});")
    return "\n".join([*lines, "}", ""])


def _harness(model: DataModel) -> str:
    text = harness.harness(_SECRET, ("/", *(one.name for one in library_functions() if harness.is_defined(one.name))))
    read = "0" if model.is_64 else "3"
    for old, new in (
        ("#define INTERPLAY_FILL 0", f"#define INTERPLAY_FILL {FILL}"),
        ("static void interplay_end(int code)\n{", _TRACE.format(read=read) + FORMULA
         + "static void interplay_end(int code)\n{ interplay_before_end();"),
        ("    interplay_run();\n    interplay_end(INTERPLAY_ENDED);",
         "    interplay_system(INTERPLAY_READ, 0, (long)&interplay_kind, 4);\n"
         "    interplay_system(INTERPLAY_READ, 0, (long)&interplay_seed, 4);\n"
         f"    interplay_run();\n    interplay_end({_RETURNED});"),
    ):  # fmt: skip
        if old not in text:
            raise AssertionError(f"the harness has no {old!r}")
        text = text.replace(old, new)
    return text
