"""Everything that an operator of terms must have, over every operator.

A new operator has a row in `SAMPLES`, which makes terms of it. Each function of `REQUIRED` then says what is missing.
What cannot be has a row in `REFUSED`, with the exception that says so.

A synthetic operator, which no pass names, shows what each does with one that it does not know (`UNNAMED`), that engines
answer nothing wrong about it, and what is missed where it has no row (`NEEDS_ROW`): all else has it from there. Every
file that names operators says in one line what it does with the others.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import cast

import pytest

from core.analysis.bounds import Intervals
from core.analysis.intervals import IntervalAnalysis
from core.decision.kernel import Kernel
from core.decision.propositional import Propositional
from core.decision.solver_record import SolverRecord
from core.decision.widening import width
from core.limits import SolverUndecided
from core.program import Program, Range
from core.program.expansion import Expansion
from core.program.semantics import range_facts
from core.solver.bitwuzla_search import BitwuzlaSearch
from core.solver.bitwuzla_solver import BitwuzlaFactory
from core.solver.contract import Sat, Solver, Unsat
from core.solver.cvc5_solver import Cvc5Factory
from core.solver.z3_solver import Z3Factory
from core.terms import (
    BIT_OPERATORS,
    BOOL,
    FUNCTIONS,
    INT,
    INT_ARRAY,
    Arena,
    ArraySort,
    ArrayValue,
    ConstantTable,
    NotEvaluable,
    Op,
    Substitution,
    Term,
    Value,
    called_functions,
    evaluate,
    lift_choices,
    subterms,
    to_c,
    to_math,
    to_smtlib,
)
from core.terms.float_functions import FloatFunction, FloatOperation, float_function
from core.terms.floats import DOUBLE, FLOAT
from core.terms.operators import Treatment
from core.terms.printing import to_readable_c
from core.terms.smtlib import NotReadable, SmtlibReader
from core.terms.traversal import rebuild
from interplay.witnesses.formats.expression import conjuncts
from interplay.witnesses.formats.known import Known
from methods.clauses.simplification import RuleSimplifier
from methods.discovery.horn import Rule
from methods.domains.explicit.cells import Cells, Explicit
from methods.domains.explicit.compiler import StepCompiler
from methods.engines.concrete.expressions import HELPERS, ConcreteArray, NoExpression, expression
from runs.termtable import TermTable, read_table
from sat.proof_trace import ProvingSolver
from tests.support import compiled
from tests.support.program_builder import ProgramBuilder
from tests.support.random_terms import RandomTerms
from tests.support.synthetic import applied, new_member, new_operator

SMALL = Range(-4, 4)  # all values of symbols
COUNT = 4  # samples of each operator


# Samples


@dataclass(frozen=True)
class Sample:
    """A term, values of its symbols, and its value under them."""

    draw: RandomTerms
    term: Term
    assignment: Mapping[Term, Value]
    value: Value

    @property
    def arena(self) -> Arena:
        return self.draw.arena

    def range_of(self, symbol: Term) -> Range | None:
        return SMALL if symbol in self.draw.symbols and symbol.sort != BOOL else None

    def claim(self) -> Term:
        """A formula that says that the term has its value."""
        return self._has(self.term, self.value)

    def facts(self) -> list[Term]:
        """Formulas that fix the values of the symbols."""
        return [self._has(symbol, value) for symbol, value in self.assignment.items()]

    def _has(self, term: Term, value: Value) -> Term:
        arena = self.arena
        match value:
            case bool():
                return term if value else arena.not_(term)
            case int():
                return arena.equals(term, arena.integer(value))
            case _:
                indices = range(SMALL.low, SMALL.high + 1)
                return arena.and_(*(self._has(arena.select(term, arena.integer(i)), value[i]) for i in indices))


def integer(draw: RandomTerms) -> Term:
    return draw.integer(draw.random.randint(0, 1))


def formula(draw: RandomTerms) -> Term:
    return draw.formula(draw.random.randint(0, 1))


def array(draw: RandomTerms) -> Term:
    return draw.array(draw.random.randint(0, 1))


def choice(draw: RandomTerms) -> Term:
    """A choice between two terms of any sort."""
    make = draw.random.choice((formula, integer, array))
    return draw.arena.ite(formula(draw), make(draw), make(draw))


def positive(draw: RandomTerms) -> Term:
    """A number from 1 to 3."""
    return draw.arena.add(draw.arena.modulo(draw.integer(0), draw.arena.integer(3)), draw.arena.one)


def quantified(draw: RandomTerms) -> Term:
    """`∀k. k ≤ x ⇒ k ≤ x + n`, which is true where n is not negative."""
    arena, k, x = draw.arena, draw.arena.fresh("k", INT), draw.random.choice(draw.integers)
    more = arena.add(x, arena.integer(draw.random.randint(-2, 2)))
    return arena.forall([k], arena.implies(arena.le(k, x), arena.le(k, more)))


FLOAT_FUNCTIONS = (
    *(
        float_function(one, FLOAT)
        for one in (FloatOperation.ADD, FloatOperation.MULTIPLY, FloatOperation.SQRT, FloatOperation.FMA)
    ),
    float_function(FloatOperation.TO_INT, DOUBLE, -128, 127),
    float_function(FloatOperation.CONVERT, DOUBLE, FLOAT),
)


def _float(draw: RandomTerms, function: FloatFunction) -> Term:
    """An operation on numbers some of which are large."""
    scale = draw.arena.integer(1 << function.format.precision - draw.random.randrange(4))
    return draw.arena.compute(function, *(draw.arena.multiply(scale, integer(draw)) for _ in range(function.arity)))


SAMPLES: Mapping[Op, Callable[[RandomTerms], Term]] = {
    Op.CONSTANT: lambda d: d.random.choice((d.arena.true, d.arena.false, d.arena.integer(d.random.randint(-9, 9)))),
    Op.SYMBOL: lambda d: d.random.choice(d.symbols),
    Op.NOT: lambda d: d.arena.not_(formula(d)),
    Op.AND: lambda d: d.arena.and_(formula(d), formula(d), formula(d)),
    Op.OR: lambda d: d.arena.or_(formula(d), formula(d), formula(d)),
    Op.IFF: lambda d: d.arena.iff(formula(d), formula(d)),
    Op.ITE: choice,
    Op.LINEAR: lambda d: d.arena.linear([(d.random.randint(-3, 3), integer(d)), (2, integer(d))], 1),
    Op.LE: lambda d: d.arena.le(integer(d), integer(d)),
    Op.EQ: lambda d: d.arena.equals(integer(d), integer(d)),
    Op.MULTIPLY: lambda d: d.arena.multiply(integer(d), integer(d)),
    Op.DIVIDE: lambda d: d.arena.divide(integer(d), d.random.choice((d.arena.integer(-3), positive(d)))),
    Op.MODULO: lambda d: d.arena.modulo(integer(d), d.random.choice((d.arena.integer(-3), positive(d)))),
    Op.SELECT: lambda d: d.arena.select(d.array(1), d.integer(0)),
    Op.STORE: lambda d: d.arena.store(d.array(1), d.integer(0), d.integer(0)),
    Op.CONST_ARRAY: lambda d: d.arena.const_array(INT_ARRAY, d.arena.integer(d.random.randint(-4, 4))),
    Op.FORALL: quantified,
    Op.BIT_AND: lambda d: d.arena.bit_and(integer(d), integer(d)),
    Op.BIT_OR: lambda d: d.arena.bit_or(integer(d), integer(d)),
    Op.BIT_XOR: lambda d: d.arena.bit_xor(integer(d), integer(d)),
    Op.SHIFT_LEFT: lambda d: d.arena.shift_left(integer(d), positive(d)),
    Op.SHIFT_RIGHT: lambda d: d.arena.shift_right(integer(d), positive(d)),
    Op.LOOKUP: lambda d: d.arena.lookup(ConstantTable((3, -2, 4, 0, 1)), integer(d)),
    Op.FLOAT: lambda d: _float(d, d.random.choice(FLOAT_FUNCTIONS)),
}
"""A random term for each operator; one that its normal form gives another operator is drawn again."""


def value_of(term: Term, assignment: Mapping[Term, Value]) -> Value:
    """The value of a term; a quantifier that is all of it ranges over the numbers that matter here."""
    if term.op is not Op.FORALL:
        return evaluate(term, assignment)
    (bound,) = term.bound
    return all(evaluate(term.args[0], {**assignment, bound: number}) for number in range(-20, 21))


@cache
def samples(op: Op) -> Sequence[Sample]:
    return made(op, SAMPLES[op])


def made(op: Op, make: Callable[[RandomTerms], Term]) -> Sequence[Sample]:
    found: list[Sample] = []
    for seed in range(100 * COUNT):
        draw = RandomTerms(seed)
        term = make(draw)
        if term.op is op:
            values = draw.values()
            found.append(Sample(draw, term, values, value_of(term, values)))
        if len(found) == COUNT:
            return found
    raise AssertionError(f"too few terms have the operator {op.name}")


# Terms


def normal_form(s: Sample) -> None:
    assert rebuild(s.arena, s.term, s.term.args) is s.term


def substitution(s: Sample) -> None:
    assert s.term.symbols() <= set(s.assignment)
    constants = {x: _constant(s.arena, value) for x, value in s.assignment.items() if not isinstance(value, ArrayValue)}
    found = Substitution(s.arena, constants)(s.term)
    assert found.symbols() <= set(s.draw.arrays)
    assert value_of(found, s.assignment) == s.value


def _constant(arena: Arena, value: bool | int) -> Term:
    return arena.boolean(value) if isinstance(value, bool) else arena.integer(value)


def lifted_choices(s: Sample) -> None:
    if s.term.sort == BOOL:
        assert value_of(lift_choices(s.arena, s.term), s.assignment) == s.value


def evaluation(s: Sample) -> None:
    assert evaluate(s.term, s.assignment) == s.value


def text(s: Sample) -> None:
    assert all((repr(s.term), to_math(s.term), to_c(s.term), to_readable_c(s.term, lambda _: (SMALL.low, SMALL.high))))


def smtlib(s: Sample) -> None:
    reader = SmtlibReader(s.arena, {symbol.name: symbol for symbol in s.draw.symbols})
    assert reader.read(to_smtlib(s.term)) is s.term


def table(s: Sample) -> None:
    rows = TermTable()
    number = rows.id(s.term)
    assert read_table(rows.rows, s.arena).term(number) is s.term
    other = Arena()
    elsewhere = {other.symbol(symbol.name, symbol.sort): value for symbol, value in s.assignment.items()}
    assert value_of(read_table(rows.rows, other).term(number), elsewhere) == s.value


# Solvers


def z3_integers(s: Sample) -> None:
    _decides(Z3Factory()(effort=2000), s)


def z3_bits(s: Sample) -> None:
    _decides(Z3Factory(0, s.range_of)(effort=2000), s)


def cvc5_integers(s: Sample) -> None:
    _decides(Cvc5Factory()(effort=2000), s)


def _decides(solver: Solver, s: Sample) -> None:
    """The claim is the only possibility, and the model has the value."""
    solver.add(*s.facts())
    with solver.scope():
        solver.add(s.arena.not_(s.claim()))
        assert isinstance(solver.check(), Unsat)
    if s.term.op is not Op.FORALL:  # that there is a model is more than solvers find out
        solver.add(s.claim())
        answer = solver.check()
        assert isinstance(answer, Sat)
        assert _same(answer.model.value(s.term), s.value)


def _same(found: Value, expected: Value) -> bool:
    if isinstance(found, ArrayValue) and isinstance(expected, ArrayValue):
        return all(found[i] == expected[i] for i in range(SMALL.low, SMALL.high + 1))
    return found == expected


def cvc5_bits(s: Sample) -> None:
    assert Cvc5Factory().refutes_widened(*_wrong(s), effort=2000)


def bitwuzla_bits(s: Sample) -> None:
    assert BitwuzlaFactory().refutes(*_wrong(s), effort=2000)


def bitwuzla_search(s: Sample) -> None:
    for formula, answer in ((s.arena.not_(s.claim()), Unsat), (s.claim(), Sat)):
        solver = BitwuzlaSearch(0, s.range_of, 2000, lambda: False)
        solver.add(*range_facts(s.arena, [*s.facts(), formula], s.range_of), *s.facts())
        found = solver.check([formula])
        assert isinstance(found, answer)
        if isinstance(found, Sat) and not isinstance(s.term.sort, ArraySort):
            assert found.model.value(s.term) == s.value


def _wrong(s: Sample) -> tuple[list[Term], int]:
    """Formulas that say that the claim does not hold, and the bits that they need."""
    wrong = [*s.facts(), s.arena.not_(s.claim())]
    formulas = [*range_facts(s.arena, wrong, s.range_of), *wrong]
    bits = width(formulas, Intervals(s.range_of))
    if bits is None:
        raise SolverUndecided("no width is enough")
    return formulas, bits


# Analyses and proofs


def bounds(s: Sample) -> None:
    interval = Intervals(s.range_of)(s.term)
    for number in _numbers(s.value):
        assert interval.low is None or interval.low <= number
        assert interval.high is None or number <= interval.high


def _numbers(value: Value) -> Iterator[int]:
    match value:
        case bool():
            return
        case int():
            yield value
        case _:
            yield from (value[i] for i in range(SMALL.low, SMALL.high + 1))


def interval_analysis(s: Sample) -> None:
    if s.term.sort == INT:
        assert isinstance(s.value, int)
        low, high = IntervalAnalysis(_program(s)).value(s.term, {}, {})
        assert low is None or low <= s.value
        assert high is None or s.value <= high


def _program(s: Sample) -> Program:
    """A program with the symbols as variables, which does nothing."""
    builder = ProgramBuilder(s.arena)
    for symbol in s.draw.symbols:
        builder.variable(symbol.name, s.range_of(symbol), symbol.sort)
    place = builder.location()
    builder.function("main", place, place)
    return builder.program()


def propositional(s: Sample) -> None:
    """A formula that is true is never refuted, and follows from itself."""
    claim = s.claim()
    with ProvingSolver() as solver:
        kernel = Kernel(s.arena, s.range_of, SolverRecord(Cvc5Factory()))
        proofs = Propositional(s.arena, kernel, solver, 1000)
        group = proofs.new_group()
        for fact in s.facts():
            proofs.include(group, proofs.learn(fact))
        assert proofs.used([claim], [group]) is None
        assert proofs.used([claim, s.arena.not_(claim)], []) == ()


def clauses(s: Sample) -> None:
    """The clauses of a rule for Spacer, which have no bit operators and still allow what is true."""
    simplifier = RuleSimplifier(s.arena, s.range_of)
    claim = s.claim()
    rule = Rule((), s.arena.and_(*range_facts(s.arena, [claim], s.range_of), claim), None)
    seen = simplifier.approximated(simplifier.decided(rule)).constraint
    assert not any(t.op in BIT_OPERATORS for t in subterms(seen))
    solver = Z3Factory()(effort=2000)
    solver.add(*s.facts(), seen)
    assert isinstance(solver.check(), Sat)


# Compilers and writers


def explicit_values(s: Sample) -> None:
    """With all symbols known, the value is; with some, nothing else is. What cannot be computed is not known."""
    value = StepCompiler(cast(Expansion, _NoProgram())).term(s.term)
    known: dict[Term, Explicit] = {x: _explicit(one) for x, one in s.assignment.items()}
    if (found := value(known)) is None:
        raise NotEvaluable("not known")
    assert _agrees(found, s.value)
    for missing in known:
        part = value({x: one for x, one in known.items() if x is not missing})
        assert part is None or _agrees(part, s.value)


class _NoProgram:
    """The part of an expansion that the compiler asks about symbols."""

    def is_input(self, symbol: Term) -> bool:
        return False

    def range_of(self, symbol: Term) -> Range | None:
        return None


def _explicit(value: Value) -> Explicit:
    if isinstance(value, ArrayValue):
        return Cells(value.default, {i: one for i, one in value.entries.items() if one != value.default})
    return value


def _agrees(found: Explicit, value: Value) -> bool:
    if isinstance(found, Cells) and isinstance(value, ArrayValue):
        return all(found.at(i) in (None, value[i]) for i in range(SMALL.low, SMALL.high + 1))
    return found == value


def concrete_execution(s: Sample) -> None:
    lines: list[str] = []

    def name(code: str) -> str:
        lines.append(f"n{len(lines)} = {code}")
        return f"n{len(lines) - 1}"

    arrays = {x.name: ConcreteArray(v.default, v.entries) for x, v in s.assignment.items() if isinstance(v, ArrayValue)}
    values = {x.name: v for x, v in s.assignment.items() if not isinstance(v, ArrayValue)}
    result = expression(s.term, lambda symbol: symbol.name, name)
    found = _executed([*lines, f"result = {result}"], {**HELPERS, **called_functions([s.term]), **values, **arrays})
    if isinstance(found, ConcreteArray):
        found = ArrayValue(found.default, dict(found))
    assert isinstance(found, bool | int | ArrayValue)
    assert _same(found, s.value)


def _executed(lines: Sequence[str], names: dict[str, object]) -> object:
    exec("\n".join(lines), names)
    return names["result"]


def simulation(s: Sample) -> None:
    """The compiled simulation of the tests."""
    terms = compiled._Terms({symbol: symbol.name for symbol in s.draw.symbols}, {})
    result = terms.text(s.term)
    values: dict[str, object] = {
        x.name: compiled.Array(v.default, dict(v.entries)) if isinstance(v, ArrayValue) else v
        for x, v in s.assignment.items()
    }
    called = called_functions([s.term])
    found = _executed([*terms.lines, f"result = {result}"], {**compiled.HELPERS, **called, **values})
    if isinstance(found, compiled.Array):
        found = ArrayValue(found.default, found.owned())
    assert isinstance(found, bool | int | ArrayValue)
    assert _same(found, s.value)


def witness(s: Sample) -> None:
    """Expressions of witnesses: what has none is left out."""
    assert isinstance(conjuncts(s.arena, s.claim(), _in_c), tuple)


def _in_c(symbol: Term) -> Known | None:
    if symbol.sort == BOOL:
        return None
    return Known(symbol.name, SMALL.low, SMALL.high, 5 if isinstance(symbol.sort, ArraySort) else None)


REQUIRED: Mapping[str, Callable[[Sample], None]] = {
    one.__name__: one
    for one in (
        normal_form,
        substitution,
        lifted_choices,
        evaluation,
        text,
        smtlib,
        table,
        z3_integers,
        z3_bits,
        cvc5_integers,
        cvc5_bits,
        bitwuzla_bits,
        bitwuzla_search,
        bounds,
        interval_analysis,
        propositional,
        clauses,
        explicit_values,
        concrete_execution,
        simulation,
        witness,
    )
}

REFUSED: Mapping[tuple[str, Op], type[Exception]] = {
    # Bits of integers are decided over bit-vectors only.
    **{("z3_integers", op): SolverUndecided for op in BIT_OPERATORS},
    **{("cvc5_integers", op): SolverUndecided for op in BIT_OPERATORS},
    # Over integers, cvc5 knows of a table between which numbers its numbers are, and which positions are equal.
    ("smtlib", Op.LOOKUP): NotReadable,
    ("cvc5_bits", Op.LOOKUP): SolverUndecided,
    # Nor do others than Bitwuzla know more of an operation on floating-point numbers.
    ("smtlib", Op.FLOAT): NotReadable,
    ("cvc5_bits", Op.FLOAT): SolverUndecided,
    # A quantifier is a conjunct of an invariant: programs have none, and nothing computes with it.
    ("evaluation", Op.FORALL): NotEvaluable,
    ("smtlib", Op.FORALL): NotReadable,
    ("z3_bits", Op.FORALL): SolverUndecided,
    ("cvc5_bits", Op.FORALL): SolverUndecided,
    ("bitwuzla_bits", Op.FORALL): SolverUndecided,
    ("bitwuzla_search", Op.FORALL): SolverUndecided,
    ("explicit_values", Op.FORALL): NotEvaluable,
    ("concrete_execution", Op.FORALL): NoExpression,
    ("simulation", Op.FORALL): KeyError,
}
"""What an operator cannot have, and the exception that says so."""


@pytest.mark.long
@pytest.mark.parametrize("op", Op, ids=lambda op: op.name)
@pytest.mark.parametrize("required", REQUIRED)
def test_an_operator_has_all_it_needs(required: str, op: Op) -> None:
    assert op in SAMPLES, f"{op.name} has no samples: say how terms of it are made"
    for sample in samples(op):
        if (required, op) in REFUSED:
            with pytest.raises(REFUSED[required, op]):
                REQUIRED[required](sample)
        else:
            REQUIRED[required](sample)


def test_nothing_is_refused_that_is_not_there() -> None:
    assert {required for required, _ in REFUSED} <= set(REQUIRED)


# An operator that no pass names


UNNAMED: Mapping[str, Treatment] = {
    "normal_form": Treatment.EXACT,
    "substitution": Treatment.EXACT,
    "lifted_choices": Treatment.EXACT,
    "evaluation": Treatment.EXACT,
    "text": Treatment.EXACT,
    "smtlib": Treatment.EXACT,
    "table": Treatment.EXACT,
    "z3_integers": Treatment.OPAQUE,
    "z3_bits": Treatment.OPAQUE,
    "cvc5_integers": Treatment.OPAQUE,
    "cvc5_bits": Treatment.OPAQUE,
    "bitwuzla_bits": Treatment.OPAQUE,
    "bitwuzla_search": Treatment.OPAQUE,
    "bounds": Treatment.EXACT,
    "interval_analysis": Treatment.EXACT,
    "propositional": Treatment.EXACT,
    "clauses": Treatment.EXACT,
    "explicit_values": Treatment.EXACT,
    "concrete_execution": Treatment.EXACT,
    "simulation": Treatment.EXACT,
    "witness": Treatment.EXACT,
}
"""The part that each function of `REQUIRED` shows of it: all, or what is left where a value is not known."""

NEEDS_ROW = {
    "normal_form": ValueError,
    "substitution": ValueError,
    "evaluation": KeyError,
    "smtlib": KeyError,
    "table": ValueError,
    "z3_integers": SolverUndecided,
    "z3_bits": SolverUndecided,
    "cvc5_integers": KeyError,
    "cvc5_bits": SolverUndecided,
    "bitwuzla_bits": SolverUndecided,
    "bitwuzla_search": SolverUndecided,
    "clauses": SolverUndecided,
    "explicit_values": NotEvaluable,
    "concrete_execution": NoExpression,
    "simulation": NameError,
}
"""The errors where an operator has no row; the others know nothing of its values, or need no more than its name."""


@pytest.mark.long
@pytest.mark.parametrize("required", REQUIRED)
def test_an_operator_with_no_more_than_a_row_is_read_as_declared(
    required: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    synthetic = new_operator(monkeypatch)
    for sample in made(synthetic, lambda d: applied(synthetic, d.arena, d.random.choice(d.integers), integer(d))):
        opaque = UNNAMED[required] is Treatment.OPAQUE
        with pytest.raises(SolverUndecided) if opaque else nullcontext():
            REQUIRED[required](sample)


@pytest.mark.parametrize("required", REQUIRED)
def test_an_operator_without_a_row_is_noticed(required: str, monkeypatch: pytest.MonkeyPatch) -> None:
    member = new_member(monkeypatch)
    draw = RandomTerms(1)
    x, y = draw.integers[:2]
    values: Mapping[Term, Value] = {s: 1 if s in draw.integers else v for s, v in draw.values().items()}
    sample = Sample(draw, applied(member, draw.arena, x, y), values, 6)
    with pytest.raises(NEEDS_ROW[required]) if required in NEEDS_ROW else nullcontext():
        REQUIRED[required](sample)


# Files that name operators


ROOT = Path(__file__).parents[2]
PACKAGES = ("core", "methods", "runs", "frontend", "interplay", "gui", "benchmarks")


def declared(tree: ast.Module) -> list[str]:
    """The default that a module declares for operators that it does not name."""
    return [
        node.value.attr
        for node in tree.body
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Attribute)
        and [target.id for target in node.targets if isinstance(target, ast.Name)] == ["OTHER_OPERATORS"]
    ]


def names_operators(tree: ast.Module) -> bool:
    return any(
        isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "Op"
        for node in ast.walk(tree)
    )


@cache
def passes() -> dict[str, list[str]]:
    """The defaults that each file with operators declares, by its path."""
    found = {}
    for path in sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py")):
        text = path.read_text()
        if "Op." in text or "OTHER_OPERATORS" in text:
            tree = ast.parse(text)
            if names_operators(tree) or declared(tree):
                found[str(path.relative_to(ROOT))] = declared(tree)
    return found


MAKES = {"core/terms/term.py", "core/terms/operators.py", "core/terms/arena.py"}
"""The files that say what an operator is: those which a new one touches."""


def test_every_file_that_names_operators_says_what_it_does_with_others() -> None:
    silent = [file for file, default in passes().items() if len(default) != 1 and file not in MAKES]
    assert not silent, f"without `OTHER_OPERATORS = Treatment.…`: {silent}"
    assert not [file for file in MAKES if passes().get(file)]


def test_every_integer_operator_without_payload_has_a_row() -> None:
    assert set(FUNCTIONS) == set(Op) - {
        *(Op.CONSTANT, Op.SYMBOL, Op.NOT, Op.AND, Op.OR, Op.IFF, Op.ITE, Op.LINEAR, Op.LE, Op.EQ),
        *(Op.SELECT, Op.STORE, Op.CONST_ARRAY, Op.FORALL, Op.LOOKUP, Op.FLOAT),
    }
