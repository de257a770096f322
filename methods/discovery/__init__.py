"""Discovery of predicates and invariants. Heuristic: nothing found here is trusted."""
