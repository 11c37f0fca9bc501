"""What a sentence says: its statements, each with who says it, how surely, of whom, and how much.

Every step that asks what a sentence means takes it from here. Offsets count Unicode code points of the text as given.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

RelationKind = Literal[
    "cause",  # subject brings object about
    "prevent",  # subject keeps object from coming
    "treat",  # subject is a remedy, a relief or a cure for object
    "worsen",  # subject makes object worse
    "raise",  # subject makes more of object: a level, a risk, a rate
    "lower",  # subject makes less of object
    "associate",  # subject and object go together, without a direction of cause
    "diagnose",  # subject shows or finds object
    "inherit",  # subject is inherited in the way that object says
    "spread",  # subject is passed on by object
    "be",  # subject is object, or a kind of it
    "have",  # subject has, includes or consists of object
    "require",  # subject needs object
    "happen",  # subject occurs; nothing is its object
    "other",  # whatever else: its lemma says what
]
Modality = Literal["asserted", "hedged", "possible", "hypothetical", "asked"]
"""How surely: said outright; with a doubt (may, suggests); as able to be (can); under an if; as a question."""
Attribution = Literal["stated", "shown", "believed", "refuted"]
"""Who says it: the text itself; what studies found; what people believe, claim or once thought; what was disproved."""
ScopeKind = Literal["population", "species", "time", "condition", "place"]


@dataclass(frozen=True, slots=True)
class Phrase:
    """A run of words that names something; ``start:end`` is its place, ``lemmas`` its content words in order.

    A pronoun, or "this drug", is its antecedent, as that stands there; from a title, start and end are −1.
    """

    text: str
    start: int
    end: int
    head: str
    lemmas: tuple[str, ...]
    absent: bool = False
    """Whether it names the lack of what ``lemmas`` say: "a lack of vitamin C", "not smoking", "avoiding milk"."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number or a range with its unit: "at least 50 mg" is 50 to infinity of mg; one number is low and high."""

    low: float
    high: float
    unit: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Scope:
    """For whom, when or where a statement holds: "in children", "in mice", "for two weeks", "if untreated"."""

    kind: ScopeKind
    phrase: Phrase


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement, in the order of its relation's meaning: of "scurvy is caused by X", X is the subject.

    ``lemma`` is the word that carries the relation. ``direction`` is +1 where the statement tells of a rise or more,
    −1 of a fall or less, 0 otherwise. ``frequency`` is the word that says how often or of how many, such as "rarely"
    or "most". ``arguments`` are what else the relation takes, such as an instrument. ``start:end`` is the clause.
    """

    kind: RelationKind
    lemma: str
    subject: Phrase | None
    object: Phrase | None
    arguments: tuple[Phrase, ...]
    negated: bool
    modality: Modality
    attribution: Attribution
    direction: int
    frequency: str
    scopes: tuple[Scope, ...]
    quantities: tuple[Quantity, ...]
    start: int
    end: int
    main: bool
    """Whether it is a main clause of its sentence, which may stand for the sentence."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a sentence, with what the parse says of it."""

    text: str
    start: int
    end: int
    lemma: str
    pos: str
    negated: bool
    """Whether a denial reaches it."""
    doubted: bool
    """Whether it is hedged, supposed, asked, believed or refuted: not what the text itself asserts."""
    family: bool
    """Whether it is said of a relative."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with its statements, those of the items of a list with those of the sentence that heads it."""

    start: int
    end: int
    text: str
    words: tuple[Word, ...]
    statements: tuple[Statement, ...]
    takes_back: bool
    """Whether it denies, rejects or doubts what the sentence before it says ("Studies have rejected this idea")."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A text as read: its sentences in order."""

    text: str
    sentences: tuple[Sentence, ...]

    @property
    def statements(self) -> tuple[Statement, ...]:
        """All statements, in order."""
        return tuple(s for sentence in self.sentences for s in sentence.statements)
