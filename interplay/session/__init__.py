"""Sessions: one task from its source to a verdict whose evidence was examined."""
