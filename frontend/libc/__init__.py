"""The C library as code: calls of its functions become calls of bodies in C, or assignments."""
