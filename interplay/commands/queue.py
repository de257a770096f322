"""The program that verifies what the window's project panel asks for, in a process of its own.

Jobs come on standard input, a line of JSON each. Each row is written to the journal of the batch in the folder, and
printed, before the next job begins: whatever ends this process, or the window, what is done stays done.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from interplay.batch.batch_plan import EACH_ITS_OWN, read_job
from interplay.batch.journal import BatchJournal, JournalConflict
from interplay.batch.pool import Pool
from interplay.commands.batch import terminable
from interplay.session.endings import ExitCode
from interplay.session.request import WRITER
from runs.jsondata import compact, parse


def main(words: Sequence[str]) -> int:
    """Run the jobs; `words` are the folder and, for tests, the command of another worker than the usual one."""
    folder, *command = words
    jobs = [read_job(parse(line)) for line in sys.stdin.buffer]
    rows = Pool(Path(folder), 1, command or None).rows(jobs)
    try:
        with closing(BatchJournal(Path(folder), EACH_ITS_OWN, WRITER)) as journal, terminable(), closing(rows):
            for row in rows:
                journal.add(row)
                print(compact(row.to_json()), flush=True)
    except (JournalConflict, OSError) as error:
        print(f"interplay: {error}", file=sys.stderr)
        return ExitCode.COMMAND_LINE
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED
    return 0
