"""Syntax to the typed tree: scopes, types, conversions, initialisers, statements."""
