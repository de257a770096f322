"""Worker processes: starting, monitoring, communication and termination."""
