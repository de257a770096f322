"""Formulas that can be told with the names of the source. What else speaks of memory is for engines.

A formula cannot be told if it reads a variable that the source does not have, names an address that is that of no
object, computes with the numbers of objects, or has the value of an array as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from core.program.naming import Naming, is_internal
from core.program.objects import LOWEST
from core.terms import INT, Arena, Op, Term, Treatment, subterms
from core.terms.notation import Access
from core.terms.wraparound import Sum, plain_literal, plain_sum

OTHER_OPERATORS = Treatment.EXACT

_LARGEST_CHOICE = 100  # nodes of a choice of constants, as a tree


def told_part(arena: Arena, term: Term, names: Naming) -> tuple[Term, int]:
    """The conjuncts of a formula that can be told, and the number of the others."""
    parts = term.args if term.is_conjunction else (term,)
    found = [part for part in parts if is_told(part, names)]
    return (term, 0) if len(found) == len(parts) else (arena.and_(*found), len(parts) - len(found))


def is_told_of(variable: Term, value: Term, names: Naming) -> bool:
    """Whether the value of a variable can be told: of a number as a number."""
    if _is_choice_of_constants(variable, value, names):
        condition, *numbers = value.args
        return is_told(condition, names) and all(is_told_of(variable, one, names) for one in numbers)
    is_number = names.float_type(variable) is None or value.is_constant or _is_float(value, names)
    return is_number and is_told(value, names)


def value_text(variable: Term, value: Term, names: Naming, text: Callable[[Term], str]) -> str:
    """The text of a value of a variable: of a constant its name, such as `&x`, an enumerator or `0.5f`."""
    if value.is_constant and value.sort is INT:
        return names.value(variable, value.value) or text(value)
    if not _is_choice_of_constants(variable, value, names):
        return text(value)
    condition = text(value.args[0])
    then, otherwise = (value_text(variable, one, names, text) for one in value.args[1:])
    return f"{f'({condition})' if '?' in condition else condition} ? {then} : {otherwise}"


def _is_choice_of_constants(variable: Term, value: Term, names: Naming) -> bool:
    """Whether a number is chosen of which only the variable says that it is one."""
    is_number = names.float_type(variable) is not None and value.is_choice and value.size <= _LARGEST_CHOICE
    return is_number and not _is_float(value, names)


def is_told(term: Term, names: Naming) -> bool:
    """Whether a formula can be told."""
    pending: list[Term | Sum] = [term]
    seen: set[Term] = set()
    bound = {one for t in subterms(term) if t.is_quantified for one in t.bound}
    while pending:
        t = pending.pop()
        if isinstance(t, Sum):
            pending += (part for _, part in t.parts if isinstance(part, Term))
            numbers = (t.constant, *(factor for factor, _ in t.parts))
            if _are_floats(t, names) or not all(_is_number(number, names) for number in numbers):
                return False
        elif t not in seen:
            seen.add(t)
            inside = () if t in bound else _inside(t, names)
            if inside is None:
                return False
            pending += inside
    return True


def _inside(t: Term, names: Naming) -> Sequence[Term | Sum] | None:
    """Parts of a term that its text has; None where it cannot be told."""
    match t.op:
        case Op.CONSTANT:
            return () if isinstance(t.payload, bool) or _is_number(t.value, names) else None
        case Op.SYMBOL:
            return None if is_internal(names.symbol(t)) else ()
        case Op.STORE | Op.CONST_ARRAY:
            return None
        case Op.SELECT:
            access = names.element(t)
            if access is None:
                return t.args
            return None if _is_absolute(access) else [one for one in access.pieces if not isinstance(one, str)]
        case Op.LE | Op.EQ if _are_floats(plain_sum(t.args[0]), names):
            return _inside_comparison(t, names)
        case Op.LE | Op.EQ if not _has_no_address(t, names):
            return None
        case Op.EQ if _named(t, names) is not None:
            return [part for _, part in plain_sum(t.args[0]).parts if isinstance(part, Term)]
        case Op.LE | Op.EQ:
            return (*t.args, Sum((), t.value))
        case Op.FLOAT | Op.ITE | Op.LINEAR if t.op is Op.FLOAT or _is_float(t, names):
            return _inside_number(t, names)
        case Op.LINEAR:
            return (*t.args, plain_sum(t))
        case _:
            return None if any(_is_float(one, names) for one in t.args) else t.args


def _is_float(t: object, names: Naming) -> bool:
    """Whether a term is a floating-point number: only comparisons and operations of its own are said of its ordinal."""
    if not names.has_floats or not isinstance(t, Term):
        return False
    from core.terms.float_text import float_format  # what only programs with such numbers need

    return float_format(t, names) is not None


def _are_floats(body: Sum, names: Naming) -> bool:
    return any(_is_float(part, names) for _, part in body.parts)


def _inside_comparison(t: Term, names: Naming) -> Sequence[Term] | None:
    from core.terms.float_text import is_told_comparison  # what only programs with such numbers need

    literal = plain_literal(t)
    assert literal is not None
    if not is_told_comparison(literal, names):
        return None
    return [part for _, part in literal.body.parts if isinstance(part, Term)]


def _inside_number(t: Term, names: Naming) -> Sequence[Term] | None:
    """The operands of an operation, the opposite of a number or a choice, without constants, which are numbers."""
    from core.terms.float_text import is_told_operation, negated_number  # what only programs with such numbers need

    opposite = negated_number(t, names)
    if opposite is not None:
        return (opposite,)
    if t.op is Op.FLOAT and not is_told_operation(t, names):
        return None
    return [one for one in t.args if not one.is_constant or one.sort is not INT]


def _is_absolute(access: Access) -> bool:
    """Whether an element has no name: it is one of a variable that the source does not have, or at a mere number."""
    texts = [one for one in access.pieces if isinstance(one, str)]
    sums = [one for one in access.pieces if isinstance(one, Sum)]
    return any(map(is_internal, texts)) or (texts[:1] != [] and texts[0].startswith("((") and _is_bare(sums[:1]))


def _is_bare(sums: Sequence[Sum]) -> bool:
    return any(not one.parts for one in sums)


def _is_number(value: int, names: Naming) -> bool:
    """Whether a number can be one of the program: it has nothing to do with how addresses are divided."""
    layout = names.program.memory
    return layout is None or layout.lifetimes is None or abs(value) < layout.lifetimes.block // 2


def _has_no_address(t: Term, names: Naming) -> bool:
    """Whether a comparison compares no pointer with the number of an address that is that of no object."""
    literal = plain_literal(t)
    assert literal is not None
    pointers = list(_pointers(literal.body, names))
    if not sum(factor for factor, _ in pointers) or abs(literal.body.constant) < LOWEST:
        return True
    return literal.op is Op.EQ and _named(t, names) is not None


def _named(t: Term, names: Naming) -> str | None:
    """The name of the value that an equation gives to a term."""
    literal = plain_literal(t)
    match None if literal is None else literal.body:
        case Sum(((1 | -1 as factor, Term() as alone),), constant):
            return names.value(alone, -constant * factor)
        case _:
            return None


def _pointers(body: Sum, names: Naming) -> Iterator[tuple[int, Term]]:
    yield from ((factor, part) for factor, part in body.parts if isinstance(part, Term) and names.is_pointer(part))
