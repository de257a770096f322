"""The command line: what its commands are called, and what they do."""
