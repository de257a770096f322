"""The C texts beside the program in a native replay: see `resources/replay/harness.c`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from core.pattern import pattern
from frontend.libc.texts import (
    ALIGNED,
    APART,
    CONVERSION,
    FAILS,
    FLOAT_STEP,
    NUMBERS,
    TRUTH,
    plain_files,
    plain_functions,
    text_of,
)
from frontend.typed.library_table import BUILTIN, library_function
from resources import resource_text

PREFIX = "interplay_"
"""The beginning of the names in the text of the harness; each replay has another one in its place."""

ELSEWHERE_SECTION = ".interplay_elsewhere"
"""The section of memory that the program does not make."""

ABORTED, ENDED, VIOLATED, EXHAUSTED, REPORTED = 81, 82, 83, 84, 77
"""Exit codes: of abort, of exit or a return from main, of a violated assumption, of a full heap, of an error."""

_WORD = pattern(r"\w+")
_DEFINED = pattern(r"(?m)^(?:WEAK |static |void )[\w *]*?\b(\w+)\(")


def beside(
    secret: str, program: Sequence[str], definitions: Sequence[str], declared: Collection[str], prefix: str = PREFIX
) -> Sequence[str]:
    """The texts of the files beside a program: one, since the compiler takes longer to start than to compile it. Where
    the program has `declared` a name of the harness, two, which may differ about its type.
    """
    first, second = harness(secret, (*program, *definitions), prefix), inputs(definitions, prefix)
    is_apart = not {*_WORD.findall(first)}.isdisjoint(declared)
    return (first, second) if is_apart else (f"{first}\n{second}",)


def harness(secret: str, texts: Iterable[str], prefix: str = PREFIX) -> str:
    """The text of the harness for preprocessed texts; an error writes `secret` and its number before it ends the
    process. To compile all of it and of the C library would take longer than everything else.

    Its names begin with `prefix`. With one that the program does not have, the program can neither define nor call it.
    """
    program = [text.replace(prefix, PREFIX) for text in texts]
    codes = {"REPORTED": REPORTED, "ENDED": ENDED, "ABORTED": ABORTED, "VIOLATED": VIOLATED, "EXHAUSTED": EXHAUSTED}
    defined = [f"#define INTERPLAY_{name} {code}" for name, code in codes.items()]
    text = resource_text("replay", "harness.c")
    library = plain_files([text, *program])
    bodies = [text_of(file) for file in library]
    parts = [
        "typedef __SIZE_TYPE__ size_t;",
        "static int __VERIFIER_nondet_order(void) { return 1; }",
        "static int __VERIFIER_nondet_truth(void) { return 1; }",
        "static int __VERIFIER_nondet_failure(void) { return 0; }",
        "static int __VERIFIER_nondet_input(void) { return -1; }",
        "static char __VERIFIER_nondet_character(void) { return 0; }",
        "static size_t __VERIFIER_nondet_length(void) { return 0; }",
        *(f"static {type_} {name}(void) {{ return 0; }}" for type_, name in NUMBERS.items()),
        f"static int {CONVERSION}(void) {{ return 0; }}",
        f"static int {TRUTH}(void) {{ return 1; }}",
        f"static int {FAILS}(void) {{ return 0; }}",
        f"#define {ALIGNED} {PREFIX}aligned",
        f"#define {APART}(...) ((void)0)",
        "WEAK int errno; static char *interplay_strtok; static char interplay_message[64];",
        "typedef __typeof__((char *) 0 - (char *) 0) interplay_ssize;",
        *(f"#pragma weak {name}" for name, file in plain_functions().items() if file in library),
        *bodies,
    ]
    text = "\n".join([text, *_parts([*program, *bodies])])
    head = [f'#define INTERPLAY_SECRET "{secret}"', "#define INTERPLAY_FILL 0", *defined]
    return "\n".join([*head, "\n".join([text, *parts]).replace(PREFIX, prefix)])


def _parts(texts: Sequence[str]) -> Iterable[str]:
    """The parts of the harness that these texts may need."""
    words = {word.removeprefix(BUILTIN).removeprefix("__") for text in texts for word in _WORD.findall(text)}
    for name in ("heap.c", "blocks.c"):
        text = resource_text("replay", name)
        if not words.isdisjoint(_DEFINED.findall(text)):
            yield text
    if any("/" in text or "%" in text for text in texts):
        yield resource_text("replay", "division.c")
    if any(FLOAT_STEP in text for text in texts):
        yield resource_text("replay", "floats.c")


def is_defined(name: str) -> bool:
    """Whether the harness defines the function with its meaning. Names of `__builtin_` are the compiler's."""
    function = library_function(name)
    return function.name == name and (function.replay or function.is_plain)


def inputs(definitions: Sequence[str], prefix: str = PREFIX) -> str:
    """The text of the functions that stand for inputs and errors."""
    declared = f"extern void {prefix}error(int), {prefix}abort(void); extern int main();"
    return "\n".join(["#define WEAK __attribute__((weak))", declared, *definitions, ""])
