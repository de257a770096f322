"""Batches: many tasks under several configurations, run in processes of their own, kept in a journal, and compared.

Reading path: `tasks` finds the tasks, `plan` lists the runs and their settings, `job` executes one run, `pool` many on
this machine and `cluster` many elsewhere. `journal` stores what is done; `rows`, `scores` and `totals` evaluate it;
`results`, `plots` and `page` show it; `compare` compares two results. `interplay.commands.batch` puts it together.
"""
