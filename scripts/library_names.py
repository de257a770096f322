"""Writes `resources/libc/names.txt`: the functions that a C library defines, as Debian 12 has them.

They are what glibc exports and what the headers of C11 and POSIX.1-2008 declare or define as macros with arguments.
Run as `python -m scripts.library_names`.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path

TARGET = Path(__file__).parents[1] / "resources" / "libc" / "names.txt"
LATER = ("strlcat", "strlcpy")
"""Functions of the BSDs that glibc has since 2.38."""
LIBRARIES = ("libc.so.6", "libm.so.6")
HEADERS = (
    "aio arpa/inet assert complex cpio ctype dirent dlfcn errno fcntl fenv float fmtmsg fnmatch ftw glob grp iconv "
    "inttypes iso646 langinfo libgen limits locale math monetary mqueue net/if netdb netinet/in netinet/tcp nl_types "
    "poll pthread pwd regex sched search semaphore setjmp signal spawn stdalign stdarg stdatomic stdbool stddef stdint "
    "stdio stdlib stdnoreturn string strings sys/ipc sys/mman sys/msg sys/resource sys/select sys/sem sys/shm "
    "sys/socket sys/stat sys/statvfs sys/time sys/times sys/types sys/uio sys/un sys/utsname sys/wait syslog tar "
    "termios tgmath threads time uchar ulimit unistd utime utmpx wchar wctype wordexp"
)
_EXPORTED = re.compile(r"^[0-9a-f]+ [TWi] (\w+)@@?(?!GLIBC_PRIVATE)", re.MULTILINE)
_DECLARED = re.compile(r"[ *(](\w+) \(")
_MACRO = re.compile(r"^#define ([a-z]\w*)\(", re.MULTILINE)


def main() -> None:
    """Write the file."""
    names = sorted({*exported(), *declared(), *LATER})
    head = "# Written by scripts/library_names.py: functions of a C library (Debian 12: glibc 2.36, gcc 12), "
    head += " and ".join(LATER) + "."
    TARGET.write_text("\n".join([head, *textwrap.wrap(" ".join(names), 118, break_on_hyphens=False), ""]))


def exported() -> Iterator[str]:
    """The functions that the shared objects of the library offer to programs."""
    for library in LIBRARIES:
        file = _output("gcc", f"-print-file-name={library}").strip()
        yield from _EXPORTED.findall(_output("nm", "-D", "--defined-only", file))


def declared() -> Iterator[str]:
    """The functions and the macros with arguments of the headers."""
    text = "#define _GNU_SOURCE\n" + "".join(f"#include <{header}.h>\n" for header in HEADERS.split())
    with tempfile.TemporaryDirectory() as folder:
        source, listing = Path(folder, "all.c"), Path(folder, "all.X")
        source.write_text(text)
        _output("gcc", "-w", "-fsyntax-only", "-aux-info", str(listing), str(source))
        for line in listing.read_text().splitlines():
            yield from _DECLARED.findall(line.partition("*/")[2])[:1]
        yield from _MACRO.findall(_output("gcc", "-E", "-dM", str(source)))


def _output(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    main()
