"""Scripts in SMT-LIB 2.6 that ask whether formulas have a model, for solvers that know nothing of this program.

Numbers are integers, or, where the formulas have bit operators, bit-vectors of a given width. Subterms that occur more
than once are defined before they are used, unless a quantifier binds a symbol in them. Operators that SMT-LIB lacks are
functions without a definition: what is refuted without it is refuted.

Deviation: constant arrays, `((as const S) x)`, belong to no logic of SMT-LIB; z3, cvc5 and Bitwuzla read them in all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.terms.operators import FUNCTIONS, Treatment, integer_function, is_uninterpreted
from core.terms.smtlib_writer import smt_node, smt_symbol
from core.terms.sorts import INT, ArraySort, Sort
from core.terms.term import Op, Term, subterms

OTHER_OPERATORS = Treatment.OPAQUE


def satisfiability_script(formulas: Sequence[Term], width: int | None = None) -> str:
    """A script with the question `check-sat` about all of `formulas`; numbers have `width` bits, or are integers."""
    sort_of: Callable[[Sort], str] = str if width is None else lambda sort: _bit_sort(sort, width)
    order = list(subterms(*formulas))
    bound = {s for t in order if t.is_quantified for s in t.bound}
    lines = [f"(set-logic {_logic(order, width)})"]
    free = {s for formula in formulas for s in formula.symbols()}
    if len({smt_symbol(s.name) for s in free | bound}) < len(free | bound):
        raise ValueError("two symbols have one name")
    lines += [f"(declare-fun {smt_symbol(t.name)} () {sort_of(t.sort)})" for t in order if t in free]
    for name, arity in sorted({(integer_function(t).name, len(t.args)) for t in order if is_uninterpreted(t)}):
        lines.append(f"(declare-fun {name} ({' '.join([sort_of(INT)] * arity)}) {sort_of(INT)})")
    shared = _shared(order, bound)
    texts: dict[Term, str] = {}
    for t in order:
        arguments = [texts[a] for a in t.args]
        text = smt_node(t, arguments) if width is None else _bit_node(t, arguments, width)
        if t in shared:
            name = f"|shared {len(lines)}|"
            lines.append(f"(define-fun {name} () {sort_of(t.sort)} {text})")
            text = name
        texts[t] = text
    lines += [f"(assert {texts[formula]})" for formula in formulas]
    return "\n".join([*lines, "(check-sat)", ""])


def _shared(order: Sequence[Term], bound: set[Term]) -> set[Term]:
    """The terms that occur more than once, and in which no quantifier binds a symbol."""
    seen: set[Term] = set()
    shared: set[Term] = set()
    for t in order:
        for a in t.args:
            if a in seen and a.args and bound.isdisjoint(a.symbols()):
                shared.add(a)
            seen.add(a)
    return shared


def _logic(terms: Sequence[Term], width: int | None) -> str:
    """The smallest logic of SMT-LIB that the terms belong to, but for constant arrays."""
    arrays = "A" if any(isinstance(t.sort, ArraySort) for t in terms) else ""
    arrays += "UF" if any(map(is_uninterpreted, terms)) else ""
    if width is not None:
        return f"QF_{arrays}BV"
    quantifiers = any(t.is_quantified for t in terms)
    arithmetic = "NIA" if any(map(_is_nonlinear, terms)) else "LIA"
    if quantifiers and arrays:
        return f"AUF{arithmetic}"
    return f"{'' if quantifiers else 'QF_'}{arrays}{arithmetic}"


def _is_nonlinear(t: Term) -> bool:
    varying = [a for a in t.args if not a.is_constant]
    if t.op is Op.MULTIPLY:
        return len(varying) > 1
    return t.op in (Op.DIVIDE, Op.MODULO) and not t.args[1].is_constant


def _bit_sort(sort: Sort, width: int) -> str:
    if isinstance(sort, ArraySort):
        return f"(Array {_bit_sort(sort.index, width)} {_bit_sort(sort.element, width)})"
    return f"(_ BitVec {width})" if sort is INT else str(sort)


def _bit_node(t: Term, arguments: list[str], width: int) -> str:
    """The text of a term over those of its arguments, numbers being signed bit-vectors in which nothing overflows."""
    match t.op:
        case Op.CONSTANT if t.sort is INT:
            return _bits(t.value, width)
        case Op.LE | Op.EQ:
            return f"({'bvsle' if t.is_bound else '='} {arguments[0]} {_bits(t.value, width)})"
        case Op.LINEAR:
            products = zip(t.coefficients, arguments, strict=True)
            summands = [a if c == 1 else f"(bvmul {_bits(c, width)} {a})" for c, a in products]
            return _nested("bvadd", [*summands, *([_bits(t.constant, width)] if t.constant else [])])
        case Op.DIVIDE:
            return _euclidean(arguments, width)[0]
        case Op.MODULO:
            return _euclidean(arguments, width)[1]
        case Op.CONST_ARRAY:
            return f"((as const {_bit_sort(t.sort, width)}) {arguments[0]})"
        case _:
            function = FUNCTIONS.get(t.op)
            bits = None if function is None else function.bits
            return smt_node(t, arguments) if bits is None else _nested(bits, arguments)


def _bits(value: int, width: int) -> str:
    if not -(1 << (width - 1)) <= value < 1 << (width - 1):
        raise ValueError(f"{value} does not fit {width} bits")
    return f"(_ bv{value % (1 << width)} {width})"


def _nested(operator: str, arguments: Sequence[str]) -> str:
    result = arguments[0]
    for one in arguments[1:]:
        result = f"({operator} {result} {one})"
    return result


def _euclidean(arguments: Sequence[str], width: int) -> tuple[str, str]:
    """The quotient, and the remainder, which is never negative; those of bit-vectors round towards zero."""
    a, b = arguments
    zero, one = _bits(0, width), _bits(1, width)
    quotient, rest = f"(bvsdiv {a} {b})", f"(bvsrem {a} {b})"
    step = f"(ite (bvslt {b} {zero}) (bvneg {one}) {one})"
    size = f"(ite (bvslt {b} {zero}) (bvneg {b}) {b})"
    return (
        f"(ite (bvslt {rest} {zero}) (bvsub {quotient} {step}) {quotient})",
        f"(ite (bvslt {rest} {zero}) (bvadd {rest} {size}) {rest})",
    )
