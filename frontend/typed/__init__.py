"""The typed tree of a translation unit: its types, its nodes, and functions that read it."""
