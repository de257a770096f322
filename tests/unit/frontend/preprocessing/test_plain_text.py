"""Text that needs no preprocessor is what the preprocessor makes of it."""

from __future__ import annotations

import pytest

from frontend.api import has_macros
from frontend.options import SourceFile
from frontend.preprocessing.plain_text import blanked, is_plain, line_marker
from frontend.preprocessing.preprocess import preprocess
from frontend.replay.source_edits import Text, marked_lines
from frontend.typed.ctype import DataModel

PLAIN = [
    "int main(void) { return 0; }\n",
    '/* one\n   two */ int x; // three\nchar *s = "/* no comment */ // none"; int y = \'"\';\n',
    '# 7 "other.c" 3\nint f(void);\n#line 3 "third.c"\n\n\n\n\n\n\n\n\n\nint g(void) { return f(); }',
    "int a\f=\v1;\r\nint b;\n",
]
OTHERS = [
    "#pragma pack(1)\nstruct s { int x; };\n",
    "%:define A 1\nint x = A;\n",
    'int x; _Pragma("pack(1)") int y;\n',
    "int x = 1\\\n0;\n",
    "#define A 1\nint x = A;\n",
]


@pytest.mark.parametrize("text", PLAIN)
def test_plain_text_has_the_lines_and_words_of_preprocessed_text(text: str) -> None:
    source = SourceFile('a "file".c', text)
    assert is_plain(blanked(text))
    assert not has_macros(source)
    ours = f"{line_marker(1, source.file)}{blanked(text)}\n"
    expected = preprocess(source, DataModel.ILP32).text
    for place, start in marked_lines(expected).items():
        line = expected[start:].partition("\n")[0].rstrip()
        if line:
            assert ours[marked_lines(ours)[place] :].partition("\n")[0].rstrip() == line
    assert _words(ours) == _words(expected)


@pytest.mark.parametrize("text", OTHERS)
def test_other_text_is_not_plain(text: str) -> None:
    assert not is_plain(blanked(text))


DIGRAPHS = """%:define A(x) %:x x%:%:1 /* %:
*/ "%:" '%:'
  %: ifdef A
int a<%:>;
%:endif
"""
SIGNS = """# define A(x) # x x##  1 /* ##
*/ "%:" '%:'
  #  ifdef A
int a<%:>;
# endif
"""


def test_digraphs_of_directives_are_those_signs() -> None:
    """But not in comments, characters and strings, nor behind a longer one."""
    assert blanked(DIGRAPHS) == blanked(SIGNS)
    given, expected = (preprocess(SourceFile("a.c", text), DataModel.ILP32).text for text in (DIGRAPHS, SIGNS))
    assert given == expected
    assert has_macros(SourceFile("a.c", "%:pragma GCC optimize(0)"))


def _words(text: str) -> list[str]:
    lines = [line for line in text.split("\n") if not line.startswith("#line")]
    return [one.text for one in Text("\n".join(lines)).words()]
