"""Objects in memory: regions of scalars, addresses, first contents, the heap, pointers and numbers."""
