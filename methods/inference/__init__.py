"""Inference from candidates and from cores, for all engines."""
