"""The syntax of annotations: how formulas are nested, where things stand, and what is refused where."""

import pytest

from core.program.span import Span
from frontend.acsl import syntax
from frontend.acsl.parser import parse_annotation
from frontend.acsl.syntax import ClauseKind, Formula
from frontend.source import Annotation, FrontendError, ParseError, Unsupported


def annotation(text: str) -> Annotation:
    """As a comment in line 3 that begins in column 5."""
    lines = text.split("\n")
    return Annotation(text, Span("t.c", 3, 5, 2 + len(lines), 99))


def shape(f: Formula) -> str:
    match f:
        case syntax.Name(name=name):
            return name
        case syntax.Number(value=value):
            return str(value)
        case syntax.Real(text=text):
            return text
        case syntax.FloatPredicate(word=word, operands=operands):
            return f"{word[1:]}({', '.join(map(shape, operands))})"
        case syntax.Truth(value=truth):
            return str(truth)
        case syntax.Null() | syntax.Result():
            return type(f).__name__
        case syntax.Old(operand=operand):
            return f"old({shape(operand)})"
        case syntax.Prefix(operator=operator, operand=operand):
            return f"({operator}{shape(operand)})"
        case syntax.Infix(operator=operator, left=left, right=right):
            return f"({shape(left)} {operator} {shape(right)})"
        case syntax.Comparison(operators=operators, operands=operands):
            rest = (f" {o} {shape(x)}" for o, x in zip(operators, operands[1:], strict=True))
            return f"({shape(operands[0])}{''.join(rest)})"
        case syntax.Choice(condition=condition, then=then, otherwise=otherwise):
            return f"({shape(condition)} ? {shape(then)} : {shape(otherwise)})"
        case syntax.Subscript(base=base, index=index):
            return f"{shape(base)}[{shape(index)}]"
        case syntax.Update(array=array, index=index, value=value):
            return f"{{{shape(array)} with [{shape(index)}] = {shape(value)}}}"
        case syntax.Filled(value=value):
            return f"const({shape(value)})"
        case syntax.Selection(base=base, arrow=arrow, field=name):
            return f"{shape(base)}{'->' if arrow else '.'}{name}"
        case syntax.Conversion(type=name, operand=operand):
            return f"(({name}){shape(operand)})"
        case syntax.LeadsTo(field=name, start=start, end=end):
            return f"{name}*({shape(start)}, {shape(end)})"
        case syntax.Valid(elements=elements):
            return f"valid({elements_shape(elements)})"
        case syntax.Separated(parts=parts):
            return f"separated({', '.join(map(elements_shape, parts))})"
        case syntax.Quantified(quantor=quantor, binders=binders, body=body):
            names = ",".join(f"{one.type} {one.name}" for one in binders)
            return f"{quantor.value[1:]} {names}. {shape(body)}"


def elements_shape(f: syntax.Elements) -> str:
    bounds = [shape(one) for one in (f.low, f.high) if one is not None]
    return f"{shape(f.pointer)} + {'..'.join(bounds)}" if bounds else shape(f.pointer)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a ==> b ==> c", "(a ==> (b ==> c))"),
        ("\\valid(p) && \\allocated(q->n)", "(valid(p) && valid(q->n))"),
        ("\\valid_read(a + (0 .. n - 1))", "valid(a + 0..(n - 1))"),
        ("\\valid(a+(0..n-1))", "valid(a + 0..(n - 1))"),
        ("\\valid(a + i)", "valid(a + i..i)"),
        ("x <= 1.5e-3f && y < 0x1.8p+4", "((x <= 1.5e-3f) && (y < 0x1.8p+4))"),
        ("\\is_finite(x) || \\le_double(x, 1.)", "(is_finite(x) || le_double(x, 1.))"),
        ("\\valid(a + (0..n-1)) && x == 0x1F", "(valid(a + 0..(n - 1)) && (x == 31))"),
        ("\\separated(a + (0..9), &b, c + i)", "separated(a + 0..9, (&b), c + i..i)"),
        ("\\at(a[k], Pre) + \\at(b, Here) == \\at(c, Old)", "((old(a[k]) + b) == old(c))"),
        ("\\forall struct node *x, *y; \\list(n, x)", "forall struct node * x,struct node * y. n*(x, Null)"),
        ("a <==> b ==> c || d && e", "(a <==> (b ==> (c || (d && e))))"),
        ("a | b ^ c & d < e", "(a | (b ^ (c & (d < e))))"),
        ("0 <= i < n && i != -1", "((0 <= i < n) && (i != (-1)))"),
        ("a - b - c * d << 1 + 2", "(((a - b) - (c * d)) << (1 + 2))"),
        ("!a.b->c[i + 1] && *p == &x", "((!a.b->c[(i + 1)]) && ((*p) == (&x)))"),
        ("a ? b : c ? d : e", "(a ? b : (c ? d : e))"),
        ("x && \\forall integer i, j; 0 <= i < j ==> a[i] <= a[j] || y",
         "(x && forall integer i,integer j. ((0 <= i < j) ==> ((a[i] <= a[j]) || y)))"),
        ("\\exists unsigned int i; i == 0x1F && '\\n' == '\\x0a' && 017u == 1", None),
        ("\\result == \\old(x + 1) && p != \\null && \\true && !\\false", None),
        ("positive: x > 0", "(x > 0)"),
    ],
)  # fmt: skip
def test_nesting(text: str, wanted: str | None) -> None:
    (clause,) = parse_annotation(annotation(f" assert {text};"))
    assert clause.formula is not None
    if wanted is not None:
        assert shape(clause.formula) == wanted


