"""One task from its text to a verdict whose evidence was examined."""
