"""Graphs of programs and of abstract states, and their drawings."""
