"""Formulas as text of bounded length, with the names of the source: all that people read is written here."""

from __future__ import annotations

from collections.abc import Sequence

from core.dataclass import dataclass
from core.program.naming import Naming, is_internal
from core.program.told import told_part
from core.terms import BOOL, INT, Arena, Term, atoms, lift_choices, replace_subterms, subterms, to_math, to_readable_c
from core.terms.case_lists import without_case_lists
from core.terms.notation import TermOrder
from core.terms.printing import to_readable_conjuncts
from core.terms.traversal import rebuild
from core.terms.wraparound import BoundsOf, chosen_literal, chosen_sum

LONGEST_FORMULA = 400  # characters
LONGEST_PART = 120  # characters of a part of a formula that is too long as a whole
LONGEST_LIST = 8  # names
LONGEST_WHOLE = 20_000  # characters of C, where all of a formula is asked for
_MAX_ATOMS = 16  # that a choice between numbers becomes
_MAX_GROWTH = 4  # how many times as large a formula without nested choices may be


def described(term: Term, names: Naming) -> str:
    """A description of a term that is too large to be read."""
    texts = (text for text in map(names.symbol, term.symbols()) if not is_internal(text))
    shown = ", ".join(_some(sorted(texts)))
    return f"⟨{sum(1 for _ in subterms(term))} operators over {shown}⟩"


@dataclass(frozen=True)
class FormulaWriter:
    """Writes formulas with names, bounds of symbols and an order of parts. Without `names` those of terms.

    Conjuncts that cannot be told with the names of the source are left out and counted.
    """

    arena: Arena
    names: Naming | None
    bounds: BoundsOf
    order: TermOrder

    def text(self, term: Term, longest: int) -> str:
        """The formula as C; empty where that is longer than `longest` characters."""
        told, left_out = self._told(term)
        note = _left_out(left_out)
        text = note if left_out and told.is_true else self._text(told, longest)
        return f"{text} {note}" if text and note != text and left_out else text

    def _text(self, term: Term, longest: int, *, in_conjunction: bool = False) -> str:
        if term.is_constant and term.sort == BOOL:
            word = "true" if term.value else "false"
            return word if self.names is None or self.names.find(word) is None else f"\\{word}"
        if term.size > LONGEST_WHOLE:
            return ""
        flat = self._flat(term)
        if flat.size > longest:  # an operator has at least one character
            return ""
        order = self._order_of(term, flat)
        text = to_readable_c(flat, self.bounds, order, self.names, in_conjunction=in_conjunction)
        return text if len(text) <= longest else ""

    def conjuncts(self, term: Term) -> tuple[str, ...]:
        """A text for each conjunct; long ones are abridged. The last line counts those that are left out."""
        texts = self.whole(term)
        if not texts:
            return (self.abridged(term),)
        return tuple(text if len(text) <= LONGEST_FORMULA else _cut(text) for text in texts)

    def whole(self, term: Term, *, in_conjunction: bool = False) -> tuple[str, ...]:
        """The same without abridgement, alone or to be joined; none where all of them together are too long."""
        told, left_out = self._told(term)
        note = (_left_out(left_out),) if left_out else ()
        if told.size > LONGEST_WHOLE:
            return ()
        if told.is_constant:
            return note if left_out and told.is_true else (self._text(told, LONGEST_WHOLE), *note)
        flat = self._flat(told)
        order = self._order_of(told, flat)
        texts = to_readable_conjuncts(flat, self.bounds, order, self.names, in_conjunction=in_conjunction)
        return (*texts, *note) if sum(map(len, texts)) <= LONGEST_WHOLE else ()

    def abridged(self, term: Term) -> str:
        """A summary of a long formula: its short conjuncts, which it implies, and the variables of the others."""
        told, left_out = self._told(term)
        if told.is_constant:
            return self.text(term, LONGEST_FORMULA)
        parts = self.order(told.args) if told.is_conjunction else (told,)
        shown, others, length = list[str](), list[Term](), 0
        for part in parts:
            text = self._text(part, min(LONGEST_PART, LONGEST_FORMULA - length), in_conjunction=True)
            length += len(text)
            if text:
                shown.append(text)
            else:
                others.append(part)
        over = ", ".join(_some(sorted(text for text in self._read(others) if not is_internal(text))))
        what = f"{len(others)} {'longer ' if shown else ''}part{'' if len(others) == 1 else 's'}"
        text = " && ".join([*shown, f"({what} of size {sum(part.size for part in others)} over {over})"])
        return f"{text} {_left_out(left_out)}" if left_out else text

    def is_told(self, term: Term) -> bool:
        """Whether some conjunct can be told."""
        told, left_out = self._told(term)
        return not (left_out and told.is_true)

    def _told(self, term: Term) -> tuple[Term, int]:
        """The conjuncts that can be told, and the number of the others."""
        return (term, 0) if self.names is None else told_part(self.arena, term, self.names)

    def _read(self, parts: Sequence[Term]) -> set[str]:
        """The names of the scalars that formulas read; of an element without those that its index reads."""
        names, pending, seen = set[str](), list(parts), set[Term]()
        while pending:
            t = pending.pop()
            if t in seen or t.is_constant:
                continue
            seen.add(t)
            is_element = t.is_select and t.args[0].is_symbol
            if is_element or t.is_symbol:
                text = to_readable_c(t, names=self.names)
                names.add(text if len(text) <= LONGEST_PART else to_readable_c(t.args[0], names=self.names))
            else:
                pending += t.args
        return names

    def _order_of(self, term: Term, flat: Term) -> TermOrder:
        """The order of parts; by their texts in formulas that are made to be shown, as these are made at any time."""
        return self.order if flat is term else lambda parts: sorted(self.order(parts), key=to_math)

    def _flat(self, term: Term) -> Term:
        """The formula with relations for lists of cases, and without choices in choices: each condition becomes the
        premise of what follows from it.
        """
        return _without_nested_choices(self.arena, without_case_lists(self.arena, term), self.bounds)


