"""Terms as SMT-LIB 2.6."""

from __future__ import annotations

from core.terms.operators import Treatment, function_named, function_of
from core.terms.term import Op, Term, subterms

OTHER_OPERATORS = Treatment.EXACT

_SMT = {
    Op.NOT: "not",
    Op.AND: "and",
    Op.OR: "or",
    Op.IFF: "=",
    Op.ITE: "ite",
    Op.SELECT: "select",
    Op.STORE: "store",
}


def to_smtlib(root: Term) -> str:
    """The SMT-LIB 2.6 text of `root`; shared subterms are named by nested `let`s."""
    uses: dict[Term, int] = {}
    order = list(subterms(root))
    for t in order:
        for a in t.args:
            uses[a] = uses.get(a, 0) + 1
    free_to_share = not any(t.is_quantified for t in order)
    texts: dict[Term, str] = {}
    bindings: list[tuple[str, str]] = []
    for t in order:
        text = smt_node(t, [texts[a] for a in t.args])
        if free_to_share and t.args and uses.get(t, 0) > 1:
            name = f"?{len(bindings)}"
            bindings.append((name, text))
            text = name
        texts[t] = text
    opening = "".join(f"(let (({name} {text})) " for name, text in bindings)
    return opening + texts[root] + ")" * len(bindings)


_PREDEFINED = frozenset({"true", "false", "abs", "distinct", "xor", "is_int", "to_int", "to_real", "const", "implies"})


def smt_symbol(name: str) -> str:
    """The symbol of a name; bars alone do not tell it from a symbol of the language, and must hold no backslash."""
    predefined = name in _PREDEFINED or name in _SMT.values() or function_named(name) is not None
    name = name.replace("\\", "~")
    return f"|{name}'|" if predefined else f"|{name}|"


def _smt_integer(value: int) -> str:
    return str(value) if value >= 0 else f"(- {-value})"


def smt_node(t: Term, args: list[str]) -> str:
    """The text of a term over the texts of its arguments."""
    match t.op:
        case Op.CONSTANT:
            return str(t.payload).lower() if isinstance(t.payload, bool) else _smt_integer(t.value)
        case Op.SYMBOL:
            return smt_symbol(t.name)
        case Op.LINEAR:
            parts = [a if c == 1 else f"(* {_smt_integer(c)} {a})" for c, a in zip(t.coefficients, args, strict=True)]
            parts += [_smt_integer(t.constant)] if t.constant else []
            return f"(+ {' '.join(parts)})" if len(parts) > 1 else parts[0]
        case Op.LE | Op.EQ:
            return f"({'<=' if t.is_bound else '='} {args[0]} {_smt_integer(t.value)})"
        case Op.CONST_ARRAY:
            return f"((as const {t.sort}) {args[0]})"
        case Op.FORALL:
            bound = " ".join(f"({smt_symbol(s.name)} {s.sort})" for s in t.bound)
            return f"(forall ({bound}) {args[0]})"
        case _:
            function = function_of(t)
            return f"({_SMT[t.op] if function is None else function.name} {' '.join(args)})"
