"""The length guard: an answer is held to the words asked for, at the end of a sentence."""

from __future__ import annotations

from core.language import sentences
from core.text import words


def is_within(text: str, max_words: int | None) -> bool:
    """Whether a text has at most so many words."""
    return max_words is None or len(words(text)) <= max_words


def cut_at_sentence(text: str, max_words: int) -> str:
    """The first sentences of a text that have at most so many words together; the first one, if it alone has more.

    A sentence is never cut: half of one may say the opposite.
    """
    end = 0
    for sentence in sentences(text):
        if end and not is_within(text[: sentence.end], max_words):
            break
        end = sentence.end
    return text[:end]
