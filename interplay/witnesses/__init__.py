"""Witnesses of other tools and for them: written, and checked."""
