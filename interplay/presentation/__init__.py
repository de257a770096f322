"""A run as people read it, without Qt and without solvers: text, tables, graphs, reports."""
