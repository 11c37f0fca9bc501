"""Whether two names are those of one thing, and of which class a medicine is, as sentences that are quoted say."""

from __future__ import annotations

import re
from collections.abc import Sequence

from chains.answer.given import AnswerInput
from chains.answer.joining import with_sentence
from chains.answer.passages import AGAINST, CLASSED_AS, OF_CLASS, is_recorded
from chains.answer.sentences import units_of
from chains.understanding import Understanding
from core.schema import Draft, Evidence
from core.text import content_terms

Told = tuple[str, str]
"""A sentence, and the id of the piece that has it."""

TELLS_CLASS = 0.85
"""How likely what is recorded of a medicine answers of which class it is: of 44 such answers 39 did, to questions of
another hand (``natural.classes``)."""
_WITHIN = {
    wide: frozenset(content_terms(narrow))
    for wide, narrow in {
        "antidepressants": "ssri snri selective serotonin norepinephrine reuptake inhibitor tricyclic maoi mao",
        "antibiotics": "penicillin cephalosporin macrolide quinolone fluoroquinolone tetracycline aminoglycoside sulfa",
        "blood pressure medicines": "beta alpha calcium channel blocker ace inhibitor arb diuretic water",
        "pain relievers": "nsaid nonsteroidal anti-inflammatory inflammatory opioid opiate narcotic",
        "diabetes medicines": "insulin dpp-4 dpp sglt-2 sglt2 sglt glp-1 glp inhibitor",
        "sedatives": "benzo benzodiazepine barbiturate",
        "medicines against anxiety": "benzo benzodiazepine barbiturate ssri antidepressant",
        "immunosuppressants": "steroid corticosteroid",
    }.items()
}
"""Classes that are within others: whoever asks for one of them is not told by the wider one whether it is."""
_ANOTHER = frozenset(content_terms("different difference"))
"""What who asks for says that the names may be those of two things."""


def asks_of_names(asked: Understanding) -> bool:
    """Whether it is asked what something is called, or of which class it is, and nothing else."""
    return len(asked.questions) == 1 and (asked.alike or asked.aspect == OF_CLASS)


def said_of_names(given: AnswerInput) -> Draft | None:
    """What says whether two names are those of one thing, or of which class a medicine is, where that is asked."""
    if not asks_of_names(given.understanding):
        return None
    return said_alike(given) if given.understanding.alike else said_of_class(given)


def said_alike(given: AnswerInput) -> Draft | None:
    """Yes, and the sentences that have both names of what the question is about; None where no evidence has them."""
    asked = given.understanding
    names = [set(content_terms(mention.text)) for mention in asked.mentions]
    concepts = {mention.concept.id for mention in asked.mentions}
    choice = "no" if _ANOTHER & set(content_terms(asked.text)) else "yes"
    for piece in given.evidence:
        if not concepts.isdisjoint(piece.about) and (told := _naming(piece, names, is_recorded(asked, piece))):
            return _drafted(choice, [(text, piece.id) for text in told])
    return None


def said_of_class(given: AnswerInput) -> Draft | None:
    """What a vocabulary records of the medicine that is asked about: its class, what it acts against.

    Yes where it is of the class that is asked for; of what it is not, its own class tells without a no: a vocabulary
    need not list every class of a medicine. None where nothing is recorded.
    """
    asked = given.understanding
    said = [(unit.text, piece.id) for piece in given.evidence if is_recorded(asked, piece) for unit in units_of(piece)]
    told = [(text, cited) for way in (CLASSED_AS, AGAINST) for text, cited in said if way in text]
    classed = bool(told) and CLASSED_AS in told[0][0]
    return _of_class(asked, told) if told and (classed or asked.task != "yesno") else None


def _of_class(asked: Understanding, told: Sequence[Told]) -> Draft | None:
    """A draft of what is told of a medicine; None where a yes/no question asks for a class within the told ones."""
    classes = told[0][0].partition(CLASSED_AS)[2].partition(", according to")[0]
    wanted = set(content_terms(asked.text)) if asked.task == "yesno" else set[str]()
    names = [name.strip(" )") for name in re.split(r",? and the |, the | \(", classes) if name]
    of_it = any(set(content_terms(name)) <= wanted for name in names)
    wide = [name for name in names if name in _WITHIN]
    if not of_it and len(wide) == len(names) and any(wanted & _WITHIN[name] for name in wide):
        return None
    draft = _drafted("yes" if of_it else "", told)
    return draft.model_copy(update={"chance": TELLS_CLASS})


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


def _drafted(choice: str, told: Sequence[Told]) -> Draft:
    """A draft of the choice, where there is one, and of sentences, each with the piece that has it."""
    draft = Draft(text=f"{choice.capitalize()}." if choice else "", choice=choice or None)
    for sentence, cited in told:
        draft = with_sentence(draft, sentence, cited)
    return draft
