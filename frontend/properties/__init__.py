"""Properties: task definitions, property files, and which behaviour of a program is an error."""
