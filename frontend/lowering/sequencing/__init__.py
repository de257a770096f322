"""The orders of evaluation that C leaves open (C11 6.5p3) as choices in the typed tree.

`relation.py` says how C orders two evaluations, `frontend/lowering/effects.py` which of them conflict, `flattening.py`
cuts an expression into evaluations, `enumeration.py` has their orders, and `rewriting.py` makes code of it.
"""
