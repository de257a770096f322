"""The models of the views, without widgets: the run that is shown, the focus, tasks, run control."""