def _left_out(count: int) -> str:
    """The note that some conjuncts are left out."""
    return f"({count} conjunct{'' if count == 1 else 's'} about memory {'is' if count == 1 else 'are'} not shown)"


def _cut(text: str) -> str:
    return f"{text[:LONGEST_PART]}… ({len(text):,} characters)".replace(",", " ")


def _some(names: Sequence[str]) -> list[str]:
    half = LONGEST_LIST // 2
    return list(names) if len(names) <= LONGEST_LIST else [*names[:half], "…", *names[-half:]]


def _without_nested_choices(arena: Arena, term: Term, bounds: BoundsOf) -> Term:
    """An equivalent formula that is not much larger, if that is possible."""
    lifted: dict[Term, Term] = {}
    for atom in atoms(term):
        choices = [t for t in subterms(atom) if t.is_choice and t.sort == INT and chosen_sum(t, bounds) is None]
        if len(choices) > 1 and not atom.is_quantified:
            lifted[atom] = lift_choices(arena, atom, _MAX_ATOMS)
    found = replace_subterms(arena, term, lifted)
    branching = [t for t in subterms(found) if t.is_choice and t.sort == BOOL and chosen_literal(t, bounds) is None]
    if len(branching) > 1:
        found = _as_implications(arena, found, frozenset(branching))
    return found if found.size <= _MAX_GROWTH * (term.size + 10) else term


def _as_implications(arena: Arena, term: Term, branching: frozenset[Term]) -> Term:
    """The formula with `(c ==> a) && (!c ==> b)` for these choices `c ? a : b`."""
    memo: dict[Term, Term] = {}
    for t in subterms(term):
        args = tuple(memo[a] for a in t.args)
        if t in branching:
            condition, then, otherwise = args
            memo[t] = arena.and_(arena.implies(condition, then), arena.or_(condition, otherwise))
        else:
            memo[t] = t if args == t.args else rebuild(arena, t, args)
    return memo[term]
