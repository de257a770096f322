"""The headers in resources/include, and programs that include them."""

from __future__ import annotations

import re
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path

import pytest

from frontend.api import parse_program, parse_sources
from frontend.interpreter import Exited, Inputs, run
from frontend.lowering import UnreachCall, lower
from frontend.options import Preprocessing, SourceFile, Standard
from frontend.replay.policy import error_policy
from frontend.source import Unsupported
from frontend.typed.ctype import DataModel

FOLDER = Path(str(files("resources").joinpath("include")))
HEADERS = sorted(str(path.relative_to(FOLDER)) for path in FOLDER.rglob("*.h"))


@pytest.mark.long
@pytest.mark.parametrize("model", [DataModel.ILP32, DataModel.LP64])
def test_each_alone_and_all_twice(model: DataModel) -> None:
    for header in HEADERS:
        parse_program(f"#include <{header}>\nint main(void) {{ return 0; }}\n", "a.c", model)
    every = "".join(f"#include <{header}>\n" for header in HEADERS)
    parse_program(every * 2 + "int main(void) { return 0; }\n", "a.c", model)


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
@pytest.mark.parametrize("machine", ["-m32", "-m64"])
def test_gcc_agrees(machine: str, tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("".join(f"#include <{header}>\n" for header in HEADERS) + "int main(void) { }\n")
    options = ["-std=gnu11", "-fsyntax-only", "-nostdinc", "-isystem", str(FOLDER), "-Wall", "-Wsystem-headers"]
    ran = subprocess.run(["gcc", machine, *options, "a.c"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
@pytest.mark.parametrize("machine", ["-m32", "-m64"])
def test_constants_are_those_of_the_system(machine: str, tmp_path: Path) -> None:
    """What our headers give a number, those of glibc give the same, where they have the name."""
    checks = ["#define _GNU_SOURCE", *(f"#include <{header}>" for header in HEADERS if not header.startswith("klee"))]
    for header in HEADERS:
        for name, number in re.findall(r"^#define (\w+) (\(?-?\w+\)?)$", (FOLDER / header).read_text(), re.MULTILINE):
            if number.strip("()-")[:1].isdigit() and name not in CHOSEN:
                checks += [f"#ifdef {name}", f'_Static_assert(({name}) == ({number}), "{header}: {name}");', "#endif"]
    (tmp_path / "a.c").write_text("\n".join(checks) + "\nint main(void) { }\n")
    command = ["gcc", machine, "-std=gnu11", "-fsyntax-only", "-w", "a.c"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")


CHOSEN = frozenset(("SIGRTMIN", "SIGRTMAX", "SIGSTKSZ", "CHAR_MIN", "FLT_EVAL_METHOD"))
"""Numbers that glibc asks the system for when a program runs, or that flags change."""


ORDINARY = """#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdnoreturn.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
struct pair { uint8_t first; int64_t second; };
static noreturn void fail(const char *why) { fprintf(stderr, "%s\\n", why); exit(EXIT_FAILURE); }
static void report(const char *format, ...) {
  va_list rest;
  va_start(rest, format);
  vprintf(format, rest);
  va_end(rest);
}
static int sum(int count, ...) { return count; }
int main(int argc, char **argv) {
  char text[PATH_MAX > 10 ? 16 : 1], *end;
  struct pair *p = calloc(1, sizeof *p);
  bool seen = false;
  if (!p || errno == ENOMEM) fail("memory");
  snprintf(text, sizeof text, "%" PRId64, p->second);
  p->first = (uint8_t) (isalpha(text[0]) ? toupper(text[0]) : UINT8_MAX);
  if ((end = strrchr(text, '.')) != NULL) seen = true;
  srand((unsigned) time(NULL));
  report("%d %zu\\n", rand(), offsetof(struct pair, second));
  assert(sum(2, 1, 2) == 2 && argc >= 0 && INT_MIN < 0);
  if (argc > 1 && strcmp(argv[1], "-v") == 0 && !seen) puts("verbose");
  free(p);
  return EXIT_SUCCESS;
}
"""


def test_an_ordinary_program() -> None:
    program = lower(parse_program(ORDINARY, "a.c", DataModel.LP64), None)
    assert [check.property for check in program.checks] == ["assertion"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("#include <setjmp.h>\njmp_buf b;\nint main(void) { return setjmp(b); }", "a.c:3:25: setjmp is not decided"),
        (
            "#include <stdlib.h>\nvoid f(void) { }\nint main(void) { return atexit(f); }",
            "a.c:3:25: atexit is not defined, and may call a function",
        ),
        (
            "#include <pthread.h>\nvoid *f(void *p) { return p; }\npthread_t t;\n"
            "int main(void) { return pthread_create(&t, 0, f, 0); }",
            "a.c:4:25: threads are not decided: pthread_create",
        ),
    ],
)
def test_refused(text: str, message: str) -> None:
    with pytest.raises(Unsupported) as refused:
        lower(parse_program(text, "a.c", DataModel.LP64), UnreachCall())
    assert str(refused.value).startswith(message)


# C11, and what is common of POSIX.
OF_THE_SYSTEM = [
    "assert",
    "complex",
    "ctype",
    "errno",
    "fenv",
    "float",
    "inttypes",
    "iso646",
    "limits",
    "locale",
    "math",
    "setjmp",
    "signal",
    "stdalign",
    "stdarg",
    "stdatomic",
    "stdbool",
    "stddef",
    "stdint",
    "stdio",
    "stdlib",
    "stdnoreturn",
    "string",
    "tgmath",
    "threads",
    "time",
    "uchar",
    "wchar",
    "wctype",
    "unistd",
    "fcntl",
    "sys/types",
    "sys/stat",
    "sys/wait",
    "sys/time",
    "sys/socket",
    "sys/uio",
    "sys/select",
    "netinet/in",
    "arpa/inet",
    "poll",
    "semaphore",
    "dirent",
    "regex",
    "pthread",
    "sched",
    "strings",
    "malloc",
    "memory",
    "getopt",
    "endian",
    "libgen",
    "err",
    "fnmatch",
    "glob",
    "grp",
    "netdb",
    "netinet/tcp",
    "pwd",
    "syslog",
    "sys/file",
    "sys/ioctl",
    "sys/mman",
    "sys/resource",
    "sys/times",
    "features",
    "search",
    "byteswap",
    "sys/cdefs",
    "sys/random",
    "sys/statvfs",
    "sys/epoll",
    "sys/sysmacros",
    "sys/param",
    "langinfo",
    "iconv",
    "libintl",
    "execinfo",
    "sysexits",
    "paths",
    "sys/un",
    "sys/utsname",
    "termios",
    "utime",
    "dlfcn",
    "alloca",
    "sys/param",
    "sys/syscall",
]
"""Headers that we have, too."""
OTHERS = ["aio", "fmtmsg", "ftw", "iconv", "langinfo", "monetary", "mqueue", "net/if", "nl_types", "search", "spawn"]
OTHERS += [
    "sys/epoll",
    "sys/ipc",
    "sys/msg",
    "sys/queue",
    "sys/sem",
    "sys/shm",
    "sys/statvfs",
    "tar",
    "ulimit",
    "wordexp",
]


def test_no_header_is_missing() -> None:
    assert {f"{name}.h" for name in OF_THE_SYSTEM} <= set(HEADERS)


@pytest.mark.sampled
@pytest.mark.long
@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
@pytest.mark.parametrize("headers", [[one] for one in OF_THE_SYSTEM] + [OTHERS])
@pytest.mark.parametrize(("model", "machine"), [(DataModel.ILP32, "-m32"), (DataModel.LP64, "-m64")])
def test_what_gcc_makes_of_the_headers_of_the_system(model: DataModel, machine: str, headers: list[str]) -> None:
    check_system(model, ["gcc", machine, "-E", "-"], headers)


@pytest.mark.sampled
@pytest.mark.long
@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
@pytest.mark.parametrize("headers", [[one] for one in ("complex", "math", "pthread", "stdlib", "tgmath", "wchar")])
def test_what_gcc_makes_of_their_extensions(headers: list[str]) -> None:
    check_system(DataModel.LP64, ["gcc", "-m64", "-D_GNU_SOURCE", "-E", "-"], headers)


def check_system(model: DataModel, command: list[str], headers: list[str]) -> None:
    """The headers can be read together; without the headers of the system there is nothing to show."""
    text = "".join(f"#include <{one}.h>\n" for one in headers) + "int main(void) { return 0; }\n"
    ran = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if not ran.returncode:
        lower(parse_program(ran.stdout, "a.c", model), UnreachCall())


NAMES = """#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <search.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>
#include <byteswap.h>
#include <endian.h>
static struct option options[] = { { "help", no_argument, 0, 'h' }, { 0, 0, 0, 0 } };
static void handler(int number) { (void) number; }
static int order(const void *a, const void *b) { return *(const u_char *) a - *(const u_char *) b; }
int main(int argc, char **argv) {
  struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART };
  struct timespec now;
  struct stat found;
  void *root = 0;
  u_char key = 3;
  uint count = 0;
  char text[NAME_MAX + 1];
  if (getopt_long(argc, argv, "h", options, 0) == 'h') return EAFNOSUPPORT;
  sigemptyset(&action.sa_mask);
  sigaction(SIGPIPE, &action, 0);
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (stat("x", &found) == 0 && S_ISLNK(found.st_mode) && found.st_mtime > now.tv_sec) count++;
  if (open("x", O_RDWR | O_CLOEXEC) < 0 && errno == ELOOP) count += fnmatch("a", "A", FNM_CASEFOLD);
  tsearch(&key, &root, order);
  bzero(text, sizeof text);
  snprintf(text, sizeof text, "%" PRIx8 "%" PRIoMAX, key, (uintmax_t) count);
  return bswap_32(htobe32(count)) == count ? 0 : 1;
}
"""


def test_a_program_of_many_names() -> None:
    assert "main" in parse_program(NAMES, "a.c", DataModel.LP64).functions


def test_names_beyond_the_standard_are_free_in_strict_c() -> None:
    text = "#include <stdlib.h>\n#include <string.h>\nstatic int index, uint; int main(void) { return index + uint; }\n"
    source = SourceFile("a.c", text, Preprocessing(standard=Standard.C11))
    lower(parse_sources([source], DataModel.LP64), UnreachCall())


def test_generic_and_atomic_objects() -> None:
    text = """#include <stdatomic.h>
#include <stdalign.h>
void reach_error(void);
static int of_int(int x) { return x * x; }
static long of_long(long x) { return x; }
#define SQUARE(x) _Generic((x), long: of_long, default: of_int)(x)
static _Thread_local int n;
struct { _Atomic int a; atomic_int b; } s;
int main(void) {
  int e = 2;
  n++;
  if (SQUARE(3) != 9 || SQUARE(3L) != 3 || alignof(char) != 1 || n != 1) reach_error();
  if (atomic_fetch_add(&s.b, 2) != 0 || !atomic_compare_exchange_strong(&s.b, &e, 7) || s.b != 7) reach_error();
  if (atomic_compare_exchange_strong(&s.b, &e, 8) || e != 7 || s.a != 0) reach_error();
  return 0; }
"""
    unit = parse_program(text, "a.c", DataModel.LP64)
    assert isinstance(run(unit, error_policy(unit, UnreachCall()), Inputs.of([])), Exited)
