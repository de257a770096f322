"""Substitution, choices moved out of atoms, and the propositional skeleton."""

from core.terms import BOOL, INT, Arena, Op, Term, Value, atoms, evaluate, lift_choices, literals, substitute, subterms
from tests.support.random_terms import RandomTerms


def test_substitution_is_evaluation_in_the_new_state() -> None:
    for seed in range(300):
        draw = RandomTerms(seed)
        formula = draw.formula(3)
        replaced: dict[Term, Term] = {s: draw.integer(2) for s in draw.integers[:2]}
        replaced |= {draw.booleans[0]: draw.formula(2), draw.arrays[0]: draw.array(2)}
        values = draw.values()
        after: dict[Term, Value] = {**values, **{s: evaluate(t, values) for s, t in replaced.items()}}
        assert evaluate(substitute(draw.arena, formula, replaced), values) == evaluate(formula, after), seed


def test_substitution_is_simultaneous() -> None:
    arena = Arena()
    x, y = arena.symbol("x", INT), arena.symbol("y", INT)
    assert substitute(arena, arena.lt(x, y), {x: y, y: x}) is arena.lt(y, x)


def test_what_is_not_affected_stays_the_same_term() -> None:
    for seed in range(50):
        draw = RandomTerms(seed)
        formula = draw.formula(3)
        assert substitute(draw.arena, formula, {draw.arena.symbol("other", INT): draw.arena.one}) is formula


def test_quantifiers_keep_what_they_bind() -> None:
    arena = Arena()
    i, x, y = arena.fresh("i", INT), arena.symbol("x", INT), arena.symbol("y", INT)
    formula = arena.forall([i], arena.or_(arena.le(i, x), arena.lt(y, i)))
    expected = arena.forall([i], arena.or_(arena.le(i, y), arena.lt(y, i)))
    assert substitute(arena, formula, {x: y}) is expected


def test_lifting_keeps_the_meaning() -> None:
    for seed in range(200):
        draw = RandomTerms(seed)
        formula = draw.formula(3)
        lifted = lift_choices(draw.arena, formula)
        for _ in range(4):
            values = draw.values()
            assert evaluate(lifted, values) == evaluate(formula, values), seed


def test_lifting_leaves_no_choice_in_small_atoms() -> None:
    for seed in range(100):
        draw = RandomTerms(seed)
        for atom in atoms(lift_choices(draw.arena, draw.formula(2))):
            assert not any(t.op is Op.ITE and t.sort is INT for t in subterms(atom)), seed


def test_lifting_stops_at_its_limit() -> None:
    arena = Arena()
    xs = [arena.symbol(f"x{k}", INT) for k in range(20)]
    total = arena.add(*(arena.ite(arena.le(x, arena.zero), x, arena.multiply(x, x)) for x in xs))
    formula = arena.le(total, arena.zero)
    lifted = lift_choices(arena, formula, limit=16)
    assert 1 < len(list(atoms(lifted))) < 200
    values: dict[Term, Value] = {x: k - 10 for k, x in enumerate(xs)}
    assert evaluate(lifted, values) == evaluate(formula, values)


def test_atoms_determine_a_formula() -> None:
    for seed in range(100):
        draw = RandomTerms(seed)
        formula = draw.formula(3)
        found = list(atoms(formula))
        assert len(found) == len(set(found))
        assert all(a.sort is BOOL and a.op not in (Op.NOT, Op.AND, Op.OR, Op.IFF, Op.CONSTANT) for a in found)
        values = draw.values()
        constants = [draw.arena.boolean(bool(evaluate(a, values))) for a in found]
        assert propositional_value(draw.arena, formula, dict(zip(found, constants, strict=True))) is (
            draw.arena.boolean(bool(evaluate(formula, values)))
        )


def propositional_value(arena: Arena, formula: Term, constants: dict[Term, Term]) -> Term:
    """`formula` with its atoms replaced by constants; only its propositional structure is looked at."""
    match formula.op:
        case Op.NOT:
            return arena.not_(propositional_value(arena, formula.args[0], constants))
        case Op.AND:
            return arena.and_(*(propositional_value(arena, a, constants) for a in formula.args))
        case Op.OR:
            return arena.or_(*(propositional_value(arena, a, constants) for a in formula.args))
        case Op.IFF | Op.ITE:
            parts = [propositional_value(arena, a, constants) for a in formula.args]
            return arena.iff(*parts) if formula.op is Op.IFF else arena.ite(*parts)
        case Op.CONSTANT:
            return formula
        case _:
            return constants[formula]


def test_literals_are_conjuncts() -> None:
    arena = Arena()
    p, q = arena.symbol("p", BOOL), arena.symbol("q", BOOL)
    assert literals(arena.and_(p, q)) == (p, q)
    assert literals(p) == (p,)
    assert literals(arena.true) == ()
    assert literals(arena.false) == (arena.false,)
