"""Random expressions with calls: what gcc does is among the orders that are tried, and these are all that C allows."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from frontend.typed.ctype import DataModel
from tests.evaluation_order.expressions import INT, Expression, Generator
from tests.evaluation_order.legal import legal
from tests.evaluation_order.outcomes import compared

pytestmark = [pytest.mark.long, pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")]


@pytest.mark.parametrize("count", [10, pytest.param(400, marks=pytest.mark.slow)])
@pytest.mark.parametrize("model", [DataModel.ILP32, DataModel.LP64])
def test_each_order_of_c_is_tried_and_no_other(model: DataModel, count: int, tmp_path: Path) -> None:
    generator = Generator(count + model.pointer_size)
    found = compared([generator.expression() for _ in range(count)], model, tmp_path)
    assert [one for one in found if one.verdict in ("wrong", "odd")] == []
    assert sum(one.is_refused for one in found) <= count // 10


def test_the_reference_knows_calls_between_operands_and_stores_behind_values() -> None:
    def call(name: str, *parts: Expression) -> Expression:
        return Expression("call", INT, parts, name)

    one, two, three = (Expression("constant", INT, value=i) for i in (1, 2, 3))
    between = Expression("-", INT, (call("f", call("f", one)), call("f", two)))
    assert {n for _, n, _ in legal(between)} == {112, 121, 211}
    stored = Expression("+", INT, (Expression("assign", INT, (three,), "n"), call("get", one)))
    assert legal(stored) == {(3 + 4, 4, 0), (3 + 1, 3, 0)}
    in_turn = Expression("&&", INT, (Expression("assign", INT, (three,), "n"), call("get", one)))
    assert legal(in_turn) == {(1, 4, 0)}
