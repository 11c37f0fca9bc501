"""Whether two names are those of one thing, as a sentence says that has both."""

from __future__ import annotations

from chains.answer.given import AnswerInput
from chains.answer.sentences import units_of
from core.schema import Claim, Draft
from core.text import content_terms

_ANOTHER = frozenset(content_terms("different difference"))
"""What who asks for says that the names may be those of two things."""


def said_alike(given: AnswerInput) -> Draft | None:
    """Yes, and the sentence that has both names of what the question is about; None where no evidence has one."""
    asked = given.understanding
    names = [set(content_terms(mention.text)) for mention in asked.mentions]
    concepts = {mention.concept.id for mention in asked.mentions}
    choice = "no" if _ANOTHER & set(content_terms(asked.text)) else "yes"
    for piece in given.evidence:
        if concepts.isdisjoint(piece.about):
            continue
        for unit in units_of(piece):
            said = set(content_terms(unit.text))
            if all(name <= said for name in names):
                lead = f"{choice.capitalize()}. "
                claim = Claim(text=unit.text, span=(len(lead), len(lead) + len(unit.text)), cited=(piece.id,))
                return Draft(text=lead + unit.text, choice=choice, claims=(claim,), citations=(piece.id,))
    return None
