"""Boolean circuits in negation normal form, the form of interpolants (McMillan, CAV 2003).

A circuit is a list of gates, arguments first, its output last, so shared parts are written once and every traversal is
a loop. Inputs are literals: a variable, or its negation as the negative number.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class InputLiteral:
    """An input, or its negation."""

    literal: int


@dataclass(frozen=True, slots=True)
class And:
    """The conjunction of earlier gates, at least two; of none: true."""

    args: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """The disjunction of earlier gates, at least two; of none: false."""

    args: tuple[int, ...]


Gate = InputLiteral | And | Or


@dataclass(frozen=True, slots=True)
class Circuit:
    """A circuit: a list of gates, whose last one gives its value."""

    gates: tuple[Gate, ...]

    def fold(
        self,
        literal: Callable[[int], Value],
        conjunction: Callable[[Sequence[Value]], Value],
        disjunction: Callable[[Sequence[Value]], Value],
    ) -> Value:
        """The output's value, where each gate's comes from its arguments' values."""
        values: list[Value] = []
        for gate in self.gates:
            match gate:
                case InputLiteral(number):
                    values.append(literal(number))
                case And(args):
                    values.append(conjunction([values[a] for a in args]))
                case Or(args):
                    values.append(disjunction([values[a] for a in args]))
        return values[-1]

    def value(self, variables: Mapping[int, bool]) -> bool:
        """The output where the inputs have these values."""
        return self.fold(lambda x: variables[abs(x)] == (x > 0), all, any)

    def variables(self) -> frozenset[int]:
        """The inputs on which the circuit is built."""
        return frozenset(abs(gate.literal) for gate in self.gates if isinstance(gate, InputLiteral))

    def renamed(self, literal: Callable[[int], int]) -> Circuit:
        """The circuit over other inputs: `literal` maps each literal, and negations to negations."""
        builder = CircuitBuilder()
        output = self.fold(lambda x: builder.literal(literal(x)), builder.conjunction, builder.disjunction)
        return builder.circuit(output)

    def where_false(self, literals: Container[int]) -> Circuit:
        """The circuit where each of `literals` is false."""
        builder = CircuitBuilder()

        def input_or_false(x: int) -> int:
            return builder.disjunction(()) if x in literals else builder.literal(x)

        return builder.circuit(self.fold(input_or_false, builder.conjunction, builder.disjunction))

    def conjuncts(self) -> tuple[Circuit, ...]:
        """Circuits whose conjunction is this one, none of them a conjunction; without repetition."""
        return tuple(map(self._cone, self._below(len(self.gates) - 1, And)))

    def clause(self) -> tuple[int, ...] | None:
        """The literals whose disjunction the circuit is, in ascending order of variables; None if it is none."""
        literals: list[int] = []
        for leaf in self._below(len(self.gates) - 1, Or):
            gate = self.gates[leaf]
            if not isinstance(gate, InputLiteral):
                return None
            literals.append(gate.literal)
        return tuple(sorted(literals, key=abs))

    def clauses(self) -> tuple[tuple[int, ...], ...] | None:
        """The circuit read as a formula in conjunctive normal form; None if it has a conjunction in a disjunction."""
        clauses = [conjunct.clause() for conjunct in self.conjuncts()]
        found = tuple(clause for clause in clauses if clause is not None)
        return found if len(found) == len(clauses) else None

    def _below(self, top: int, kind: type[And] | type[Or]) -> Iterator[int]:
        """The first gates that are not of `kind` on the ways down from `top`, in the order of a depth-first walk."""
        seen, stack = {top}, [top]
        while stack:
            gate = self.gates[i := stack.pop()]
            if isinstance(gate, InputLiteral) or not isinstance(gate, kind):
                yield i
                continue
            new = [a for a in gate.args if a not in seen]
            seen.update(new)
            stack.extend(reversed(new))

    def _cone(self, output: int) -> Circuit:
        return _cone(self.gates, output)


class CircuitBuilder:
    """Builds circuits gate by gate; equal gates are one.

    Gates are simplified by constants, repeated and single arguments.
    """

    def __init__(self) -> None:
        self._gates: list[Gate] = []
        self._numbers: dict[Gate, int] = {}
        self.true = self._gate(And(()))
        self.false = self._gate(Or(()))

    def literal(self, literal: int) -> int:
        """An input. Raises `ValueError` for 0."""
        if literal == 0:
            raise ValueError("0 is not a literal")
        return self._gate(InputLiteral(literal))

    def conjunction(self, args: Sequence[int]) -> int:
        """The gate of `∧ args`."""
        kept = [a for a in dict.fromkeys(args) if a != self.true]
        if self.false in kept:
            return self.false
        return kept[0] if len(kept) == 1 else self._gate(And(tuple(kept)))

    def disjunction(self, args: Sequence[int]) -> int:
        """The gate of `∨ args`."""
        kept = [a for a in dict.fromkeys(args) if a != self.false]
        if self.true in kept:
            return self.true
        return kept[0] if len(kept) == 1 else self._gate(Or(tuple(kept)))

    def circuit(self, output: int) -> Circuit:
        """The circuit of a gate, without the gates that it does not use."""
        return _cone(self._gates, output)

    def _gate(self, gate: Gate) -> int:
        number = self._numbers.get(gate)
        if number is None:
            number = self._numbers[gate] = len(self._gates)
            self._gates.append(gate)
        return number


def _cone(gates: Sequence[Gate], output: int) -> Circuit:
    """The circuit of gate `output`, its gates in the order of `gates`."""
    needed, stack = {output}, [output]
    while stack:
        gate = gates[stack.pop()]
        new = [a for a in gate.args if a not in needed] if not isinstance(gate, InputLiteral) else []
        needed.update(new)
        stack.extend(new)
    kept = sorted(needed)
    number = {old: new for new, old in enumerate(kept)}
    return Circuit(tuple(_renumbered(gates[old], number) for old in kept))


def _renumbered(gate: Gate, number: Mapping[int, int]) -> Gate:
    match gate:
        case InputLiteral():
            return gate
        case And(args):
            return And(tuple(number[a] for a in args))
        case Or(args):
            return Or(tuple(number[a] for a in args))
