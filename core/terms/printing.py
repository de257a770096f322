"""Terms as text: mathematical notation, C expressions, SMT-LIB."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from core.terms.sorts import INT
from core.terms.term import Op, Term, subterms


@dataclass(frozen=True, slots=True)
class Notation:
    """The words of one infix notation. `name` spells symbols.

    `rounds_down` says whether division rounds a term down, as terms do; where it rounds towards zero, more is written.
    """

    not_: str
    and_: str
    or_: str
    iff: str
    le: str
    lt: str
    ge: str
    gt: str
    eq: str
    ne: str
    times: str
    name: Callable[[str], str]
    rounds_down: Callable[[Term], bool]


def _source_name(name: str) -> str:
    """`f::x` as `x`: the name that the source gave."""
    return name.rsplit("::", 1)[-1]


MATH = Notation("¬", " ∧ ", " ∨ ", " ⇔ ", " ≤ ", " < ", " ≥ ", " > ", " = ", " ≠ ", "·", str, lambda _: True)
C = Notation(
    "!",
    " && ",
    " || ",
    " == ",
    " <= ",
    " < ",
    " >= ",
    " > ",
    " == ",
    " != ",
    "*",
    _source_name,
    lambda _: False,
)

_BITS = {Op.BIT_AND: "&", Op.BIT_OR: "|", Op.BIT_XOR: "^", Op.SHIFT_LEFT: "<<", Op.SHIFT_RIGHT: ">>"}

# Binding strengths: an argument in a context that binds more tightly gets parentheses.
_ITE, _OR, _AND, _COMPARE, _SUM, _PRODUCT, _UNARY, _ATOM = range(8)


Order = Callable[[Sequence[Term]], Sequence[Term]]
"""How the parts of a conjunction or disjunction are put in order; the order of terms is that of their making."""


def to_math(t: Term, order: Order = tuple) -> str:
    """`t` in mathematical notation, with full symbol names."""
    return _infix(t, MATH, order)


def to_c(t: Term, never_negative: Callable[[Term], bool] = lambda _: False, order: Order = tuple) -> str:
    """`t` as a C expression over source names: exact over the integers, where no operation overflows.

    `never_negative` knows symbols whose values are not; divisions of what may be negative are longer. Divisors that
    are no constants are taken to be positive there.
    """
    signs: dict[Term, bool] = {}
    for part in subterms(t):
        signs[part] = never_negative(part) if part.op is Op.SYMBOL else _is_never_negative(part, signs)
    return _infix(t, replace(C, rounds_down=lambda part: signs[part]), order)


def _is_never_negative(t: Term, signs: Mapping[Term, bool]) -> bool:
    """Whether the operator shows it, given the same about its arguments."""
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
        case Op.MULTIPLY | Op.DIVIDE | Op.BIT_OR | Op.BIT_XOR | Op.SHIFT_RIGHT | Op.SHIFT_LEFT:
            return all(signs[a] for a in t.args)
        case _:
            return False


def _infix(root: Term, notation: Notation, order: Order) -> str:
    texts: dict[Term, tuple[str, int]] = {}
    for t in subterms(root):
        texts[t] = _infix_node(t, texts, notation, order)
    return texts[root][0]


def _infix_node(t: Term, texts: dict[Term, tuple[str, int]], n: Notation, order: Order) -> tuple[str, int]:
    def arg(a: Term, level: int) -> str:
        text, strength = texts[a]
        return text if strength >= level else f"({text})"

    match t.op:
        case Op.CONSTANT:
            if isinstance(t.payload, bool):
                return (("true" if t.payload else "false") if n is MATH else str(int(t.payload))), _ATOM
            return str(t.payload), _ATOM if t.value >= 0 else _UNARY
        case Op.SYMBOL:
            return n.name(t.name), _ATOM
        case Op.NOT:
            return _negation(t.args[0], arg, n)
        case Op.AND:
            return n.and_.join(arg(a, _COMPARE) for a in order(t.args)), _AND
        case Op.OR:
            return n.or_.join(arg(a, _COMPARE) for a in order(t.args)), _OR
        case Op.IFF:
            # An equivalence binds weakly in mathematics, as an equality in C.
            return f"{arg(t.args[0], _SUM)}{n.iff}{arg(t.args[1], _SUM)}", _ITE if n is MATH else _COMPARE
        case Op.ITE:
            condition, then, otherwise = (arg(x, _OR) for x in t.args)
            return f"{condition} ? {then} : {otherwise}", _ITE
        case Op.LINEAR:
            return _sum(t, arg, n), _SUM
        case Op.LE:
            # Over the integers `≤ −1` reads better as `< 0`.
            words = (n.lt, n.gt, 0) if t.value == -1 else (n.le, n.ge, t.value)
            return _comparison(t, arg, n, *words), _COMPARE
        case Op.EQ:
            return _comparison(t, arg, n, n.eq, n.eq, t.value), _COMPARE
        case Op.MULTIPLY:
            return n.times.join(arg(a, _UNARY) for a in t.args), _PRODUCT
        case Op.DIVIDE | Op.MODULO:
            return _division(t, arg(t.args[0], _PRODUCT), arg(t.args[1], _UNARY), n.rounds_down(t.args[0]))
        case Op.BIT_AND | Op.BIT_OR | Op.BIT_XOR | Op.SHIFT_LEFT | Op.SHIFT_RIGHT:
            # Weaker than everything, since C lets comparisons bind more tightly than these.
            return f"{arg(t.args[0], _UNARY)} {_BITS[t.op]} {arg(t.args[1], _UNARY)}", _ITE
        case Op.SELECT:
            return f"{arg(t.args[0], _ATOM)}[{arg(t.args[1], _ITE)}]", _ATOM
        case Op.STORE:
            array, index, value = t.args
            return f"{arg(array, _ATOM)}[{arg(index, _ITE)} ↦ {arg(value, _ITE)}]", _ATOM
        case Op.CONST_ARRAY:
            return f"[{arg(t.args[0], _ITE)}…]", _ATOM
        case Op.FORALL:
            bound = ", ".join(n.name(s.name) for s in t.bound)
            return (f"∀{bound}. {arg(t.args[0], _ITE)}" if n is MATH else f"\\forall {bound}; {t.args[0]}"), _ITE


def _division(t: Term, a: str, b: str, exact: bool) -> tuple[str, int]:
    """A quotient or a remainder; unless `exact`, in a notation whose remainder has the sign of the dividend."""
    quotient, remainder = f"{a} / {b}", f"{a} % {b}"
    if exact:
        return quotient if t.op is Op.DIVIDE else remainder, _PRODUCT
    negative = t.args[1].op is Op.CONSTANT and t.args[1].value < 0
    if t.op is Op.DIVIDE:
        return f"{quotient} {'+' if negative else '-'} ({remainder} < 0)", _SUM
    size = str(-t.args[1].value) if negative else b
    return f"({remainder} + {size}) % {b}", _PRODUCT


def _negation(t: Term, arg: Callable[[Term, int], str], n: Notation) -> tuple[str, int]:
    if t.op is Op.LE:
        words = (n.ge, n.le, 0) if t.value == -1 else (n.gt, n.lt, t.value)
        return _comparison(t, arg, n, *words), _COMPARE
    if t.op is Op.EQ:
        return _comparison(t, arg, n, n.ne, n.ne, t.value), _COMPARE
    return f"{n.not_}{arg(t, _UNARY)}", _UNARY


def _comparison(
    t: Term,
    arg: Callable[[Term, int], str],
    n: Notation,
    forward: str,
    backward: str,
    bound: int,
) -> str:
    """`body ⋈ bound` with negative summands moved to the other side, so that no minus sign is left in front."""
    body = t.args[0]
    monomials = list(zip(body.coefficients, body.args, strict=True)) if body.op is Op.LINEAR else [(1, body)]
    positive = [(c, m) for c, m in monomials if c > 0]
    negative = [(-c, m) for c, m in monomials if c < 0]
    if negative and bound < 0:
        return f"{_terms(negative, 0, arg, n)}{backward}{_terms(positive, -bound, arg, n)}"
    return f"{_terms(positive, 0, arg, n)}{forward}{_terms(negative, bound, arg, n)}"


def _sum(t: Term, arg: Callable[[Term, int], str], n: Notation) -> str:
    return _terms(list(zip(t.coefficients, t.args, strict=True)), t.constant, arg, n)


def _terms(
    monomials: Sequence[tuple[int, Term]],
    constant: int,
    arg: Callable[[Term, int], str],
    n: Notation,
) -> str:
    if not monomials:
        return str(constant)
    # Positive summands come first, so that `n - i` is not printed as `-i + n`.
    text = ""
    for c, m in sorted(monomials, key=lambda cm: cm[0] < 0):
        factor = arg(m, _UNARY) if abs(c) == 1 else f"{abs(c)}{n.times}{arg(m, _UNARY)}"
        text += (" - " if c < 0 else " + ") + factor if text else ("-" if c < 0 else "") + factor
    if constant:
        text += f" - {-constant}" if constant < 0 else f" + {constant}"
    return text


_SMT = {
    Op.NOT: "not",
    Op.AND: "and",
    Op.OR: "or",
    Op.IFF: "=",
    Op.ITE: "ite",
    Op.MULTIPLY: "*",
    Op.DIVIDE: "div",
    Op.MODULO: "mod",
    Op.SELECT: "select",
    Op.STORE: "store",
    # SMT-LIB has no bits of integers: these are functions of our own, which its reader here knows.
    Op.BIT_AND: "bit.and",
    Op.BIT_OR: "bit.or",
    Op.BIT_XOR: "bit.xor",
    Op.SHIFT_LEFT: "shift.left",
    Op.SHIFT_RIGHT: "shift.right",
}


def to_smtlib(root: Term) -> str:
    """`root` as an SMT-LIB 2.6 term; shared subterms are named by nested `let`s."""
    uses: dict[Term, int] = {}
    order = list(subterms(root))
    for t in order:
        for a in t.args:
            uses[a] = uses.get(a, 0) + 1
    free_to_share = not any(t.op is Op.FORALL for t in order)
    texts: dict[Term, str] = {}
    bindings: list[tuple[str, str]] = []
    for t in order:
        text = _smt_node(t, [texts[a] for a in t.args])
        if free_to_share and t.args and uses.get(t, 0) > 1:
            name = f"?{len(bindings)}"
            bindings.append((name, text))
            text = name
        texts[t] = text
    opening = "".join(f"(let (({name} {text})) " for name, text in bindings)
    return opening + texts[root] + ")" * len(bindings)


_PREDEFINED = frozenset({"true", "false", "abs", "distinct", "xor", "is_int", "to_int", "to_real", "const", "implies"})


def smt_symbol(name: str) -> str:
    """The symbol of a name; bars alone do not tell it from a symbol of the language."""
    predefined = name in _PREDEFINED or name in _SMT.values()
    return f"|{name}'|" if predefined else f"|{name}|"


def _smt_integer(value: int) -> str:
    return str(value) if value >= 0 else f"(- {-value})"


def _smt_node(t: Term, args: list[str]) -> str:
    match t.op:
        case Op.CONSTANT:
            return str(t.payload).lower() if isinstance(t.payload, bool) else _smt_integer(t.value)
        case Op.SYMBOL:
            return smt_symbol(t.name)
        case Op.LINEAR:
            parts = [a if c == 1 else f"(* {_smt_integer(c)} {a})" for c, a in zip(t.coefficients, args, strict=True)]
            parts += [_smt_integer(t.constant)] if t.constant else []
            return f"(+ {' '.join(parts)})" if len(parts) > 1 else parts[0]
        case Op.LE | Op.EQ:
            return f"({'<=' if t.op is Op.LE else '='} {args[0]} {_smt_integer(t.value)})"
        case Op.CONST_ARRAY:
            return f"((as const {t.sort}) {args[0]})"
        case Op.FORALL:
            bound = " ".join(f"({smt_symbol(s.name)} {s.sort})" for s in t.bound)
            return f"(forall ({bound}) {args[0]})"
        case _:
            return f"({_SMT[t.op]} {' '.join(args)})"
