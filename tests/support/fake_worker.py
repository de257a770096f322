"""A worker over the fake toolbox, run as a script with the checkout as its one argument."""

import os
import sys


def main() -> None:
    from interplay.worker import work
    from tests.support.fakes import FakeToolbox

    os._exit(work(FakeToolbox(), sys.stdin.buffer))


if __name__ == "__main__":
    sys.path.append(sys.argv[1])
    main()
