"""Propositional satisfiability: incremental solving, cores over tagged clauses, refutations and their interpolants.

A reading path for interpolation: `proof_trace` (what the solver logs), `refutation` (a resolution proof of it),
`resolution` (the proof as a graph), `raising` (the proof rewritten for stronger interpolants), `interpolants`,
`circuit` (what they are). Importing these modules loads no native library; making a solver does.
"""
