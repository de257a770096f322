"""The table of who decides what: engines of a set by what they decided, with their time and that of the others."""

from benchmarks.deciders import Decided, table


def test_the_engine_that_decides_most_of_a_set_comes_first() -> None:
    rows = [
        Decided("loops", "chc", 1.0, 2.0),
        Decided("loops", "bmc", 0.5, 0.0),
        Decided("loops", "bmc", 1.5, 1.25),
        Decided("locks", "explicit", 0.7, 0.0),
    ]
    assert list(table(rows)) == [
        ("locks", "explicit", 1, 0.7, 0.7, 0.0),
        ("loops", "bmc", 2, 1.0, 1.5, 1.2),
        ("loops", "chc", 1, 1.0, 1.0, 2.0),
    ]
