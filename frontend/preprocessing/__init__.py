"""The preprocessor: directives, macros and the headers of the C library that come with Interplay."""
