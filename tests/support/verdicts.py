"""Verdicts of sessions in this process, for tests that ask for no more than an answer and what confirms it.

Left out is what verdicts have beside them, which has tests of its own: whether they depend on the data model where none
is chosen, shorter counterexamples, and executions that come to checks.
"""

from __future__ import annotations

from dataclasses import replace

from core.verdict import Verdict
from interplay.session.context import Steering
from interplay.session.default_services import DefaultServices
from interplay.session.member_storage import NoStorage
from interplay.session.request import Request
from interplay.session.session import Session


def bare_verdict(request: Request) -> Verdict:
    """The verdict of a request, without shortening and without a question about executions."""
    asked = replace(request, shorten=0.0, vacuity=0.0, data_model=request.data_model or "ILP32")
    return Session(asked, DefaultServices(), lambda _: None, Steering(), NoStorage()).run().verdict
