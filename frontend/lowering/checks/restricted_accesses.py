"""Checks of accesses beside pointers that are `restrict`: any one byte is followed through a function (C11 6.7.3.1)."""

from __future__ import annotations

from core.program import Assign, InputKind
from core.program.properties import CheckKind
from core.terms import Term
from frontend.lowering.arithmetic import ADDRESS
from frontend.lowering.checks.written_marks import MARK
from frontend.lowering.context import Cursor, RestrictWatch
from frontend.source import Span
from frontend.typed import tree
from frontend.typed.restricted import based_on


def begin(cursor: Cursor, names: frozenset[str], span: Span) -> RestrictWatch:
    """Choose a byte where a function begins; nothing has accessed it there."""
    byte = cursor.input(InputKind.INDETERMINATE, f"byte!{cursor.function}", span, ADDRESS)
    byte = cursor.save(byte, ADDRESS, span, "[any byte of memory]")
    through, beside = ({name: cursor.temporary(MARK) for name in sorted(names)} for _ in range(2))
    modified = cursor.temporary(MARK)
    flags = (*through.values(), *beside.values(), modified)
    cursor.step(Assign(tuple((flag, cursor.context.arena.zero) for flag in flags)), span, "")
    return RestrictWatch(byte.term, through, beside, modified)


def accessed(
    cursor: Cursor, lvalue: tree.Lvalue, address: Term, size: int, is_write: bool, span: Span, text: str
) -> None:
    """Note an access of so many bytes; the path ends where the byte is accessed beside a parameter, and modified."""
    watch, arena = cursor.watch, cursor.context.arena
    if watch is None:
        return
    own = based_on(lvalue, frozenset(watch.through))
    flags = [(watch.through if name == own else watch.beside)[name] for name in watch.through]
    hit = arena.and_(arena.le(address, watch.byte), arena.lt(watch.byte, arena.add(address, arena.integer(size))))
    changed = [*flags, watch.modified] if is_write else flags
    cursor.step(Assign(tuple((flag, arena.ite(hit, arena.one, flag)) for flag in changed)), span, "")
    is_set = {flag: arena.equals(flag, arena.one) for flag in (*watch.through.values(), *watch.beside.values())}
    both = arena.or_(*(arena.and_(is_set[watch.through[name]], is_set[watch.beside[name]]) for name in watch.through))
    fails = arena.and_(arena.equals(watch.modified, arena.one), both)
    cursor.require(CheckKind.RESTRICT, arena.not_(fails), span, text)
