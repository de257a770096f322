"""Engines: the verification methods. They share `methods.refinement` and never import each other."""
