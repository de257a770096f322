"""Presentation of runs, without Qt and without solvers: text, tables, graphs, reports."""
