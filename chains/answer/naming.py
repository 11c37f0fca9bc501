"""Whether two names are those of one thing, as a sentence says that has both."""

from __future__ import annotations

from collections.abc import Sequence

from chains.answer.given import AnswerInput
from chains.answer.passages import is_recorded
from chains.answer.sentences import units_of
from core.schema import Claim, Draft, Evidence
from core.text import content_terms

_ANOTHER = frozenset(content_terms("different difference"))
"""What who asks for says that the names may be those of two things."""


def said_alike(given: AnswerInput) -> Draft | None:
    """Yes, and the sentences that have both names of what the question is about; None where no evidence has them."""
    asked = given.understanding
    names = [set(content_terms(mention.text)) for mention in asked.mentions]
    concepts = {mention.concept.id for mention in asked.mentions}
    choice = "no" if _ANOTHER & set(content_terms(asked.text)) else "yes"
    for piece in given.evidence:
        if not concepts.isdisjoint(piece.about) and (told := _naming(piece, names, is_recorded(asked, piece))):
            return _affirmed(choice, told, piece.id)
    return None


def _naming(piece: Evidence, names: Sequence[set[str]], recorded: bool) -> list[str]:
    """A sentence that has every name; of what a vocabulary records of one thing, the sentences that have all together.

    Each of the latter says what the one thing is called.
    """
    said = [(unit.text, set(content_terms(unit.text))) for unit in units_of(piece)]
    whole = [text for text, terms in said if all(name <= terms for name in names)]
    if whole or not recorded:
        return whole[:1]
    some = [(text, terms) for text, terms in said if any(name <= terms for name in names)]
    return [text for text, _ in some] if all(any(name <= terms for _, terms in some) for name in names) else []


def _affirmed(choice: str, told: Sequence[str], cited: str) -> Draft:
    """A draft of the choice and of sentences of one piece."""
    text, claims = f"{choice.capitalize()}.", []
    for sentence in told:
        span = len(text) + 1, len(text) + 1 + len(sentence)
        claims.append(Claim(text=sentence, span=span, cited=(cited,)))
        text += f" {sentence}"
    return Draft(text=text, choice=choice, claims=tuple(claims), citations=(cited,))
