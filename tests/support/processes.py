"""Processes that tests have started, directly or not."""

import psutil


def lives(pid: int) -> bool:
    """Whether the process has not ended; who has, and waits to be asked how, does not live."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
