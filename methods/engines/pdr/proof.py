"""Certificates made of inductive lemmas, and lemmas as terms over the program and ghost variables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, count

from core.pattern import pattern
from core.program.expansion import At
from core.program.naming import AROUND, LENGTH, PATH, REACHES
from core.terms import INT, INT_ARRAY, Term
from core.verdict import RELATION, SET, Certificate, GhostField, HeapGhosts
from methods.engines.pdr.facts import CutClaim, CutFacts, ListFact, StateNumber
from methods.engines.pdr.universal_clauses import (
    ElementName,
    HeapAtom,
    HeapField,
    HeapRelation,
    RelationKind,
    UniversalClause,
)
from methods.engines.pdr.view import HeapView

_NO_WORD = pattern(r"\W+")


class GhostFormulas:
    """The ghost variables of a view, and formulas over them."""

    def __init__(self, view: HeapView) -> None:
        self._view, self._arena = view, view.arena
        self._allocated = self._arena.symbol("\\allocated", SET)
        self._names: set[str] = set()
        self._fields = {field: self._ghost(field) for field in view.fields}
        self._with_length: dict[HeapField, None] = {}
        self._variables: list[Term] = []
        self._any = self._arena.proof_symbol("x", INT)
        self.made: dict[tuple[CutFacts, CutClaim], Term] = {}

    def _ghost(self, field: HeapField) -> GhostField:
        array, offset = field
        cell = next((c for c in self._view.memory.cells[array] if c.offset == offset), None)
        own = (cell and cell.field) or "pointer"
        names = [_NO_WORD.sub("_", name) for name in (own, f"{cell.record if cell else ''}.{own}")]
        numbered = (f"{names[0]}_{number}" for number in count(2))
        name = next(name for name in chain(names, numbered) if name not in self._names)
        self._names.add(name)
        symbol = self._arena.symbol
        is_cyclic = field in self._view.cyclic
        parts = symbol(f"{PATH if is_cyclic else REACHES}{name}", RELATION), symbol(f"\\written_{name}", SET)
        around = symbol(f"{AROUND}{name}", RELATION) if is_cyclic else None
        return GhostField(array, offset, *parts, symbol(f"{LENGTH}{name}", INT_ARRAY), around)

    def clause(self, clause: UniversalClause) -> Term:
        """A lemma as a formula."""
        arena = self._arena
        while len(self._variables) < clause.variables:
            self._variables.append(arena.proof_symbol("x", INT))
        parts = [self.atom(atom) if not sign else arena.not_(self.atom(atom)) for sign, atom in clause.cube]
        return arena.forall(self._variables[: clause.variables], arena.or_(*parts))

    def value(self, state_number: StateNumber) -> Term:
        """A number of a state."""
        if state_number.scalar is not None:
            return state_number.scalar
        assert state_number.field is not None
        self._with_length[state_number.field] = None
        length = self._fields[state_number.field].length
        assert length is not None
        return self._arena.select(length, self._name(state_number.name))

    def atom(self, atom: HeapAtom) -> Term:
        """An atom without variables other than those of `clause`."""
        arena, relation = self._arena, atom.relation
        args = [self._name(x) for x in atom.args]
        match relation.kind:
            case RelationKind.EQUAL:
                return arena.equals(*args)
            case RelationKind.REACHES:
                return arena.select(arena.select(self._of(relation).reaches, args[0]), args[1])
            case RelationKind.AROUND:
                around = self._of(relation).around
                assert around is not None
                return arena.select(arena.select(around, args[0]), args[-1])
            case RelationKind.DISJOINT:
                return self._disjoint(self._of(relation).reaches, *args)
            case RelationKind.ALLOCATED:
                return arena.select(self._allocated, args[0])
            case RelationKind.WRITTEN:
                return arena.select(self._of(relation).written, args[0])
            case RelationKind.HOLDS:
                assert relation.field is not None
                return self._tested(relation, self._view.cell(relation.field, args[0]))
            case RelationKind.PROPOSITION:
                assert relation.scalar is not None
                return self._tested(relation, relation.scalar)
            case RelationKind.AT_MOST:
                return arena.le(*relation.operands(args, self._view.cell, lambda scalar: scalar))

    def each(self, fact: ListFact, holds: Callable[[Term, Term], Term]) -> Term:
        """The formula that something holds of the length at each node of a list, and of its content."""
        arena, x, ghost = self._arena, self._any, self._fields[fact.field]
        self._with_length[fact.field] = None
        assert ghost.length is not None
        reached = arena.select(arena.select(ghost.reaches, self._name(fact.name)), x)
        is_node = arena.and_(reached, arena.not_(arena.equals(x, arena.zero)))
        known = holds(arena.select(ghost.length, x), self._view.cell(fact.content, x))
        return arena.forall((x,), arena.implies(is_node, known))

    def _disjoint(self, reaches: Term, a: Term, b: Term) -> Term:
        arena = self._arena
        reached = [arena.not_(arena.select(arena.select(reaches, one), self._any)) for one in (a, b)]
        return arena.forall((self._any,), arena.or_(arena.equals(self._any, arena.zero), *reached))

    def _of(self, relation: HeapRelation) -> GhostField:
        assert relation.field is not None
        return self._fields[relation.field]

    def _name(self, name: ElementName) -> Term:
        return self._variables[name] if isinstance(name, int) else name

    def _tested(self, relation: HeapRelation, number: Term) -> Term:
        assert relation.test is not None
        bound = self._arena.integer(relation.test.value)
        return (self._arena.equals if relation.test.is_equation else self._arena.le)(number, bound)

    def certificate(
        self, lemmas: Sequence[UniversalClause], claims: Mapping[At, Sequence[Term]] | None = None
    ) -> Certificate:
        """The certificate whose invariants are the lemmas and claims, with what the view knows of the program."""
        view, arena = self._view, self._arena
        invariants: dict[At, Term] = {}
        for head in view.heads():
            clauses = [*(claims or {}).get(head, ()), *(self.clause(one) for one in lemmas if one.at == head)]
            if head in view.cuts:
                clauses += [*self._view.blocks.facts(self._allocated), *self._apart(), *self._all_written()]
                clauses += [arena.select(self._allocated, root) for root in view.roots.values()]
            invariants[head] = arena.and_(*clauses, *self._constants(head))
        structured = frozenset(at for at in invariants if at in view.cuts)
        fields = [g if f in self._with_length else replace(g, length=None) for f, g in self._fields.items()]
        roots = tuple(view.interior.roots.values())
        return Certificate(invariants, ghosts=(HeapGhosts(self._allocated, tuple(fields), structured, roots),))

    def _apart(self) -> list[Term]:
        """Nodes lie behind the variables whose lifetimes matter: all were allocated after the first."""
        arena, view, first = self._arena, self._view, self._view.first_node
        if first is None or not any(array in view.blocks.arrays for array, _ in view.fixed):
            return []
        x = arena.proof_symbol("x", INT)
        behind = arena.implies(arena.select(self._allocated, x), arena.le(first, x))
        return [arena.le(first, view.memory.fresh), arena.forall((x,), behind)]

    def _all_written(self) -> list[Term]:
        """At cuts, the fields that have no predicate are written in all nodes."""
        arena, late = self._arena, {r.field for r in self._view.predicates if r.kind is RelationKind.WRITTEN}
        x = arena.proof_symbol("x", INT)
        fields = [ghost for field, ghost in self._fields.items() if field not in late]
        allocated = arena.select(self._allocated, x)
        return [arena.forall((x,), arena.implies(allocated, arena.select(one.written, x))) for one in fields]

    def _constants(self, at: At) -> list[Term]:
        arena, view = self._arena, self._view
        if not view.is_reached(at):
            return [arena.false]
        return [arena.equals(x, value) for x, value in view.constants(at).items()]
