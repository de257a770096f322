"""Which objects pointers may reach, by unification: the classes that memory is cut into."""
