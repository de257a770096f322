"""Printing of terms: C expressions with ACSL's logic, mathematical notation, SMT-LIB.

The one printer of formulas: windows, command line, reports and steering differ in the names that they give it alone.
What is written in C is read again by `frontend/conditions.py`, as an equivalent term.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from core.terms.bounds_text import joined_texts, literal_of, literal_text, one_text, parts_of
from core.terms.linear_text import conversion_text, number_text, sum_text
from core.terms.notation import (
    AND,
    ATOM,
    COMPARE,
    ITE,
    MATH,
    OR,
    PRODUCT,
    SUM,
    UNARY,
    C,
    FormulaPart,
    InfixText,
    InfixTexts,
    Notation,
    SymbolNames,
    TermOrder,
    WithBound,
)
from core.terms.operators import Treatment
from core.terms.sorts import INT
from core.terms.term import Op, Term, subterms
from core.terms.wraparound import (
    BoundsOf,
    IntegerCast,
    LinearLiteral,
    Sum,
    chosen_sum,
    plain_literal,
    plain_sum,
    with_conversions,
)

OTHER_OPERATORS = Treatment.EXACT

_BITS = {Op.BIT_AND: "&", Op.BIT_OR: "|", Op.BIT_XOR: "^", Op.SHIFT_LEFT: "<<", Op.SHIFT_RIGHT: ">>"}


def to_math(t: Term, order: TermOrder = tuple, names: SymbolNames | None = None) -> str:
    """The text of `t` in mathematical notation; without `names` with those of symbols."""
    return _infix(t, MATH if names is None else replace(MATH, names=names), order)


def to_readable_c(
    t: Term,
    bounds: BoundsOf = lambda _: None,
    order: TermOrder = tuple,
    names: SymbolNames | None = None,
    *,
    in_conjunction: bool = False,
) -> str:
    """The text of `t` for display: as `to_c`, but large numbers as `2³² - 1`, what wraps around as a conversion, and
    joined bounds as `0 <= i < n`.

    All is exact over the integers, so `(int)(x + 1)` adds without bounds and converts the sum to an int. `bounds` knows
    symbols; what their values do not show to be a conversion is written as it is. `in_conjunction`: it has the
    parentheses that it needs there.
    """
    notation = _readable(t, bounds, names)
    return _in_context(_texts(t, notation, order), notation)(t, COMPARE if in_conjunction else ITE)


def _readable(t: Term, bounds: BoundsOf, names: SymbolNames | None) -> Notation:
    def never_negative(symbol: Term) -> bool:
        known = bounds(symbol)
        return known is not None and known[0] >= 0

    signs = _signs(t, never_negative)
    return replace(C, rounds_down=lambda part: signs[part], bounds=bounds, names=names or C.names)


def to_readable_conjuncts(
    t: Term,
    bounds: BoundsOf = lambda _: None,
    order: TermOrder = tuple,
    names: SymbolNames | None = None,
    *,
    in_conjunction: bool = False,
) -> tuple[str, ...]:
    """The texts of the conjuncts of `t` for display: each stands alone, or together they are a conjunction."""
    notation = _readable(t, bounds, names)
    if not t.is_conjunction:
        return (_infix(t, notation, order),)
    notation = _for_floats(notation, t)
    texts, level = _texts(t, notation, order), COMPARE if in_conjunction else ITE
    return tuple(joined_texts(parts_of(t, notation, order), _in_context(texts, notation), notation, level))


def to_c(t: Term, never_negative: Callable[[Term], bool] = lambda _: False, order: TermOrder = tuple) -> str:
    """The text of `t` as a C expression over source names: exact over the integers, where no operation overflows.

    `never_negative` knows symbols whose values are not; divisions of what may be negative are longer. Divisors that
    are no constants are taken to be positive there.
    """
    signs = _signs(t, never_negative)
    return _infix(t, replace(C, rounds_down=lambda part: signs[part]), order)


def _signs(t: Term, never_negative: Callable[[Term], bool]) -> Mapping[Term, bool]:
    """Whether each part is shown never to be negative."""
    signs: dict[Term, bool] = {}
    for part in subterms(t):
        signs[part] = never_negative(part) if part.is_symbol else _is_never_negative(part, signs)
    return signs


def _is_never_negative(t: Term, signs: Mapping[Term, bool]) -> bool:
    """Whether the operator of `t` shows that it is never negative, given the same about its arguments."""
    match t.op:
        case Op.CONSTANT:
            return t.sort is INT and t.value >= 0
        case Op.MODULO:
            return True
        case Op.LINEAR:
            summands = zip(t.coefficients, t.args, strict=True)
            return t.constant >= 0 and all(c >= 0 and signs[a] for c, a in summands)
        case Op.BIT_AND:
            return signs[t.args[0]] or signs[t.args[1]]
        case Op.ITE:
            return signs[t.args[1]] and signs[t.args[2]]
        case Op.SELECT:
            return signs[t.args[0]]
        case Op.MULTIPLY | Op.DIVIDE | Op.BIT_OR | Op.BIT_XOR | Op.SHIFT_RIGHT | Op.SHIFT_LEFT:
            return all(signs[a] for a in t.args)
        case _:
            return False


def _infix(root: Term, notation: Notation, order: TermOrder) -> str:
    return _texts(root, notation, order)[root][0]


def _texts(root: Term, notation: Notation, order: TermOrder) -> Mapping[Term, InfixText]:
    texts: dict[Term, InfixText] = {}
    notation = _for_floats(replace(notation, names=WithBound(notation.names, root)), root)
    for t in subterms(root):
        texts[t] = _infix_node(t, _in_context(texts, notation), notation, order)
    return texts


def _for_floats(n: Notation, root: Term) -> Notation:
    """The notation, which knows whether the formula speaks of floating-point numbers."""
    parts = (t for t in subterms(root) if t.sort is INT)
    has_floats = any(t.op is Op.FLOAT or ((t.is_symbol or t.is_select) and n.names.float_type(t)) for t in parts)
    return replace(n, has_floats=True) if has_floats else n


def _in_context(texts: Mapping[Term, InfixText], n: Notation) -> InfixTexts:
    def arg(a: Term | IntegerCast, level: int) -> str:
        text, strength = texts[a] if isinstance(a, Term) else conversion_text(a, texts, n)
        return text if strength >= level else f"({text})"

    return arg


def _infix_node(t: Term, arg: InfixTexts, n: Notation, order: TermOrder) -> InfixText:
    match t.op:
        case Op.FLOAT | Op.LINEAR | Op.ITE if n.has_floats and (number := _number(t, arg, n)) is not None:
            return number
        case Op.CONSTANT:
            if isinstance(t.payload, bool):
                return (("true" if t.payload else "false") if n.is_math else str(int(t.payload))), ATOM
            return number_text(t.value, n)
        case Op.SYMBOL:
            text = n.names.symbol(t)
            return text, UNARY if text.startswith("&") else ATOM
        case Op.NOT:
            return _negation(t, arg, n)
        case Op.AND | Op.OR:
            return _connected(t.op, parts_of(t, n, order), arg, n)
        case Op.IFF:
            literal = literal_of(t, n)
            if literal is not None:
                return literal_text(literal, arg, n)
            # An equivalence binds weakly in mathematics, as an equality in C.
            return f"{arg(t.args[0], SUM)}{n.iff}{arg(t.args[1], SUM)}", ITE if n.is_math else COMPARE
        case Op.ITE:
            return _choice(t, arg, n)
        case Op.LINEAR:
            return sum_text(plain_sum(t), arg, n)
        case Op.LE | Op.EQ:
            literal = plain_literal(t)
            assert literal is not None
            return literal_text(literal, arg, n)
        case Op.MULTIPLY:
            return n.times.join(arg(a, UNARY) for a in t.args), PRODUCT
        case Op.DIVIDE | Op.MODULO:
            return _division(t, arg, n)
        case op if op in _BITS:
            # Weaker than everything, since C lets comparisons bind more tightly than these.
            return f"{arg(t.args[0], UNARY)} {_BITS[op]} {arg(t.args[1], UNARY)}", ITE
        case Op.SELECT:
            return _element(t, arg, n)
        case Op.STORE:
            array, index, value = (arg(one, level) for one, level in zip(t.args, (ATOM, ITE, ITE), strict=True))
            written = f"{array}[{index} ↦ {value}]" if n.is_math else f"{{{array} \\with [{index}] = {value}}}"
            return written, ATOM
        case Op.CONST_ARRAY:
            value = arg(t.args[0], ITE)
            return f"[{value}…]" if n.is_math else f"\\const({value})", ATOM
        case Op.FORALL:
            return _universal(t, arg, n)
        case op:
            return f"{op.name.lower()}({', '.join(arg(a, ITE) for a in t.args)})", ATOM


def _number(t: Term, arg: InfixTexts, n: Notation) -> InfixText | None:
    """The text of a floating-point number that is computed or chosen; None for what is no number."""
    from core.terms import float_text  # what only programs with such numbers need

    if t.op is Op.FLOAT:
        return float_text.operation_text(t, arg)
    opposite = float_text.negated_number(t, n.names)
    if opposite is not None:
        return f"-{arg(opposite, ATOM)}", UNARY
    f = float_text.float_format(t, n.names)
    if f is None:
        return None
    condition, then, otherwise = arg(t.args[0], OR), *(float_text.number_in(f, one, arg, OR) for one in t.args[1:])
    return f"{condition} ? {then} : {otherwise}", ITE


def _element(t: Term, arg: InfixTexts, n: Notation) -> InfixText:
    """An element of an array: as the source writes it, else with its index."""
    named = n.names.element(t)
    if named is None:
        return f"{arg(t.args[0], ATOM)}[{arg(t.args[1], ITE)}]", ATOM
    text = ""
    for piece in named.pieces:
        match piece:
            case str():
                text += piece
            case Sum():
                text += sum_text(piece, arg, n)[0]
            case _:
                text += arg(piece, UNARY if named.is_prefix else ATOM)
    return text, UNARY if named.is_prefix else ATOM


def _universal(t: Term, arg: InfixTexts, n: Notation) -> InfixText:
    """A quantified formula; `k < 0 || k >= n || a[k] == 0` about all k as `0 <= k < n ==> a[k] == 0`."""
    body = t.args[0]
    if n.is_math:
        return f"∀{', '.join(n.names.symbol(one) for one in t.bound)}. {arg(body, ITE)}", ITE
    head = f"\\forall integer {', '.join(n.names.symbol(one) for one in t.bound)}; "
    if body.is_negation and body.args[0].is_conjunction:
        return f"{head}{_impossible_together(body.args[0].args, arg, n)}", ITE
    guards: list[FormulaPart] = []
    rest: list[Term] = []
    for part in body.args if body.is_disjunction else ():
        is_guard = not _reads_elements(part) and part.symbols() & frozenset(t.bound)
        found = _premises(part) if is_guard else None
        if found is None:
            rest.append(part)
        else:
            guards += found
    if not guards or not rest:
        return f"{head}{arg(body, ITE)}", ITE
    guard, claim = _connected(Op.AND, guards, arg, n)[0], _connected(Op.OR, rest, arg, n)
    return f"{head}{guard} ==> {claim[0] if claim[1] >= OR else f'({claim[0]})'}", ITE


def _reads_elements(t: Term) -> bool:
    return any(s.is_select and s.sort is INT for s in subterms(t))


def _impossible_together(parts: Sequence[Term], arg: InfixTexts, n: Notation) -> str:
    """Negation of a conjunction: what is said of elements is denied where the others hold."""
    claims = [part for part in parts if _reads_elements(part)]
    guards = [part for part in parts if part not in claims]
    if not guards or not claims:
        return f"{n.not_}({_connected(Op.AND, parts, arg, n)[0]})"
    denied = _premises(claims[0]) if len(claims) == 1 else None
    if denied is not None and len(denied) == 1:
        claim = one_text(denied[0], arg, n, OR)
    else:
        claim = f"{n.not_}({_connected(Op.AND, claims, arg, n)[0]})"
    return f"{_connected(Op.AND, guards, arg, n)[0]} ==> {claim}"


def _premises(t: Term) -> Sequence[Term | LinearLiteral] | None:
    """The conjuncts that `t` is the negation of; None for other formulas."""
    literal = plain_literal(t)
    if literal is not None:
        return [replace(literal, negated=not literal.negated)]
    if not t.is_negation or t.args[0].op not in (Op.AND, Op.SELECT):
        return None
    return t.args[0].args if t.args[0].is_conjunction else t.args


def _connected(op: Op, parts: Sequence[FormulaPart], arg: InfixTexts, n: Notation) -> InfixText:
    """A conjunction or disjunction. Bounds that meet in one sum are written as one: `0 <= i < n`."""
    joins = op is Op.AND and n.bounds is not None
    texts = joined_texts(parts, arg, n, COMPARE) if joins else [one_text(a, arg, n, COMPARE) for a in parts]
    if len(texts) == 1:
        return texts[0], COMPARE
    return (n.and_.join(texts), AND) if op is Op.AND else (n.or_.join(texts), OR)


def _choice(t: Term, arg: InfixTexts, n: Notation) -> InfixText:
    literal = literal_of(t, n)
    body = None if n.bounds is None else chosen_sum(t, n.bounds)
    if literal is not None:
        return literal_text(literal, arg, n)
    if body is not None:
        return sum_text(body, arg, n)
    condition, then, otherwise = (arg(x, OR) for x in t.args)
    return f"{condition} ? {then} : {otherwise}", ITE


def _division(t: Term, arg: InfixTexts, n: Notation) -> InfixText:
    """The text of a quotient or remainder.

    Unless the notation rounds down, remainders have the sign of the dividend.
    """
    if n.bounds is not None and with_conversions(plain_sum(t), n.rounds_down) != plain_sum(t):
        return sum_text(plain_sum(t), arg, n)
    a, b = arg(t.args[0], PRODUCT), arg(t.args[1], UNARY)
    quotient, remainder = f"{a} / {b}", f"{a} % {b}"
    if n.rounds_down(t.args[0]):
        return quotient if t.op is Op.DIVIDE else remainder, PRODUCT
    negative = t.args[1].is_constant and t.args[1].value < 0
    if t.op is Op.DIVIDE:
        return f"{quotient} {'+' if negative else '-'} ({remainder} < 0)", SUM
    size = str(-t.args[1].value) if negative else b
    return f"({remainder} + {size}) % {b}", PRODUCT


def _negation(t: Term, arg: InfixTexts, n: Notation) -> InfixText:
    literal = literal_of(t, n)
    if literal is not None:
        return literal_text(literal, arg, n)
    if n.has_floats and t.args[0].op in (Op.AND, Op.OR):
        from core.terms.float_text import opposite_of  # what only programs with such numbers need

        found = opposite_of(t.args[0], n.names)
        if found is not None:
            return found.text(arg, n.and_)
    if t.args[0].is_quantified and not n.is_math:
        return _existential(t.args[0], arg, n), ITE
    return f"{n.not_}{arg(t.args[0], UNARY)}", UNARY


def _existential(t: Term, arg: InfixTexts, n: Notation) -> str:
    """The denial of a quantified formula, part by part where it is a disjunction."""
    body = t.args[0]
    parts: list[FormulaPart] = []
    texts: list[str] = []
    for part in body.args if body.is_disjunction else (body,):
        premises = _premises(part)
        parts += premises or ()
        texts += [f"{n.not_}{arg(part, UNARY)}"] if premises is None else []
    joined = [_connected(Op.AND, parts, arg, n)[0]] if parts else []
    return f"\\exists integer {', '.join(n.names.symbol(one) for one in t.bound)}; {n.and_.join([*joined, *texts])}"
