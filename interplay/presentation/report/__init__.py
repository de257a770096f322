"""Reports on runs: their content as plain data, and HTML pages of it."""
