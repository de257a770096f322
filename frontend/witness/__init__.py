"""Verification witnesses, ours and those of other tools: read from YAML, and made part of the program's typed tree."""
