"""Engines: the verification methods. They share `core.refinement` and never import each other."""
