"""The bodies in `resources/libc` and the C library itself, on the same random strings and numbers."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from frontend.libc.texts import APART, CONVERSION, NUMBERS, TRUTH, plain_functions, text_of
from resources import resource_text

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")


@pytest.mark.long
def test_bodies_do_what_the_library_does(tmp_path: Path) -> None:
    renamed = [f"#define {name} own_{name}" for name in sorted(plain_functions())]
    restored = [f"#undef {name}" for name in sorted(plain_functions())]
    own = [
        "#include <stddef.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <errno.h>\n"
        '#define INPUT "ab\\ncdef\\n\\nghi"',
        "void *malloc(size_t); static int __VERIFIER_nondet_order(void) { return 1; } static char *interplay_strtok;"
        "static char interplay_message[64]; typedef ssize_t interplay_ssize; static void (*signal_handlers[65])(int);"
        "static int __VERIFIER_nondet_input(void) { static const char *at = INPUT; return *at ? *at++ : -1; }"
        "static char __VERIFIER_nondet_character(void) { return (char) __VERIFIER_nondet_input(); }"
        "static int __VERIFIER_nondet_truth(void) { return 1; }"
        "static int __VERIFIER_nondet_failure(void) { return 0; }"
        "static int __interplay_fails(void) { return 0; }"
        "static void *__interplay_aligned(size_t alignment, size_t size) { return aligned_alloc(alignment, size); }"
        "static size_t __VERIFIER_nondet_length(void) { return 3; }"
        f"static int {CONVERSION}(void) {{ return 7; }}",
        f"static int {TRUTH}(void) {{ return 7; }}",
        *(f"static {type_} {name}(void) {{ return 0; }}" for type_, name in NUMBERS.items()),
        f"#define {APART}(...) ((void)0)",
        resource_text("replay", "floats.c"),
        *renamed,
        *(text_of(file) for file in dict.fromkeys(plain_functions().values())),
        *restored,
        Path(__file__).with_name("against_glibc.c").read_text(encoding="latin-1"),
    ]
    (tmp_path / "all.c").write_text("\n".join(own), encoding="latin-1")
    flags = ["-O1", "-w", "-fwrapv", "-D_GNU_SOURCE", "-fsanitize=address,undefined", "-fno-sanitize-recover"]
    flags += ["-fno-sanitize=signed-integer-overflow"]
    subprocess.run(["gcc", *flags, "all.c", "-o", "all"], cwd=tmp_path, check=True)
    environment = {"ASAN_OPTIONS": "detect_leaks=0"}
    ended = subprocess.run([tmp_path / "all"], capture_output=True, text=True, check=False, env=environment)
    assert ended.returncode == 0, ended.stdout + ended.stderr


@pytest.mark.long
@pytest.mark.parametrize("machine", [["-m64"], ["-m32", "-msse2", "-mfpmath=sse"]], ids=" ".join)
def test_functions_of_math_h_are_those_of_the_library(machine: list[str], tmp_path: Path) -> None:
    """With the steps of a native replay, bit by bit, and with the same errno."""
    files = {file for file in plain_functions().values() if file.startswith("math_")}
    names = [name for name, file in plain_functions().items() if file in files]
    text = [
        "#include <errno.h>\n#include <math.h>\n#include <stdio.h>\n#undef isnan\n#undef isinf",
        f"static int {CONVERSION}(void) {{ return 0; }}",
        f"static int {TRUTH}(void) {{ return 1; }}",
        resource_text("replay", "floats.c"),
        *(f"#define {name} own_{name}" for name in names),
        *(text_of(file) for file in sorted(files)),
        *(f"#undef {name}" for name in names),
        "#define signbit(x) __builtin_signbit(x)",
        Path(__file__).with_name("math_against_glibc.c").read_text(encoding="utf-8"),
    ]
    (tmp_path / "all.c").write_text("\n".join(text), encoding="utf-8")
    flags = [*machine, "-O0", "-w", "-fno-builtin", "-ffp-contract=off", "-D_GNU_SOURCE"]
    subprocess.run(["gcc", *flags, "all.c", "-o", "all", "-lm"], cwd=tmp_path, check=True)
    ended = subprocess.run([tmp_path / "all"], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout[:2000]
