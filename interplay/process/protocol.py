"""The pipes of a worker: events that it writes as lines, and orders that it reads (see `interplay.worker`)."""

from __future__ import annotations

import _thread
import os
import sys
import threading
from typing import IO

from interplay.process.pipe import GRACE, write_all
from interplay.session.context import Emit, Steering
from methods.engine import EditAction
from runs.events import Event, Place
from runs.events_json import encode
from runs.jsondata import Malformed, as_int, as_ints, as_object, as_row, as_str, parse


def emitter(descriptor: int) -> Emit:
    """A function that writes each event as a line to `descriptor`."""

    def emit(event: Event) -> None:
        write_all(descriptor, encode(event).encode() + b"\n")

    return emit


def start_listening(orders: IO[bytes], steering: Steering) -> None:
    """Execute `orders` in a thread beside the engine; the thread has started when this returns.

    `Thread.start` would wait for ever for a thread that finds no memory at first.
    """
    idle = _thread.allocate_lock()
    idle.acquire()

    def listen() -> None:
        idle.release()
        _listen(orders, steering)

    _thread.start_new_thread(listen, ())
    idle.acquire(timeout=GRACE)


def _listen(orders: IO[bytes], steering: Steering) -> None:
    """Execute orders until their end: the sender is then gone, and this process exits."""
    for line in iter(orders.readline, b""):
        try:
            obey(as_object(parse(line)), steering)
        except Malformed as error:
            print(f"interplay worker: {error}", file=sys.stderr)
    steering.cancel()
    threading.Event().wait(GRACE)
    os._exit(130)


def obey(order: dict[str, object], steering: Steering) -> None:
    """Execute one order. Raises `Malformed`."""
    match order.get("command"):
        case "cancel":
            steering.cancel()
        case "conclude":
            steering.conclude()
        case "pause":
            steering.pause()
        case "resume":
            steering.resume()
        case "step":
            steering.step()
        case "edit":
            formula, place = as_int(order.get("formula")), _place(order.get("place"))
            steering.edit(_action(order.get("action")), formula, place, as_str(order.get("text", "")))
        case other:
            raise Malformed(f"unknown command {other!r}")


def _action(value: object) -> EditAction:
    try:
        return EditAction(as_str(value))
    except ValueError:
        raise Malformed(f"unknown action {value!r}") from None


def _place(value: object) -> Place | None:
    if value is None:
        return None
    stack, location = as_row(value, 2)
    return as_ints(stack), as_int(location)
