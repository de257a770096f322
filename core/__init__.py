"""Terms, programs, domains, engines, evidence and runs: everything that neither parses C nor talks to a user."""
