"""Predicates of annotations as typed expressions.

Integers of annotations are mathematical: they become `__int128`, in which nothing wraps around, since the intervals of
terms say so; a term that may need more bits is refused. A quantifier that fresh witnesses may stand for (a `\\forall`
of what is checked, an `\\exists` of what is assumed) becomes a variable with an arbitrary value within its bounds:
the claim fails for some witness if and only if it does not hold. Every other quantifier is written out, over at most
`LARGEST_RANGE` values; for larger ranges, loops try the values, where the quantifier stands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from itertools import product

from frontend.acsl import syntax
from frontend.acsl.syntax import Formula, Quantor
from frontend.elaboration.bounds import (
    BinderRange,
    Bounds,
    ValueInterval,
    guards_of,
    limit_of,
    mentions,
    names_of_terms,
    old_parts,
)
from frontend.elaboration.conversions import Conversions
from frontend.elaboration.definedness import definedness
from frontend.elaboration.expressions import member_path
from frontend.elaboration.list_predicates import Before, ListPredicates
from frontend.elaboration.memory_predicates import BoundedValue, loaded
from frontend.elaboration.reals import Reals
from frontend.elaboration.scope import EnumConstant, FunctionName
from frontend.elaboration.walks import RangeLoop, RangeWalk
from frontend.source import ParseError, Span, Unsupported
from frontend.typed import tree
from frontend.typed.ctype import Float, Integer, IntegerKind, Pointer, Record, Void
from frontend.typed.tree import BinaryOperator, Expression, Lvalue, UnaryOperator

LARGEST_RANGE = 64
"""Values that one quantifier is written out for."""
_MAX_COPIES = 512
_MAX_PARTS = 20_000

_TYPES = {
    "integer": None,
    **{kind.value: kind for kind in IntegerKind},
    "signed": IntegerKind.INT,
    "signed int": IntegerKind.INT,
    "unsigned": IntegerKind.UINT,
    "long int": IntegerKind.LONG,
    "unsigned long int": IntegerKind.ULONG,
    "long long int": IntegerKind.LLONG,
    "unsigned long long int": IntegerKind.ULLONG,
}
_BITS = {"&": BinaryOperator.AND, "|": BinaryOperator.OR, "^": BinaryOperator.XOR}


class Predicates(ListPredicates):
    """Reads the formulas of one clause in the current scope of `unit`."""

    def __init__(self, unit: Conversions, before: Before | None) -> None:
        super().__init__(unit, before)
        self._reals = Reals(unit)
        self._copies = self._parts = 0
        self._guards_before: list[syntax.Comparison] = []
        """The guards of bound variables that are chosen where the function begins."""

    # Predicates

    def predicate(self, f: Formula, free: Quantor | None) -> Expression:
        """A condition that holds where the formula does; witnesses may stand for quantifiers of the kind `free`."""
        self._parts += 1
        if self._parts > _MAX_PARTS:  # an equivalence has each side twice
            raise Unsupported(f.span, "this formula is too large")
        flipped = None if free is None else free.other
        match f:
            case syntax.Truth(span, truth):
                return tree.IntegerConstant(span, self._unit.int_, int(truth))
            case syntax.Prefix(span, "!", operand):
                return self._not(self.predicate(operand, flipped), span)
            case syntax.Infix(span, "&&", left, right):
                return self.conjunction(self.predicate(left, free), self.predicate(right, free), span)
            case syntax.Infix(span, "||", left, right):
                return self.disjunction(self.predicate(left, free), self.predicate(right, free), span)
            case syntax.Infix(span, "==>", left, right):
                return self._implies(left, right, free, span)
            case syntax.Infix(span, "<==>", left, right):
                there, back = self._implies(left, right, free, span), self._implies(right, left, free, span)
                return self.conjunction(there, back, span)
            case syntax.Choice(span, condition, then, otherwise):
                one = self._implies(condition, then, free, span)
                other = self.disjunction(self.predicate(condition, free), self.predicate(otherwise, free), span)
                return self.conjunction(one, other, span)
            case syntax.Comparison():
                return self._comparison(f)
            case syntax.Quantified():
                return self._quantified(f, free)
            case syntax.LeadsTo():
                return self.reached(f)
            case syntax.Valid():
                return self.validity(f)
            case syntax.Separated():
                return self.separation(f)
            case syntax.FloatPredicate():
                return self._reals.predicate(f, [self.value(one) for one in f.operands])
            case syntax.Old(operand=operand) if _is_predicate(operand):
                return self.old_predicate(f)
            case _:
                value = self.value(f).expression
                zero = tree.IntegerConstant(f.span, self._unit.int_, 0)
                return self._unit.binary(BinaryOperator.UNEQUAL, value, zero, f.span)

    def _implies(self, left: Formula, right: Formula, free: Quantor | None, span: Span) -> Expression:
        flipped = None if free is None else free.other
        return self.disjunction(self._not(self.predicate(left, flipped), span), self.predicate(right, free), span)

    def _not(self, e: Expression, span: Span) -> Expression:
        return tree.Unary(span, self._unit.int_, UnaryOperator.NOT, e)

    def _comparison(self, f: syntax.Comparison) -> Expression:
        values = [self.value(one) for one in f.operands]
        found: Expression | None = None
        for operator, left, right in zip(f.operators, values, values[1:], strict=False):
            one = self.compare(BinaryOperator(operator), left, right, f.span)
            found = one if found is None else self.conjunction(found, one, f.span)
        assert found is not None
        return found

    def compare(self, operator: BinaryOperator, left: BoundedValue, right: BoundedValue, span: Span) -> Expression:
        pointers = [one for one in (left, right) if isinstance(one.expression.type, Pointer)]
        if isinstance(left.expression.type, Float) or isinstance(right.expression.type, Float):
            return self._reals.compare(operator, left, right, span)
        if not pointers:
            return tree.Binary(span, self._unit.int_, operator, self._widened(left), self._widened(right))
        mixed = len(pointers) == 1 and not all(
            isinstance(one.expression, tree.IntegerConstant) and one.expression.value == 0
            for one in (left, right)
            if one is not pointers[0]
        )
        if mixed:
            raise ParseError(span, "a pointer is compared with an integer")
        return self._unit.binary(operator, left.expression, right.expression, span)

    # Quantifiers

    def _quantified(self, f: syntax.Quantified, free: Quantor | None) -> Expression:
        if any(one.type.endswith("*") for one in f.binders):
            return self.node_quantifier(f, free)
        bounds = self._ranges(f)
        if any(low > high for low, high in bounds):
            return tree.IntegerConstant(f.span, self._unit.int_, int(f.quantor is Quantor.FORALL))
        outer, chosen, guards = self._bound, self._chosen_before, self._guards_before
        try:
            self._chosen_before -= {one.name for one in f.binders}
            if f.quantor is free:
                return self._witnessed(f, bounds, free)
            if all(high - low < LARGEST_RANGE for low, high in bounds):
                return self._written_out(f, bounds, outer, free)
            return self._tried(f, bounds)
        finally:
            self._bound, self._chosen_before, self._guards_before = outer, chosen, guards

    def _witnessed(self, f: syntax.Quantified, bounds: Sequence[tuple[int, int]], free: Quantor) -> Expression:
        """The body for any values of the bound variables, chosen where `\\old` of them needs it."""
        names = frozenset(one.name for one in f.binders)
        if self._before is not None and any(mentions(one.operand, names) for one in old_parts(f.body)):
            self._chosen_before |= names
            self._guards_before = [*self._guards_before, *(one for one in guards_of(f) if self._is_fixed(one, names))]
        witnesses = [self._witness(one, *at) for one, at in zip(f.binders, bounds, strict=True)]
        self._bound = {**self._bound, **{one.name: at for one, at in zip(f.binders, witnesses, strict=True)}}
        return self.predicate(f.body, free)

    def _is_fixed(self, guard: syntax.Comparison, binders: frozenset[str]) -> bool:
        """Whether a guard says the same where the function begins: of bound variables, numbers and parameters."""
        names = names_of_terms(guard)
        return names is not None and all(self._is_parameter(one) for one in names - binders)

    def _is_parameter(self, name: str) -> bool:
        found = None if self._before is None or name in self._before.changed else self._unit.find(name)
        return isinstance(found, tree.Object) and found.storage is tree.Storage.PARAMETER

    def _ranges(self, f: syntax.Quantified) -> list[tuple[int, int]]:
        types = [self._binder_type(one) for one in f.binders]
        known: dict[str, BinderRange] = {
            one.name: (at.minimum, at.maximum) if at else (None, None) for one, at in zip(f.binders, types, strict=True)
        }
        found = Bounds(known, self._interval).of(f)
        result = []
        for binder in f.binders:
            low, high = found[binder.name]
            if low is None or high is None:
                wanted = "==>" if f.quantor is Quantor.FORALL else "&&"
                raise Unsupported(
                    binder.span,
                    f"the range of {binder.name} is not bounded: write low <= {binder.name} < high {wanted} …",
                )
            result.append((low, high))
        return result

    def _binder_type(self, binder: syntax.Binder) -> Integer | None:
        if binder.type not in _TYPES:
            raise ParseError(binder.span, f"{binder.type!r} is no type to quantify over")
        kind = _TYPES[binder.type]
        return None if kind is None else self._unit.model.integer(kind)

    def _interval(self, f: Formula) -> ValueInterval:
        return self.value(f).bounds

    def _witness(self, binder: syntax.Binder, low: int, high: int) -> BoundedValue:
        """An arbitrary value of its type: what lies outside of other bounds, the predicate itself excludes."""
        type_ = self._binder_type(binder) or self._fitting(low, high, binder)
        object_ = self._unit.local(f"{binder.name}!", type_, tree.Storage.AUTOMATIC, binder.span)
        declared = tree.Declaration(object_.span, object_, None)
        if self._before is not None and binder.name in self._chosen_before:
            object_ = self._before.choose(binder, lambda: (object_, (declared,)))
        else:
            self.statements.append(declared)
        return BoundedValue(loaded(object_, binder.span), (type_.minimum, type_.maximum))

    def _fitting(self, low: int, high: int, binder: syntax.Binder) -> Integer:
        """The smallest type that has these numbers."""
        model = self._unit.model
        for kind in (IntegerKind.INT, IntegerKind.LLONG, IntegerKind.INT128):
            if model.integer(kind).holds(low) and model.integer(kind).holds(high):
                return model.integer(kind)
        raise Unsupported(binder.span, f"the range of {binder.name} is too large")

    def _written_out(
        self,
        f: syntax.Quantified,
        bounds: Sequence[tuple[int, int]],
        outer: Mapping[str, BoundedValue],
        free: Quantor | None,
    ) -> Expression:
        ranges = [range(low, high + 1) for low, high in bounds]
        result: Expression | None = None
        for numbers in product(*ranges):
            self._copies += 1
            if self._copies > _MAX_COPIES:
                raise Unsupported(f.span, "these quantifiers have too many instances")
            constants = {
                binder.name: BoundedValue(tree.IntegerConstant(binder.span, self._wide, number), (number, number))
                for binder, number in zip(f.binders, numbers, strict=True)
            }
            self._bound = {**outer, **constants}
            one = self.predicate(f.body, free)
            join = self.conjunction if f.quantor is Quantor.FORALL else self.disjunction
            result = one if result is None else join(result, one, f.span)
        assert result is not None
        return result

    def _tried(self, f: syntax.Quantified, bounds: Sequence[tuple[int, int]]) -> Expression:
        """The result of loops over the values of the bound variables, which end where it is known."""
        loops: list[RangeLoop] = []
        for number, (binder, (low, high)) in enumerate(zip(f.binders, bounds, strict=True)):
            later = frozenset(one.name for one in f.binders[number:])
            (first, least), (last, most) = (self._limit(f, binder, later, *at) for at in ((">", low), ("<", high)))
            least, most = min(least, low), max(most, high) + 1
            type_ = self._fitting(least, most, binder)
            object_ = self._unit.local(f"{binder.name}!", type_, tree.Storage.AUTOMATIC, binder.span)
            loops.append(RangeLoop(object_, first, last))
            self._bound = {**self._bound, binder.name: BoundedValue(loaded(object_, binder.span), (least, most))}
        outer, walks = self.statements, self._walks
        self.statements, self._walks = [], {}
        condition = self.where_inside(self.predicate(f.body, None), f.span)
        inner, self.statements, self._walks = self.statements, outer, walks
        return RangeWalk(self._unit, f, loops, (*inner,), condition).expression

    def _limit(
        self, f: syntax.Quantified, binder: syntax.Binder, later: frozenset[str], side: str, bounds: int
    ) -> tuple[Expression, int]:
        """An end of the values to try, with the number that it does not exceed on its side: the first that guards give
        without later variables, else what is known.
        """
        formula = limit_of(f, binder.name, later, side)
        if formula is None:
            return tree.IntegerConstant(binder.span, self._wide, bounds), bounds
        limit, (low, high) = self._integer(formula)
        return limit, low if side == ">" else high

    # Terms

    def value(self, f: Formula) -> BoundedValue:
        """The value of a term."""
        match f:
            case syntax.Number(span, value):
                return self._checked(tree.IntegerConstant(span, self._wide, value), (value, value))
            case syntax.Real():
                return self._reals.constant(f)
            case syntax.Null(span):
                null = tree.IntegerConstant(span, self._unit.int_, 0)
                return BoundedValue(self._unit.converted(null, Pointer(Void())), (0, 0))
            case syntax.Infix() if f.operator not in ("&&", "||", "==>", "<==>"):
                return self._infix(f)
            case syntax.Prefix(operator="-" | "+" | "~"):
                return self._prefix(f)
            case syntax.Prefix(operator="&", span=span, operand=operand):
                return BoundedValue(self._unit.address(self._place(operand), span), (0, 0))
            case syntax.Choice(span, condition, then, otherwise):
                return self._choice(self.predicate(condition, None), self.value(then), self.value(otherwise), span)
            case syntax.Old():
                return self._old(f)
            case syntax.Name(name=name) if name in self._bound:
                return self._bound_value(f)
            case syntax.Comparison() | syntax.Quantified() | syntax.Truth() | syntax.Infix() | syntax.LeadsTo():
                raise Unsupported(f.span, "a predicate is used as a term")
            case syntax.Prefix(operator="!"):
                raise Unsupported(f.span, "a predicate is used as a term")
            case _:
                return self._scalar(self._unit.decayed(self._place(f)), f.span)

    def _bound_value(self, f: syntax.Name) -> BoundedValue:
        if self._in_old and f.name not in self._chosen_before:
            raise Unsupported(f.span, "\\old of this bound variable is not decided")
        return self._bound[f.name]

    def _scalar(self, e: Expression, span: Span) -> BoundedValue:
        match e.type:
            case Integer() as type_:
                if isinstance(e, tree.IntegerConstant):
                    return BoundedValue(e, (e.value, e.value))
                return BoundedValue(e, (type_.minimum, type_.maximum))
            case Pointer() | Float():
                return BoundedValue(e, (0, 0))
            case _:
                raise Unsupported(span, f"a value of type {e.type} is not decided in an annotation")

    def _integer(self, f: Formula) -> tuple[Expression, ValueInterval]:
        return self._as_integer(self.value(f), f.span)

    def _as_integer(self, value: BoundedValue, span: Span) -> tuple[Expression, ValueInterval]:
        if isinstance(value.expression.type, Float):
            raise Unsupported(span, "arithmetic on floating-point numbers is that of reals here, which is not decided")
        if not isinstance(value.expression.type, Integer):
            raise ParseError(span, f"an integer is expected, not {value.expression.type}")
        return self._widened(value), value.bounds

    def _widened(self, value: BoundedValue) -> Expression:
        return self._unit.converted(value.expression, self._wide)

    def _checked(self, e: Expression, bounds: ValueInterval) -> BoundedValue:
        if not (self._wide.holds(bounds[0]) and self._wide.holds(bounds[1])):
            raise Unsupported(e.span, "numbers of more than 128 bits are not decided")
        return BoundedValue(e, bounds)

    def _infix(self, f: syntax.Infix) -> BoundedValue:
        left = self.value(f.left)
        if isinstance(left.expression.type, Pointer) and f.operator in ("+", "-"):
            offset, _ = self._integer(f.right)
            operator = BinaryOperator(f.operator)
            return BoundedValue(self._unit.offset(operator, left.expression, offset, f.span), (0, 0))
        a, (low, high) = self._as_integer(left, f.left.span)
        b, (least, most) = self._integer(f.right)
        match f.operator:
            case "+":
                bounds = (low + least, high + most)
            case "-":
                bounds = (low - most, high - least)
            case "*":
                corners = [x * y for x in (low, high) for y in (least, most)]
                bounds = (min(corners), max(corners))
            case "/" | "%":
                if least <= 0 <= most:
                    raise Unsupported(f.right.span, "in annotations, divisors must be constants other than 0")
                size = max(abs(low), abs(high)) if f.operator == "/" else max(abs(least), abs(most)) - 1
                bounds = (-size, size)
            case "<<" | ">>":
                return self._shift(f, a, (low, high), least, most)
            case _:
                size = max(low.bit_length(), high.bit_length(), least.bit_length(), most.bit_length())
                bounds = (-(1 << size), (1 << size) - 1)
        return self._checked(tree.Binary(f.span, self._wide, BinaryOperator(f.operator), a, b), bounds)

    def _shift(self, f: syntax.Infix, a: Expression, bounds: ValueInterval, least: int, most: int) -> BoundedValue:
        """By a constant: a product, or what C has for the arithmetic shift."""
        if least != most or not 0 <= most < self._wide.bits:
            raise Unsupported(f.right.span, "in annotations, distances of shifts must be constants")
        distance = tree.IntegerConstant(f.right.span, self._unit.int_, most)
        shifted = tree.Binary(f.span, self._wide, BinaryOperator(f.operator), a, distance)
        low, high = bounds
        return self._checked(
            shifted, (low << most, high << most) if f.operator == "<<" else (low >> most, high >> most)
        )

    def _prefix(self, f: syntax.Prefix) -> BoundedValue:
        value = self.value(f.operand)
        if isinstance(value.expression.type, Float) and f.operator in ("-", "+"):
            return value if f.operator == "+" else self._reals.opposite(value, f.span)
        e, (low, high) = self._as_integer(value, f.operand.span)
        match f.operator:
            case "-":
                return self._checked(tree.Unary(f.span, self._wide, UnaryOperator.NEGATE, e), (-high, -low))
            case "~":
                return self._checked(tree.Unary(f.span, self._wide, UnaryOperator.COMPLEMENT, e), (~high, ~low))
            case _:
                return BoundedValue(e, (low, high))

    def _choice(self, condition: Expression, then: BoundedValue, otherwise: BoundedValue, span: Span) -> BoundedValue:
        bounds = (min(then.bounds[0], otherwise.bounds[0]), max(then.bounds[1], otherwise.bounds[1]))
        types = (then.expression.type, otherwise.expression.type)
        if any(isinstance(one, Pointer | Float) for one in types):
            what = "pointers" if any(isinstance(one, Pointer) for one in types) else "floating-point numbers"
            raise Unsupported(span, f"a choice between {what} is not decided in an annotation")
        chosen = tree.Conditional(span, self._wide, condition, self._widened(then), self._widened(otherwise))
        return BoundedValue(chosen, bounds)

    # Objects of the program

    def _place(self, f: Formula) -> Expression | Lvalue:
        """The object that a term denotes, or its value."""
        span, unit = f.span, self._unit
        match f:
            case syntax.Name():
                return self._named(f)
            case syntax.Result():
                return self._result(f)
            case syntax.Prefix(operator="*", operand=operand):
                return unit.dereference(self._pointer(operand), span)
            case syntax.Subscript(base=base, index=index):
                offset, _ = self._integer(index)
                return unit.dereference(unit.offset(BinaryOperator.ADD, self._pointer(base), offset, span), span)
            case syntax.Selection(base=base, arrow=arrow, field=name):
                inner = unit.dereference(self._pointer(base), base.span) if arrow else self._place(base)
                return self._member(inner, name, span)
            case _:
                return self.value(f).expression

    def _pointer(self, f: Formula) -> Expression:
        found = (
            self.value(f).expression if isinstance(f, syntax.Infix | syntax.Old) else self._unit.decayed(self._place(f))
        )
        if not isinstance(found.type, Pointer) or isinstance(found.type.target, Void):
            raise ParseError(f.span, f"a value of type {found.type} leads to no object")
        return found

    def _member(self, base: Expression | Lvalue, name: str, span: Span) -> Lvalue:
        if not isinstance(base, Lvalue) or not isinstance(base.type, Record):
            raise ParseError(span, f"a value of type {base.type} has no members")
        if not base.type.is_complete:
            raise ParseError(span, f"{base.type} is incomplete")
        path = member_path(base.type, name)
        if not path:
            raise ParseError(span, f"{base.type} has no member {name!r}")
        for field in path:
            base = tree.Member(span, field.type, base, field)
        return base

    def _named(self, f: syntax.Name) -> Expression | Lvalue:
        if f.name in self._bound:
            return self._bound_value(f).expression
        match self._unit.find(f.name):
            case tree.Object() as object_:
                if self._before and not self._in_old and object_.storage is tree.Storage.PARAMETER:
                    object_ = self._before.parameter(object_)
                return tree.Variable(f.span, object_.type, object_)
            case EnumConstant(value=value):
                return tree.IntegerConstant(f.span, self._wide, value)
            case FunctionName():
                raise Unsupported(f.span, f"the function {f.name} is not decided in an annotation")
            case _:
                raise ParseError(f.span, f"{f.name!r} is not declared here")

    def _result(self, f: syntax.Result) -> Lvalue:
        if self._before is None or not self._before.is_after or self._in_old:
            raise ParseError(f.span, "\\result is for ensures")
        object_ = self._before.result
        if object_ is None:
            raise ParseError(f.span, "the function has no result")
        return tree.Variable(f.span, object_.type, object_)

    def _old(self, f: syntax.Old) -> BoundedValue:
        before = self.before(f)
        if self._in_old:
            return self.value(f.operand)
        with self.at_begin(before):
            value = self.value(f.operand)
            if isinstance(value.expression, tree.IntegerConstant):
                return value
            kept = self._where_bounded(f, value.expression)
        return BoundedValue(loaded(before.keep(f.operand, kept, ()), f.span), value.bounds)

    def _where_bounded(self, f: syntax.Old, value: Expression) -> Expression:
        """The value of a term; any where guards of its bound variables exclude these, or it would leave an array."""
        if not mentions(f.operand, self._chosen_before):
            return value
        conditions = [self._comparison(one) for one in self._guards_before]
        within = definedness(value, self._unit.int_)
        conditions += [within] if within is not None else []
        if not conditions:
            return value
        condition = reduce(lambda left, right: self.conjunction(left, right, f.span), conditions)
        return self.unless_unspecified(condition, value, value.type, f.span)


def _is_predicate(f: Formula) -> bool:
    """Whether a formula is a predicate, so that `\\old` of it is one, too."""
    match f:
        case syntax.LeadsTo() | syntax.Comparison() | syntax.Truth() | syntax.Valid() | syntax.Prefix(operator="!"):
            return True
        case syntax.Infix(operator="&&" | "||" | "==>" | "<==>"):
            return True
        case _:
            return False
