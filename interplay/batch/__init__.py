"""Many tasks under several configurations: found, run in processes of their own, noted in a journal, and compared.

Reading path: `tasks` finds them, `plan` says what is to be run and how, `job` runs one, `pool` many here and `cluster`
many elsewhere, `journal` keeps what is done, `rows` and `scores` say what it is worth, `results`, `plots` and `page`
show it, `compare` sets two results side by side, `commands` puts it together.
"""
