"""Where predicates and invariants come from. Heuristic: nothing found here is trusted."""
