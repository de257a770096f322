"""Iterative traversals: rebuilding, substitution, atoms, and choices moved out of atoms."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from itertools import islice

from core.terms.arena import Arena
from core.terms.operators import FUNCTIONS, Treatment
from core.terms.sorts import BOOL, ArraySort, Sort
from core.terms.term import Op, Term, subterms

OTHER_OPERATORS = Treatment.EXACT

_STRUCTURE = frozenset({Op.NOT, Op.AND, Op.OR, Op.IFF, Op.ITE})


def rebuild(arena: Arena, t: Term, args: tuple[Term, ...]) -> Term:
    """The term with the operator and payload of `t` over new arguments, in normal form."""
    match t.op:
        case Op.LINEAR:
            return arena.linear(zip(t.coefficients, args, strict=True), t.constant)
        case Op.LE:
            return arena.le(args[0], arena.integer(t.value))
        case Op.EQ:
            return arena.equals(args[0], arena.integer(t.value))
        case Op.FORALL:
            return arena.forall(t.bound, args[0])
        case Op.CONSTANT | Op.SYMBOL:
            return t
        case Op.LOOKUP:
            return arena.lookup(t.table, args[0])
        case Op.FLOAT:
            return arena.compute(t.function, *args)
        case _:
            return combine(arena, t.op, args, t.sort)


def combine(arena: Arena, op: Op, args: tuple[Term, ...], sort: Sort) -> Term:
    """The term of an operator without payload over `args`, in normal form; `sort` is the sort of the result."""
    function = FUNCTIONS.get(op)
    if function is not None:
        return function.make(arena, *args)
    match op:
        case Op.NOT:
            return arena.not_(args[0])
        case Op.AND:
            return arena.and_(*args)
        case Op.OR:
            return arena.or_(*args)
        case Op.IFF:
            return arena.iff(*args)
        case Op.ITE:
            return arena.ite(*args)
        case Op.SELECT:
            return arena.select(*args)
        case Op.STORE:
            return arena.store(*args)
        case Op.CONST_ARRAY:
            assert isinstance(sort, ArraySort)
            return arena.const_array(sort, args[0])
        case _:
            raise ValueError(f"{op.name} has a payload")


class Substitution:
    """Simultaneous replacement of symbols by terms; remembers what it has rewritten.

    Bound symbols must be fresh (`Arena.proof_symbol`), so that no replacement can be captured by a quantifier.
    """

    def __init__(self, arena: Arena, replacements: Mapping[Term, Term]) -> None:
        self._arena = arena
        self._memo: dict[Term, Term] = dict(replacements)
        self._domain = frozenset(replacements)

    def __call__(self, t: Term) -> Term:
        memo = self._memo
        if t in memo:
            return memo[t]
        if not self._touches(t):
            return t
        stack = [t]
        while stack:
            u = stack[-1]
            if u in memo:
                stack.pop()
                continue
            missing = [a for a in u.args if a not in memo and self._touches(a)]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            args = tuple(memo.get(a, a) for a in u.args)
            memo[u] = u if args == u.args else self.rebuilt(u, args)
        return memo[t]

    def rebuilt(self, t: Term, args: tuple[Term, ...]) -> Term:
        """The term `t` over new arguments, in normal form."""
        return rebuild(self._arena, t, args)

    def _touches(self, t: Term) -> bool:
        return not self._domain.isdisjoint(t.symbols())


def substitute(arena: Arena, t: Term, replacements: Mapping[Term, Term]) -> Term:
    """Replace every symbol of `replacements` in `t`, all at once."""
    return Substitution(arena, replacements)(t)


def atoms(formula: Term) -> Iterator[Term]:
    """The distinct Boolean subterms below the propositional structure of `formula`, without constants."""
    seen: set[Term] = set()
    stack = [formula]
    while stack:
        t = stack.pop()
        if t in seen or t.is_constant:
            continue
        seen.add(t)
        if t.op in _STRUCTURE:
            stack.extend(reversed(t.args))
        else:
            yield t


def leaves_of_choices(t: Term) -> Iterator[Term]:
    """The leaves of a nest of choices, a shared one as often as the nest has it."""
    if t.is_choice:
        yield from leaves_of_choices(t.args[1])
        yield from leaves_of_choices(t.args[2])
    else:
        yield t


def computes_with_floats(terms: Iterable[Term]) -> bool:
    """Whether terms have operations on floating-point numbers, of which intervals know more than most solvers."""
    return any(t.op is Op.FLOAT for t in subterms(*terms))


def literals(formula: Term) -> tuple[Term, ...]:
    """The conjuncts of a conjunction (of one formula: itself)."""
    return formula.args if formula.is_conjunction else () if formula.is_true else (formula,)


def lift_choices(arena: Arena, formula: Term, limit: int = 2000) -> Term:
    """An equivalent formula whose atoms contain no integer `ITE`, as far as `limit` new atoms allow.

    Each choice inside an atom becomes a choice between two atoms, so wrap-around and array updates leave plain
    linear atoms behind.
    """
    replaced: dict[Term, Term] = {}
    for atom in atoms(formula):
        choice = _innermost_choice(atom)
        if choice is not None and limit > 0:
            replaced[atom] = _split(arena, atom, choice, limit)
    return replace_subterms(arena, formula, replaced) if replaced else formula


def _split(arena: Arena, atom: Term, choice: Term, limit: int) -> Term:
    condition, a, b = choice.args
    parts = [replace_subterms(arena, atom, {choice: value}) for value in (a, b)]
    lifted = [lift_choices(arena, part, limit // 2) for part in (condition, *parts)]
    return arena.ite(*lifted)


def _innermost_choice(atom: Term) -> Term | None:
    """A non-Boolean `ITE` inside an atom that itself contains no other."""
    for t in subterms(atom):
        if t.is_quantified:
            return None
        if t.is_choice and t.sort is not BOOL:
            return t
    return None


def replace_subterms(arena: Arena, root: Term, replaced: Mapping[Term, Term]) -> Term:
    """`root` with whole subterms replaced, as `replaced` says; what stands in their place stays as it is."""
    memo: dict[Term, Term] = dict(replaced)
    for t in subterms(root):
        if t not in memo:
            args = tuple(memo[a] for a in t.args)
            memo[t] = t if args == t.args else rebuild(arena, t, args)
    return memo[root]


def branched(arena: Arena, formula: Term, holding: Container[Term]) -> Term:
    """A formula with the conditions in it that are holding, or whose negations are, replaced by their truth.

    A literal is no condition in itself: it would be lost. What is holding says nothing of bound symbols, even of those
    that have the name of a free one.
    """
    memo: dict[Term, Term] = {}
    whole = (formula, *formula.args) if formula.is_negation else (formula,)
    bound = frozenset(x for t in subterms(formula) if t.is_quantified for x in t.bound)
    for t in subterms(formula):
        args = tuple(memo[a] for a in t.args)
        made = memo[t] = t if args == t.args else rebuild(arena, t, args)
        may_hold = t.sort is BOOL and t not in whole and bound.isdisjoint(made.symbols())
        if may_hold and (made in holding or arena.not_(made) in holding):
            memo[t] = arena.boolean(made in holding)
    return memo[formula]


def is_larger(terms: Iterable[Term], size: int) -> bool:
    """Whether terms have more nodes than `size`, together."""
    return next(islice(subterms(*terms), size, None), None) is not None
