"""What the store answers with, beside ``core.schema``'s concepts and triples."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.schema import Concept
from tools.knowledge.frequency import Frequency

HPO, CHEBI, DRUG_NAMES = "HPO", "ChEBI", "DrugNames"
PHENOTYPE_OF, INHERITANCE_OF, COURSE_OF, MODIFIER_OF = "phenotype of", "inheritance of", "course of", "modifier of"
NOT = "not: "
"""Begins the relation of a triple that a vocabulary states not to hold."""
IS_A, NARROWER, HAS_ROLE = "is a", "narrower than", "has role"

DISEASE_DATABASES = ("OMIM", "ORPHA", "DECIPHER")
"""Prefixes of the CURIEs that name diseases, the one that names a concept's evidence first."""


MEDICINE_PAGES = ("MEDLINEPLUS:", "NHS:")
"""Beginnings of the CURIEs that name the pages of medicines."""


@dataclass(frozen=True)
class Vocabulary:
    """A vocabulary in the store, as its licence asks to be named."""

    id: str
    name: str
    version: str
    released: str | None
    licence: str
    acknowledgement: str
    url: str


@dataclass(frozen=True)
class Name:
    """A name of a concept.

    ``kind`` is preferred, exact, layperson, abbreviation, plural, spelling or derived, or that of a looser synonym.
    """

    text: str
    kind: str
    vocabulary: str
    linked: bool


@dataclass(frozen=True)
class Entry:
    """A concept with what it takes to write a sentence about it: its form inside one, and its own CURIEs."""

    concept: Concept
    inline: str
    curies: tuple[str, ...]

    @property
    def term(self) -> str | None:
        """The CURIE it has as an HPO term, if it is one."""
        return next((curie for curie in self.curies if curie.startswith("HP:")), None)

    @property
    def disease(self) -> str | None:
        """The CURIE it has as a disease that HPO annotates, if it is one."""
        return next((curie for curie in self.curies if curie.startswith(DISEASE_DATABASES)), None)

    @property
    def medicine(self) -> bool:
        """Whether MedlinePlus or the NHS has a page of it as a medicine."""
        return any(curie.startswith(MEDICINE_PAGES) for curie in self.curies)

    def as_disease(self) -> Entry:
        """Return it named so that nobody takes one disease record's facts for those of the sign of the same name."""
        return replace(self, inline=f"{self.inline} as a disease ({self.disease})") if self.term else self


@dataclass(frozen=True)
class Annotation:
    """One statement about a feature (or mode of inheritance, or course) and a disease.

    ``excluded`` says that the feature is recorded as absent. ``origin`` is the disease record that states it.
    """

    feature: Entry
    disease: Entry
    excluded: bool
    frequency: Frequency | None
    onset: str | None
    sex: str | None
    references: tuple[str, ...]
    origin: str
    vocabulary: str


@dataclass(frozen=True)
class PairFacts:
    """All that is recorded of one feature in one disease.

    ``direct`` names the feature itself; ``specific`` are recorded features that are kinds of it, and so imply it;
    ``excluding`` are more general features recorded as absent, which exclude it.
    """

    feature: Entry
    disease: Entry
    direct: tuple[Annotation, ...]
    specific: tuple[Annotation, ...]
    excluding: tuple[Annotation, ...]

    @property
    def recorded(self) -> bool:
        """Whether anything is; where nothing is, nothing follows."""
        return bool(self.direct or self.specific or self.excluding)
