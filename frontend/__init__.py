"""The front end: C text to a Program, the interpreter of typed C, and replay of counterexamples."""
