"""Points-to analysis by unification: the classes of objects that memory is cut into."""
