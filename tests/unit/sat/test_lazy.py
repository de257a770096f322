"""The library is loaded lazily."""

import subprocess
import sys


def test_importing_loads_no_library() -> None:
    code = "import sys, sat; sys.exit(any(m in sys.modules for m in ('pysat', 'pysolvers')))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
