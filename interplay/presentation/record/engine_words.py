"""The words round, state and lemma, as the engine that is shown means them."""

from __future__ import annotations

from enum import Enum

from core.registry import ENGINES
from interplay.presentation.record.run import RunRecord


class EngineWord(Enum):
    """A word whose meaning depends on the engine: the field of its description, and the beginning of the sentence."""

    ROUND = "A round"
    STATE = "An abstract state"
    LEMMA = "A lemma"


def engine_words(record: RunRecord, attempt: int, word: EngineWord) -> str:
    """A sentence with the meaning of a word for the engine of an attempt; empty where the engine is not known."""
    event = record.attempt(attempt).event
    description = ENGINES.get(record.request.engine if event is None else event.engine)
    if description is None:
        return ""
    fields = {EngineWord.ROUND: "round", EngineWord.STATE: "node", EngineWord.LEMMA: "lemma"}
    meaning: str = getattr(description, fields[word])
    if meaning == "none":
        return f"{description.name} has no such thing: {word.value.split()[-1]}s are shown for other engines."
    return f"{word.value} of {description.name}: {meaning}."
