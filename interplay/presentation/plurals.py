"""Numbers with what they count."""


def counted(count: int, word: str) -> str:
    """`1 check`, `2 checks`."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"
