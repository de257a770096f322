"""Several engines on one task: which, in which order, each in a process of its own."""
