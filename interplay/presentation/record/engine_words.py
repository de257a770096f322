"""The words round, state and lemma, as the engine that is shown means them."""

from __future__ import annotations

from enum import Enum

from interplay.presentation.record.run import RunRecord
from methods.registry import ENGINES


class EngineWord(Enum):
    """A word whose meaning depends on the engine: the field of its description, and the beginning of the sentence."""

    ROUND = "A round"
    STATE = "An abstract state"
    LEMMA = "A lemma"


def noun(record: RunRecord, attempt: int, word: EngineWord, count: int = 1) -> str:
    """The word of an engine for a round, a state or a lemma, in the plural unless there is one."""
    event = record.attempt(attempt).event
    description = ENGINES.get(record.request.engine if event is None else event.engine)
    names = _NOUNS if description is None else description.nouns
    name = names[list(EngineWord).index(word)]
    return name if count == 1 else f"{name}s"


def lemma_words(record: RunRecord, attempt: int, count: int = 1) -> str:
    """The word of an engine for what it finds to hold at a place; those without one have invariants."""
    own = noun(record, attempt, EngineWord.LEMMA, count)
    return own.replace(_NOUNS[2], "invariant")


_NOUNS = ("round", "abstract state", "lemma")


_FIELDS = {EngineWord.ROUND: "round", EngineWord.STATE: "node", EngineWord.LEMMA: "lemma"}


def is_known(record: RunRecord, attempt: int, word: EngineWord) -> bool:
    """Whether the engine of an attempt has what a word means."""
    event = record.attempt(attempt).event
    description = ENGINES.get(record.request.engine if event is None else event.engine)
    return description is not None and getattr(description, _FIELDS[word]) != "none"


def engine_words(record: RunRecord, attempt: int, word: EngineWord) -> str:
    """A sentence with the meaning of a word for the engine of an attempt; empty where the engine is not known."""
    event = record.attempt(attempt).event
    description = ENGINES.get(record.request.engine if event is None else event.engine)
    if description is None:
        return ""
    meaning: str = getattr(description, _FIELDS[word])
    if meaning == "none":
        return f"{description.name} has no such thing: {word.value.split()[-1]}s are shown for other engines."
    return f"{word.value} of {description.name}: {meaning}."
