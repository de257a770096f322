"""What a run leaves behind: events, the run file, and the fold that every view reads."""
