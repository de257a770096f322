"""The report on a run: its content as plain data, and its page."""
