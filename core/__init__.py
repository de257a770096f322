"""The language of programs, and decisions about them: terms, programs, solvers, analyses, and the check of proofs."""
