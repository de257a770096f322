"""The command line: its parser, and a function for each command."""
