"""Programs with recursive functions, and certificates for them with contracts, right and wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from core.certificate.check import check_certificate
from core.certificate.results import CertificateResult
from core.limits import Limits
from core.program import Program, Range
from core.program.expansion import At
from core.solver.cvc5_solver import Cvc5Factory
from core.terms import INT, Arena, Term
from core.verdict import Certificate, Contract
from tests.support.program_builder import ProgramBuilder

WIDE = Range(-1000, 1000)


@dataclass(frozen=True)
class Claim:
    """A certificate for check 0 of a program."""

    program: Program
    invariants: Mapping[At, Term]
    contracts: Mapping[str, Contract]

    @property
    def arena(self) -> Arena:
        return self.program.arena

    def symbol(self, name: str) -> Term:
        return self.arena.symbol(name, INT)

    def with_pre(self, function: str, pre: Term) -> Claim:
        return replace(self, contracts={**self.contracts, function: replace(self.contracts[function], pre=pre)})

    def with_post(self, function: str, post: Term) -> Claim:
        return replace(self, contracts={**self.contracts, function: replace(self.contracts[function], post=post)})

    def with_invariant(self, at: At, formula: Term) -> Claim:
        return replace(self, invariants={**self.invariants, at: formula})

    def examined(self) -> CertificateResult:
        certificate = Certificate(self.invariants, (), self.contracts)
        return check_certificate(self.program, (0,), certificate, Cvc5Factory(), Limits(), lambda _: None)


def counting_down() -> Claim:
    """`f(p) { if (p > 0) { p--; f(p); result++; } else result = 0; }` and `f(n)` gives n for an input n in 0..900.

    The parameter changes before the call, so the contract must speak about what it was.
    """
    b = ProgramBuilder()
    a = b.arena
    n, p, result = b.variable("main::n", WIDE), b.variable("f::p", WIDE), b.variable("f.result", WIDE)
    entry, read, back, done = (b.location() for _ in range(4))
    b.assign(entry, read, (n, b.input("nondet", Range(0, 900))))
    b.call(read, back, "f", n)
    b.assume(back, b.error(), a.not_(a.equals(result, n)))
    b.assume(back, done, a.equals(result, n))
    top, deep, lower, below, leave = (b.location("f") for _ in range(5))
    b.assume(top, deep, a.gt(p, a.zero))
    b.assign(deep, lower, (p, a.subtract(p, a.one)))
    b.call(lower, below, "f", p)
    b.assign(below, leave, (result, a.add(result, a.one)))
    flat = b.location("f")
    b.assume(top, flat, a.le(p, a.zero))
    b.assign(flat, leave, (result, a.zero))
    b.function("main", entry, done, (), (n,))
    b.function("f", top, leave, (p,))
    pre = a.and_(a.le(a.zero, p), a.le(p, a.integer(900)))
    return Claim(b.program(), {}, {"f": Contract(pre, a.equals(result, a.symbol("f::p@entry", INT)))})


def assigning() -> Claim:
    """`g = 0; f(); if (g == 1) error;` where `f` calls `h`, and `h` increments g: its contract says too little."""
    b = ProgramBuilder()
    a = b.arena
    g = b.variable("g", WIDE)
    entry, ready, back, done = (b.location() for _ in range(4))
    b.assign(entry, ready, (g, a.zero))
    b.call(ready, back, "f")
    b.assume(back, b.error(), a.equals(g, a.one))
    b.assume(back, done, a.not_(a.equals(g, a.one)))
    f = [b.location("f") for _ in range(2)]
    b.call(f[0], f[1], "h")
    h = [b.location("h") for _ in range(2)]
    b.assign(h[0], h[1], (g, a.ite(a.lt(g, a.integer(1000)), a.add(g, a.one), g)))
    b.function("main", entry, done)
    b.function("f", f[0], f[1])
    b.function("h", h[0], h[1])
    return Claim(b.program(), {}, {"f": Contract(a.true, a.true)})


def asking() -> Claim:
    """`f(1)`, and `f(p) { if (p == 1) error; }` with the precondition `p = 0`."""
    b = ProgramBuilder()
    a, p = b.arena, b.variable("f::p", WIDE)
    entry, done = b.location(), b.location()
    b.call(entry, done, "f", a.one)
    top, leave = b.location("f"), b.location("f")
    b.assume(top, b.error("f"), a.equals(p, a.one))
    b.assume(top, leave, a.not_(a.equals(p, a.one)))
    b.function("main", entry, done)
    b.function("f", top, leave, (p,))
    return Claim(b.program(), {}, {"f": Contract(a.equals(p, a.zero), a.true)})


def remembering() -> Claim:
    """`f(p) { l = p; if (p > 0) f(p - 1); if (l == 1) error; }`, called with 3; a contract that speaks about `l`."""
    b = ProgramBuilder()
    a, p, local = b.arena, b.variable("f::p", WIDE), b.variable("f::l", WIDE)
    entry, done = b.location(), b.location()
    b.call(entry, done, "f", a.integer(3))
    at = [b.location("f") for _ in range(5)]
    b.assign(at[0], at[1], (local, p))
    b.assume(at[1], at[2], a.gt(p, a.zero))
    b.assume(at[1], at[3], a.le(p, a.zero))
    b.call(at[2], at[3], "f", a.subtract(p, a.one))
    b.assume(at[3], b.error("f"), a.equals(local, a.one))
    b.assume(at[3], at[4], a.not_(a.equals(local, a.one)))
    b.function("main", entry, done)
    b.function("f", at[0], at[4], (p,), (local,))
    return Claim(b.program(), {}, {"f": Contract(a.le(a.zero, p), a.le(local, a.zero))})
