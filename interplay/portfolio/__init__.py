"""The portfolio: several engines on one task, chosen and ordered by a plan, each in a process of its own."""
