"""A worker over the fake services, run as a script with the checkout as its one argument."""

import os
import sys
from pathlib import Path

WORKER = [sys.executable, "-P", __file__, str(Path(__file__).parents[2])]


def main() -> None:
    from interplay.process import monitor
    from interplay.worker import work
    from tests.support.fakes import FakeServices

    monitor.PATIENCE = 5.0
    services = FakeServices()
    os._exit(work(services, services.plan, sys.stdin.buffer))


if __name__ == "__main__":
    sys.path.append(sys.argv[1])
    main()
