"""Local pivots raised towards the hypotheses, so that interpolants become stronger.

R. Jhala and K. L. McMillan, "Interpolant-based transition relation approximation", section 7 and figures 4 to 6.
Resolutions on local variables make the disjunctions of an interpolant, those on global variables its conjunctions.
Where all local resolutions lie above all global ones, the interpolant is in conjunctive normal form: as strong as the
derived clauses allow. Two consecutive resolutions can be exchanged (figures 4 and 5):

    v = Res_q(Res_p(v1, v2), v3)  becomes  Res_p(Res_q(v1, v3), Res_q(v2, v3))

where a resolution on a clause without q is left out. A vertex is *passable*, so that a local resolution is raised above
it, if it is a resolution with exactly one successor; then nothing is duplicated but resolutions on q, and the proof
stays linear in the number of literals of the original.

| here | figure 6 |
| --- | --- |
| `_transformed` | `TransformProof` |
| `_Rewriting.raise_` | `Raise` |
| `_Rewriting._resolved` | `Resolve` |

Deviations. *Erratum*: as printed, `Resolve(q, v1, v2)` returns v2 where q does not occur in v1, and v1 where ¬q does
not occur in v2; the resolution below would lose its pivot. Here it is the clause that lacks the literal. *Shrinking*:
where v3 contains p, an exchange yields a part of the clause; a resolution further down may then find its pivot gone,
and is replaced by the parent that lacks it. *Order*: both new resolutions are made before either is raised, so that a
parent which only one of them uses is passable. *Passes*: raising a local resolution above another can leave that one
below a global resolution which came with the other antecedent; a second pass raises it (on a loop over an array, 183 of
183 interpolants in conjunctive normal form, 123 after one). *Local* is what occurs in one partition only, whichever it
is: the one rewritten proof serves all symmetric interpolants.

Limitations, by weight: what has several successors blocks the way, so the interpolant need not be in conjunctive normal
form; of a proof that a pass makes `GROWTH` times as large, the pass before is the last; where both parents are
passable, v⁺ is taken, though the heavier one may be better.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic

from sat.resolution import Hypothesis, Literals, Proof, Resolution, Tag, resolvent, trimmed

PASSES = 4  # two have sufficed for all single paths of programs so far
GROWTH = (
    20  # how many times as large as the proof a pass may make it: many partitions can share most of their variables
)


def raised(proof: Proof[Tag]) -> Proof[Tag]:
    """A refutation from the same hypotheses or fewer, with local resolutions as far up as nothing shared is lost."""
    local = frozenset(variable for variable, tags in proof.occurrences().items() if len(tags) == 1)
    for _ in range(PASSES):
        rewritten = _transformed(proof, local)
        if rewritten is None:
            break
        proof = rewritten
        if not _can_rise(proof, local):
            break
    return proof


def _can_rise(proof: Proof[Tag], local: frozenset[int]) -> bool:
    """Whether a local resolution is left below a passable global one."""
    successors = proof.successors()
    for vertex in proof.vertices:
        if isinstance(vertex, Resolution) and vertex.pivot in local:
            for parent in (vertex.positive, vertex.negative):
                above = proof.vertices[parent]
                if isinstance(above, Resolution) and above.pivot not in local and successors[parent] == 1:
                    return True
    return False


def _transformed(proof: Proof[Tag], local: frozenset[int]) -> Proof[Tag] | None:
    """One pass over the proof, from antecedents to consequents; None where that makes it too large."""
    rewriting = _Rewriting(proof)
    for v, vertex in enumerate(proof.vertices):
        if isinstance(vertex, Resolution) and rewriting.settle(v) and vertex.pivot in local:
            rewriting.raise_(v)
            if rewriting.too_large:
                return None
    return rewriting.proof(len(proof.vertices) - 1)


@dataclass
class _Vertex(Generic[Tag]):
    """A vertex of the changing graph. `uses` counts its successors, and the one reference to the leaf."""

    content: Hypothesis[Tag] | Resolution
    clause: Literals
    uses: int
    replaced_by: int | None = None


class _Rewriting(Generic[Tag]):
    """The proof while it changes. Vertices keep their numbers; new ones come after them."""

    def __init__(self, proof: Proof[Tag]) -> None:
        self._most = GROWTH * len(proof.vertices)
        parts = zip(proof.vertices, proof.clauses(), proof.successors(), strict=True)
        self._vertices = [_Vertex(content, clause, uses) for content, clause, uses in parts]
        self._vertices[-1].uses += 1

    @property
    def too_large(self) -> bool:
        return len(self._vertices) > self._most

    def proof(self, leaf: int) -> Proof[Tag]:
        return trimmed([vertex.content for vertex in self._redirected()], self._current(leaf))

    def _redirected(self) -> Sequence[_Vertex[Tag]]:
        """All vertices, each with its current parents."""
        for vertex in self._vertices:
            if isinstance(vertex.content, Resolution):
                vertex.content = self._redirect(vertex.content)
        return self._vertices

    def settle(self, v: int) -> bool:
        """Bring the clause of a resolution up to date; False if a parent that lacks the pivot replaces it."""
        vertex = self._vertices[v]
        assert isinstance(vertex.content, Resolution)
        step = vertex.content = self._redirect(vertex.content)
        positive, negative = self._vertices[step.positive].clause, self._vertices[step.negative].clause
        if step.pivot not in positive:
            self._replace(v, step, step.positive)
            return False
        if -step.pivot not in negative:
            self._replace(v, step, step.negative)
            return False
        vertex.clause = resolvent(step.pivot, positive, negative)
        return True

    def raise_(self, v: int) -> None:
        """Exchange resolution `v` with a passable parent, and so on with the new resolutions, until there is none."""
        stack = [(v, False)]
        while stack and not self.too_large:
            top, exchanged = stack.pop()
            if exchanged:
                self.settle(top)
                continue
            new = self._exchange(top)
            if new is not None:
                stack.append((top, True))
                stack.extend((r, False) for r in reversed(new))

    def _exchange(self, v: int) -> list[int] | None:
        """Figures 4 and 5 on `v` and a passable parent; the new resolutions on its old pivot, None if none passes."""
        step = self._vertices[v].content
        assert isinstance(step, Resolution)
        first = len(self._vertices)
        q = step.pivot
        if (upper := self._passable(step.positive)) is not None:
            positive = self._resolved(q, upper.positive, step.negative)
            negative = self._resolved(q, upper.negative, step.negative)
        elif (upper := self._passable(step.negative)) is not None:
            positive = self._resolved(q, step.positive, upper.positive)
            negative = self._resolved(q, step.positive, upper.negative)
        else:
            return None
        self._vertices[v].content = Resolution(upper.pivot, positive, negative)
        self._use(positive, negative)
        self._release(step.positive, step.negative)
        return list(range(first, len(self._vertices)))

    def _passable(self, v: int) -> Resolution | None:
        """The resolution at `v` if it has exactly one successor."""
        vertex = self._vertices[v]
        if vertex.uses != 1 or isinstance(vertex.content, Hypothesis):
            return None
        vertex.content = self._redirect(vertex.content)
        return vertex.content

    def _resolved(self, q: int, positive: int, negative: int) -> int:
        """A resolution on q, or the clause that has none."""
        if q not in self._vertices[positive].clause:
            return positive
        if -q not in self._vertices[negative].clause:
            return negative
        clause = resolvent(q, self._vertices[positive].clause, self._vertices[negative].clause)
        self._vertices.append(_Vertex(Resolution(q, positive, negative), clause, 0))
        self._use(positive, negative)
        return len(self._vertices) - 1

    # References

    def _current(self, v: int) -> int:
        """The vertex that stands for `v` now."""
        while (by := self._vertices[v].replaced_by) is not None:
            v = by
        return v

    def _redirect(self, step: Resolution) -> Resolution:
        return Resolution(step.pivot, self._current(step.positive), self._current(step.negative))

    def _replace(self, v: int, step: Resolution, by: int) -> None:
        self._vertices[v].replaced_by = by
        self._vertices[by].uses += self._vertices[v].uses
        self._release(step.positive, step.negative)

    def _use(self, *parents: int) -> None:
        for parent in parents:
            self._vertices[parent].uses += 1

    def _release(self, *parents: int) -> None:
        """Drop references to vertices; one that nothing refers to any more drops its own."""
        stack = list(parents)
        while stack:
            vertex = self._vertices[self._current(stack.pop())]
            vertex.uses -= 1
            if vertex.uses == 0 and isinstance(vertex.content, Resolution):
                stack += [vertex.content.positive, vertex.content.negative]
