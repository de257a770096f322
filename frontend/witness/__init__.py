"""Witnesses of other tools, and ours: read from YAML, and made part of the typed tree of the program they are about."""
