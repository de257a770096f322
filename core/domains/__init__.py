"""Abstract domains: what engines know of a state."""
