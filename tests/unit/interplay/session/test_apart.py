"""Work in a process of its own: its result, and its end where it does not end by itself."""

import math
import os
import signal
import time
from collections.abc import Iterator

import pytest

from core.limits import Interrupted, LimitReached, Limits, NoAnswer
from interplay.session.apart import Apart, WorkFailed

LONG = 1e6


def endless(_: Limits) -> Iterator[bytes]:
    time.sleep(LONG)
    yield b""


def test_the_result_comes_back() -> None:
    with Apart(lambda limits: iter([b"first", f"{limits.remaining() > 1} ".encode() * 100_000]), LONG) as work:
        assert work.result(Limits()) == b"True " * 100_000


def test_the_last_result_counts_where_no_more_come() -> None:
    def work(_: Limits) -> Iterator[bytes]:
        yield b"good"
        yield b"better"
        raise LimitReached("enough")

    with Apart(work, LONG) as apart:
        assert apart.result(Limits()) == b"better"


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


def test_no_answer_there_is_none_here() -> None:
    def work(_: Limits) -> Iterator[bytes]:
        raise LimitReached("enough")

    with Apart(work, LONG) as apart, pytest.raises(NoAnswer, match="was ended"):
        apart.result(Limits())


def test_an_error_there_is_one_here() -> None:
    def work(_: Limits) -> Iterator[bytes]:
        raise KeyError("lost")

    with Apart(work, LONG) as apart, pytest.raises(WorkFailed, match=r"KeyError\('lost'\)"):
        apart.result(Limits())


def test_an_error_takes_no_result_back() -> None:
    def work(_: Limits) -> Iterator[bytes]:
        yield b"good"
        raise KeyError("lost")

    with Apart(work, LONG) as apart:
        assert apart.result(Limits()) == b"good"


def test_it_may_not_take_all_memory() -> None:
    def work(_: Limits) -> Iterator[bytes]:
        yield b"good"
        yield bytes(16 << 30)

    with Apart(work, LONG) as apart:
        assert apart.result(Limits()) == b"good"


def killed(_: Limits) -> Iterator[bytes]:
    os.kill(os.getpid(), signal.SIGKILL)
    yield b""


def test_a_process_that_is_killed_has_no_answer() -> None:
    with Apart(killed, LONG) as work, pytest.raises(NoAnswer, match="was ended"):
        work.result(Limits(), math.inf)


def test_a_run_that_is_stopped_does_not_wait() -> None:
    limits = Limits()
    limits.stop()
    with Apart(endless, LONG) as work, pytest.raises(Interrupted):
        work.result(limits)


def test_a_run_that_is_stopped_has_what_came_before() -> None:
    def work(limits: Limits) -> Iterator[bytes]:
        yield b"good"
        os.write(writing, b".")
        yield from endless(limits)

    reading, writing = os.pipe()
    limits = Limits()
    with Apart(work, LONG) as apart:
        os.read(reading, 1)
        limits.stop()
        assert apart.result(limits) == b"good"
