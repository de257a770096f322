"""ACSL annotations as text: their syntax, and the parser. What they mean is in `frontend/elaboration/annotations.py`.

ACSL: ANSI/ISO C Specification Language, version 1.19 (P. Baudin et al.); we read assertions, loop invariants and
function contracts with `requires` and `ensures`.
"""
