"""Work in a process of its own: its result, and its end where it does not end by itself."""

import math
import os
import signal
import time

import pytest

from core.limits import Interrupted, LimitReached, Limits, NoAnswer
from interplay.session.apart import Apart

LONG = 1e6


def endless(_: Limits) -> bytes:
    while True:
        time.sleep(LONG)


def test_the_result_comes_back() -> None:
    with Apart(lambda limits: f"{limits.remaining() > 1} ".encode() * 100_000, LONG) as work:
        assert work.result(Limits()) == b"True " * 100_000


def test_what_goes_on_has_no_result_yet() -> None:
    with Apart(endless, LONG) as work:
        assert work.result(Limits(), 0.0) is None


def test_it_ends_with_its_block() -> None:
    reading, writing = os.pipe()
    with Apart(endless, LONG) as work:
        os.close(writing)
        assert work.result(Limits(), 0.0) is None
    assert os.read(reading, 1) == b"", "nobody has the other end of the pipe any more"
    os.close(reading)


@pytest.mark.parametrize("error", [LimitReached, NoAnswer])
def test_no_answer_there_is_none_here(error: type[NoAnswer]) -> None:
    def work(_: Limits) -> bytes:
        raise error("enough")

    with Apart(work, LONG) as apart, pytest.raises(NoAnswer, match="enough"):
        apart.result(Limits())


def test_an_error_there_is_one_here() -> None:
    def work(_: Limits) -> bytes:
        raise KeyError("lost")

    with Apart(work, LONG) as apart, pytest.raises(RuntimeError, match="KeyError: 'lost'"):
        apart.result(Limits())


def killed(_: Limits) -> bytes:
    os.kill(os.getpid(), signal.SIGKILL)
    return b""


def test_a_process_that_is_killed_has_no_answer() -> None:
    with Apart(killed, LONG) as work, pytest.raises(NoAnswer, match="was ended"):
        work.result(Limits(), math.inf)


def test_a_run_that_is_stopped_does_not_wait() -> None:
    limits = Limits()
    limits.stop()
    with Apart(endless, LONG) as work, pytest.raises(Interrupted):
        work.result(limits)