def test_constants() -> None:
    (clause,) = parse_annotation(annotation("assert 0x1F + 017u + '\\n' + '\\x41' + '\\101' + 0b11 + 10L;"))
    assert clause.formula is not None
    assert shape(clause.formula) == "((((((31 + 15) + 10) + 65) + 65) + 3) + 10)"


def test_clauses_and_places() -> None:
    text = " requires x\n    @   > 0; // why\n    @ ensures \\result == 1;\n    @ assigns \\nothing; @"
    first, second, third = parse_annotation(annotation(text))
    assert [first.kind, second.kind, third.kind] == [ClauseKind.REQUIRES, ClauseKind.ENSURES, ClauseKind.FRAME]
    assert first.text == "requires x > 0"
    assert first.span == Span("t.c", 3, 9, 4, 13)
    assert second.span == Span("t.c", 5, 7, 5, 28)
    assert second.formula is not None
    assert second.formula.span == Span("t.c", 5, 15, 5, 27)
    assert third.formula is None


@pytest.mark.parametrize(
    ("text", "error", "place", "words"),
    [
        ("", ParseError, "3:8", "expected a clause in this annotation, found the end of the annotation"),
        (" assert x", ParseError, "3:17", "expected ';'"),
        (" assert x >;", ParseError, "3:19", "expected a formula in this annotation, found ';'"),
        (" assert (x;", ParseError, "3:18", "expected ')'"),
        (" assert x\n  # y;", ParseError, "4:3", "'#' means nothing"),
        (" assert a < b > c;", ParseError, "3:16", "do not make a chain"),
        (" assert a != b != c;", ParseError, "3:16", "do not make a chain"),
        (" predicate p(int x) = x > 0;", Unsupported, "3:9", "'predicate' is not decided"),
        (" assert \\valid(p + (0 .. 3) + 1);", ParseError, "3:36", "expected ')'"),
        (" assert \\reach(next, x);", ParseError, "3:30", "expected ','"),
        (" assert \\list(p->next, x);", ParseError, "3:23", "expected ','"),
        (" assert \\at(x, LoopEntry) == 1;", Unsupported, "3:23", "states at LoopEntry"),
        (" assert \\initialized(x);", Unsupported, "3:16", "\\initialized is not decided"),
        (" assert f(x) == 1;", Unsupported, "3:16", "the logic function f is not decided"),
        (" assert (int) x == 1;", Unsupported, "3:16", "casts"),
        (" assert \\forall real r; r > 0;", Unsupported, "3:24", "only integers"),
        (" assert x == 1.5q;", Unsupported, "3:21", "this number"),
        (" assert x == 'ab';", ParseError, "3:21", "malformed character"),
        (" assert \\forall integer; x;", ParseError, "3:31", "expected a name"),
        (" behavior b: assumes x;", Unsupported, "3:9", "'behavior'"),
    ],
)
def test_what_is_refused_is_located(text: str, error: type[FrontendError], place: str, words: str) -> None:
    with pytest.raises(error) as caught:
        parse_annotation(annotation(text))
    assert type(caught.value) is error
    assert str(caught.value).startswith(f"t.c:{place}: ")
    assert words in str(caught.value)
