"""A program as constrained Horn clauses, for every engine that asks for them."""
