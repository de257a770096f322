"""Abstract domains: explicit values, predicates, and their combination."""
