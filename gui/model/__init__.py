"""What the views show, without widgets: one run and what can be asked of it, the one selection, tasks, run control."""
