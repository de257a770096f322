"""The syntax of ACSL annotations and its parser; `frontend/elaboration/annotations.py` gives them their meaning.

ACSL: ANSI/ISO C Specification Language, version 1.19 (P. Baudin et al.); we read assertions, loop invariants and
function contracts with `requires` and `ensures`.
"""
