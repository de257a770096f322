"""Terms as numbered rows: each row is an operator over earlier rows, so shared subterms are written once.

Payloads are texts: of a constant or a bound its value, of a symbol its name, of a sum `c,c,…;constant`, of a
quantifier the numbers of its bound symbols, which come before it as rows of their own, of a look-up the numbers of its
table with commas between, or `=` and the row that has them, of a function of floating-point numbers its name.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from core.pattern import pattern
from core.terms import BOOL, FUNCTIONS, INT, Arena, ArraySort, ConstantTable, Op, Sort, Term, Treatment, combine
from core.terms.tables import NamedFunction
from runs.events import TermDefined
from runs.jsondata import Malformed, as_ints, as_row, as_str, each

OTHER_OPERATORS = Treatment.EXACT

_ARITY = {
    Op.CONSTANT: 0,
    Op.SYMBOL: 0,
    Op.NOT: 1,
    Op.IFF: 2,
    Op.ITE: 3,
    Op.LE: 1,
    Op.EQ: 1,
    Op.SELECT: 2,
    Op.STORE: 3,
    Op.CONST_ARRAY: 1,
    Op.FORALL: 1,
    Op.LOOKUP: 1,
}
_INTEGER = pattern(r"-?[0-9]{1,4000}")


class TermWriter:
    """Numbers terms in the order of their first use, and defines each new one before it is used."""

    def __init__(self, define: Callable[[TermDefined], None]) -> None:
        self._define = define
        self._numbers: dict[Term, int] = {}
        self._tables: dict[ConstantTable, int] = {}  # the rows with the numbers of a table

    def id(self, term: Term) -> int:
        """The number of `term`; its definition, and those of its subterms, have then been passed to `define`."""
        numbers = self._numbers
        stack = [term]
        while stack:
            t = stack[-1]
            if t in numbers:
                stack.pop()
                continue
            missing = [a for a in (*t.args, *_bound(t)) if a not in numbers]
            if missing:
                stack.extend(reversed(missing))
                continue
            stack.pop()
            args = tuple(numbers[a] for a in t.args)
            number = numbers[t] = len(numbers)
            self._define(TermDefined(number, t.op.name.lower(), args, self._payload(t), str(t.sort)))
        return numbers[term]

    def _payload(self, t: Term) -> str:
        match t.op:
            case Op.CONSTANT:
                return str(t.payload).lower()
            case Op.SYMBOL:
                return t.name
            case Op.LE | Op.EQ:
                return str(t.value)
            case Op.LINEAR:
                return f"{','.join(map(str, t.coefficients))};{t.constant}"
            case Op.LOOKUP:
                return self._table(t)
            case Op.FLOAT:
                return t.function.name
            case Op.FORALL:
                return ",".join(str(self._numbers[s]) for s in t.bound)
            case _:
                return ""

    def _table(self, t: Term) -> str:
        first = self._tables.setdefault(t.table, self._numbers[t])
        return ",".join(map(str, t.table.values)) if first == self._numbers[t] else f"={first}"


def _bound(t: Term) -> tuple[Term, ...]:
    return t.bound if t.is_quantified else ()


class TermReader:
    """Rebuilds numbered terms in an arena, when they are asked for. Rows are untrusted: sorts are checked."""

    def __init__(self, arena: Arena) -> None:
        self._arena = arena
        self._rows: dict[int, TermDefined] = {}
        self._terms: dict[int, Term] = {}
        self._tables: dict[int, ConstantTable] = {}
        self._numbers: dict[Term, int] = {}

    def define(self, row: TermDefined) -> None:
        """Learn one row. Raises `Malformed` if it refers to a later row."""
        if any(not 0 <= a < row.number for a in row.args):
            raise Malformed(f"term {row.number} refers to a term that is not defined before it")
        self._rows[row.number] = row

    def term(self, id: int) -> Term:
        """The term with this number. Raises `Malformed`."""
        stack = [id]
        while stack:
            n = stack[-1]
            if n in self._terms:
                stack.pop()
                continue
            row = self._rows.get(n)
            if row is None:
                raise Malformed(f"term {n} is not defined")
            missing = [a for a in (*row.args, *self._bound(row)) if a not in self._terms]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            self._terms[n] = self._build(row)
            self._numbers.setdefault(self._terms[n], n)
        return self._terms[id]

    def id(self, term: Term) -> int | None:
        """The number of a term that has been asked for, or was part of one; None for others."""
        return self._numbers.get(term)

    def _bound(self, row: TermDefined) -> tuple[int, ...]:
        if row.op != "forall":
            return ()
        numbers = tuple(_integer(text) for text in row.payload.split(","))
        if any(not 0 <= n < row.number for n in numbers):
            raise Malformed(f"term {row.number} binds a term that is not defined before it")
        return numbers

    def _build(self, row: TermDefined) -> Term:
        op = Op.__members__.get(row.op.upper())
        if op is None or row.op != op.name.lower():
            raise Malformed(f"unknown operator {row.op!r}")
        args = tuple(self._terms[a] for a in row.args)
        arity = _ARITY.get(op) if op not in FUNCTIONS else FUNCTIONS[op].arity
        if len(args) != (len(args) if arity is None else arity):
            raise Malformed(f"{row.op} takes {arity} arguments, not {len(args)}")
        sort = read_sort(row.sort)
        if not _well_sorted(op, args, sort):
            raise Malformed(f"term {row.number}: {row.op} over arguments of wrong sorts")
        term = self._make(op, args, row, sort)
        if term.sort != sort:
            raise Malformed(f"term {row.number} has sort {term.sort}, not {sort}")
        return term

    def _make(self, op: Op, args: tuple[Term, ...], row: TermDefined, sort: Sort) -> Term:
        arena = self._arena
        match op:
            case Op.CONSTANT:
                return arena.boolean(_boolean(row.payload)) if sort == BOOL else arena.integer(_integer(row.payload))
            case Op.SYMBOL:
                return arena.symbol(row.payload, sort)
            case Op.LINEAR:
                return self._linear(args, row)
            case Op.LE:
                return arena.le(args[0], arena.integer(_integer(row.payload)))
            case Op.EQ:
                return arena.equals(args[0], arena.integer(_integer(row.payload)))
            case Op.LOOKUP:
                return arena.lookup(self._table(row), args[0])
            case Op.FLOAT:
                return arena.compute(_function(row.payload, len(args)), *args)
            case Op.FORALL:
                return arena.forall([self._terms[n] for n in self._bound(row)], args[0])
            case _:
                return combine(arena, op, args, sort)

    def _table(self, row: TermDefined) -> ConstantTable:
        """The table of a look-up, whose numbers may stand in an earlier row."""
        number = _integer(row.payload[1:]) if row.payload.startswith("=") else row.number
        source = self._rows.get(number) if number <= row.number else None
        if source is None or source.op != row.op:
            raise Malformed(f"term {row.number} refers to a table that is not defined before it")
        if number not in self._tables:
            self._tables[number] = ConstantTable(tuple(map(_integer, source.payload.split(","))))
        return self._tables[number]

    def _linear(self, args: tuple[Term, ...], row: TermDefined) -> Term:
        head, separator, constant = row.payload.partition(";")
        factors = [_integer(text) for text in head.split(",")]
        if not separator or len(factors) != len(args):
            raise Malformed(f"term {row.number}: a sum of {len(args)} parts has coefficients {row.payload!r}")
        return self._arena.linear(zip(factors, args, strict=True), _integer(constant))


def _well_sorted(op: Op, args: tuple[Term, ...], sort: Sort) -> bool:
    sorts = [a.sort for a in args]
    match op:
        case Op.CONSTANT:
            return sort in (BOOL, INT)
        case Op.SYMBOL:
            return True
        case Op.NOT | Op.AND | Op.OR | Op.IFF | Op.FORALL:
            return all(s == BOOL for s in sorts)
        case Op.ITE:
            return sorts[0] == BOOL and sorts[1] == sorts[2]
        case Op.LINEAR | Op.LE | Op.EQ:
            return all(s == INT for s in sorts)
        case Op.SELECT:
            return isinstance(sorts[0], ArraySort) and sorts[0].index == sorts[1]
        case Op.STORE:
            return isinstance(sorts[0], ArraySort) and [sorts[0].index, sorts[0].element] == sorts[1:]
        case Op.CONST_ARRAY:
            return isinstance(sort, ArraySort) and sort.element == sorts[0]
        case _:  # functions of integers
            return bool(sorts) and all(s == INT for s in sorts)


def _function(name: str, arity: int) -> NamedFunction:
    from core.terms.float_functions import float_function_named

    try:
        function = float_function_named(name)
    except ValueError as error:
        raise Malformed(str(error)) from None
    if function.arity != arity:
        raise Malformed(f"{name} takes {function.arity} arguments, not {arity}")
    return function


def _integer(text: str) -> int:
    if not _INTEGER.fullmatch(text):
        raise Malformed(f"not an integer: {text[:60]!r}")
    return int(text)


def _boolean(text: str) -> bool:
    if text not in ("true", "false"):
        raise Malformed(f"neither true nor false: {text[:60]!r}")
    return text == "true"


@lru_cache(maxsize=64)
def read_sort(text: str) -> Sort:
    """The sort that `str` of a sort wrote. Raises `Malformed`."""
    tokens = re.findall(r"[()]|[^\s()]+", text[:1000])
    stack: list[list[Sort]] = [[]]
    for token in tokens:
        if token == "Bool":
            stack[-1].append(BOOL)
        elif token == "Int":
            stack[-1].append(INT)
        elif token == "(":
            stack.append([])
        elif token == ")" and len(stack) > 1 and len(stack[-1]) == 2:
            index, element = stack.pop()
            stack[-1].append(ArraySort(index, element))
        elif token != "Array":
            raise Malformed(f"unknown sort {text[:60]!r}")
    if len(stack) != 1 or len(stack[0]) != 1:
        raise Malformed(f"unknown sort {text[:60]!r}")
    return stack[0][0]


class TermTable:
    """A table of terms inside a JSON document: writes rows `[op, args, payload, sort]` in the order of first use."""

    def __init__(self) -> None:
        self.rows: list[list[object]] = []
        self._writer = TermWriter(lambda row: self.rows.append([row.op, list(row.args), row.payload, row.sort]))

    def id(self, term: Term) -> int:
        return self._writer.id(term)


def read_table(rows: object, arena: Arena) -> TermReader:
    """The reader of a table that `TermTable` wrote. Raises `Malformed`."""
    reader = TermReader(arena)

    def define(number: int, row: object) -> None:
        op, args, payload, sort = as_row(row, 4)
        reader.define(TermDefined(number, as_str(op), as_ints(args), as_str(payload), as_str(sort)))

    each(rows, "terms", define)
    return reader
