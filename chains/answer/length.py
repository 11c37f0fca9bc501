"""The length guard: an answer is held to the words asked for, at the end of a sentence, and says nothing twice."""

from __future__ import annotations

from chains.claims import MARK
from core.language import sentences
from core.schema import Draft
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


def said_once(text: str) -> str:
    """The text without the sentences that it has had before, marks aside: small models loop."""
    found = sentences(text)
    keys = [" ".join(span.text.lower() for span in words(MARK.sub(" ", sentence.text))) for sentence in found]
    if len(set(keys)) == len(keys):
        return text
    first = {key: sentence for key, sentence in reversed(list(zip(keys, found, strict=True)))}
    return " ".join(sentence.text for sentence in found if sentence in first.values())


def held_to_length(draft: Draft, max_words: int | None) -> Draft:
    """The draft without its last claims where it has more words than asked for; the first claim stays."""
    if is_within(draft.text, max_words) or max_words is None or len(draft.claims) < 2:
        return draft
    kept = [draft.claims[0], *(c for c in draft.claims[1:] if is_within(draft.text[: c.span[1]], max_words))]
    return draft.model_copy(
        update={
            "text": draft.text[: kept[-1].span[1]],
            "claims": tuple(kept),
            "citations": tuple(dict.fromkeys(i for claim in kept for i in claim.cited)),
        }
    )
