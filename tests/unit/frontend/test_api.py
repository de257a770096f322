"""Reading again what was read before."""

import pytest

from core.program.properties import NO_KINDS
from frontend.api import Parsed, parse_sources
from frontend.lowering import UnreachCall, lower
from frontend.options import SourceFile
from frontend.typed.ctype import DataModel
from runs.serialize import encode_program

PROGRAMS = (
    "int f(long x) { return (int)x; }\nint main(void) { long y = sizeof(long); return f(y); }\n",
    "#if defined __LP64__\nlong size = 8;\n#else\nint size = 4;\n#endif\nint main(void) { return (int)size; }\n",
    "struct s { char c; void *p; };\nstruct s a[2];\nint main(void) { return (int)sizeof a; }\n",
)


@pytest.mark.parametrize("text", PROGRAMS)
def test_what_was_parsed_serves_for_other_data_models(text: str) -> None:
    parsed: Parsed = {}
    for model in (DataModel.ILP32, DataModel.LP64, DataModel.ILP32):
        sources = [SourceFile("a.c", text)]
        again, alone = (parse_sources(sources, model, parsed=known) for known in (parsed, None))
        programs = [encode_program(lower(unit, UnreachCall(), kinds=NO_KINDS)) for unit in (again, alone)]
        assert programs[0] == programs[1]
    assert len(parsed) == (2 if "#if" in text else 1)
