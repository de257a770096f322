"""The C library as code: calls of functions that the program does not define become bodies or assignments."""
