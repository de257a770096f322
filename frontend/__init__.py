"""From C text to a Program, and the interpreter of typed C."""
