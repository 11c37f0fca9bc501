"""What a question is about and what it asks: the value that the steps after it read."""

from __future__ import annotations

import re

from pydantic import Field

from chains import unnamed
from core.schema import Concept, Mention, Task, Value
from core.text import content_terms

_NAME_WORDS = frozenset(
    content_terms(
        "same thing exactly basically pretty much just actually really other another brand generic trade name version "
        "form medicine medication drug pill med call known difference between different equivalent"
    )
)
"""What is said between two names when it is asked whether they are those of one thing."""
_SAME = re.compile(r"\bsame\b", re.IGNORECASE)
_NAMING = frozenset({"DISO", "CHEM", "ANAT", "LIVB"})
_KINDS = frozenset("infection infections bacteria virus disease condition illness medicine medication drug".split())
_POINTED_AT = re.compile(r"\b(?:the|this|that|these|those)(?: (?:type|kind|sort)s? of)? $", re.IGNORECASE)
"""What stands before a kind of thing that is not named but pointed at: "what may cause this type of bacteria?"."""


class Understanding(Value):
    """What a question is about and what is asked of it."""

    text: str
    task: Task
    language: str = Field(description="ISO 639-1")
    subject: str = Field(description="the words that the question is about, as it writes them")
    names: tuple[str, ...] = Field((), description="other names of the subject: aliases in the question, synonyms")
    object: str = Field("", description="what the subject is related to, in a question such as: does X belong to Y")
    subject_concepts: tuple[Concept, ...] = ()
    mentions: tuple[Mention, ...] = ()
    aspect: str = Field(description="a name of lexicon/aspects.toml; empty where none is recognised")
    sure: bool = Field(
        False, description="the subject is known by the question's form, a concept or what a letter tells"
    )
    terms: tuple[str, ...] = Field((), description="stems of the words that carry content, without repetitions")
    story: str = Field("", description="what the text that it is a part of tells and asks beside it")
    written: str = Field("", description="the question as that text has it, which may point at what the story names")
    named: bool = Field(
        True,
        description="what answers it carries a name of the subject: of a text that tells much, the subject is a guess",
    )
    compared: bool = Field(False, description="its last two parts are what it compares: they answer only together")
    parts: tuple[Understanding, ...] = Field(
        (), description="its questions, each as one that stands alone, where it has several or tells a story too"
    )

    @property
    def questions(self) -> tuple[Understanding, ...]:
        """What is to be answered: its parts, or itself."""
        return self.parts or (self,)

    @property
    def told(self) -> str:
        """The question after its story, in the words of the text: as whoever answers hears it."""
        return f"{self.story} {self.written}" if self.story else self.text

    def asks_of(self, word: str) -> bool:
        """Whether one of its questions has a word, not just what is told around them."""
        return any(word.lower() in (question.written or question.text).lower() for question in self.questions)

    @property
    def alike(self) -> bool:
        """Whether it only asks whether two names are those of one thing: "Is Valtrex the same as valacyclovir?"."""
        mentions = [m for m in self.mentions if not set(content_terms(m.text)) <= _NAME_WORDS]
        named = {m.text.lower() for m in mentions}
        said = set(content_terms(self.text)) - {term for name in named for term in content_terms(name)}
        one = len({m.concept.id for m in mentions}) == 1
        return one and len(named) > 1 and said <= _NAME_WORDS

    @property
    def asks_same(self) -> bool:
        """Whether it asks of two things whether they are the same: "Is Valtrex the same as Zovirax?"."""
        return self.compared and bool(_SAME.search(self.text))

    @property
    def subject_ids(self) -> frozenset[str]:
        """The ids of the subject's concepts, in every vocabulary that has them."""
        return frozenset(i for concept in self.subject_concepts for i in (concept.id, *concept.xrefs))


def names_nothing(asked: Understanding) -> bool:
    """Whether nobody can tell what is asked about: "Is it contagious?", "Is there a treatment?"."""
    if asked.parts or asked.language != "en":
        return False
    naming = [m for m in asked.mentions if m.concept.group in _NAMING]
    if naming and all(m.text.lower() in _KINDS and _POINTED_AT.search(asked.text[: m.start]) for m in naming):
        return True
    return unnamed.names_nothing(asked.text, asked.subject, named=bool(naming))


def names_something(asked: Understanding) -> bool:
    """Whether what is asked about is surely a disease or a substance: "should i take some imodium?".

    So is what somebody does or has done, where more than a word names it: "intermittent fasting", not "the test".
    """
    named = {"DISO", "CHEM"} if " " not in asked.subject else {"DISO", "CHEM", "ACTI", "PROC"}
    subjects = {concept.group for concept in asked.subject_concepts}
    return asked.sure and bool(subjects & named) and not names_nothing(asked)
