"""Graphs of programs and of abstract states, and how they are drawn."""
