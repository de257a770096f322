"""Counterexample-guided abstraction refinement: the loop, the reachability graph, and the index of covering states."""
