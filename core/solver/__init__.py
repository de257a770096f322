"""SMT solvers behind one contract."""
