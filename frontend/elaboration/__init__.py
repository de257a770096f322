"""Elaboration, from syntax to the typed tree: scopes, types, conversions, initialisers, statements."""
