"""The record of a run: events, the run file, and the fold of events that every view reads."""
