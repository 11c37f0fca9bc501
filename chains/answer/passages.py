"""Which passages an answer is taken from, the likeliest to answer first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from chains.relevance.signals import OF_MEDICINE
from chains.understanding import Understanding
from chains.verify.statements.near import read
from core.language.statement import Statement
from core.schema import Evidence
from core.text import content_terms

LEAST_RELEVANCE = 0.2
"""Evidence of a lower p_answers is not quoted, not even for the reader to see why nothing is answered."""
OF_THE_BEST = 0.5
"""Nor evidence that is so much less likely than the best."""
ABOUT_AS_WELL = 0.6
"""Of the likelihood of a vocabulary's fact, what prose needs to come before it."""
VOCABULARIES = frozenset({"knowledge", "umls"})
_ROLES, _CLASSED = ": has role", ("Vocabularies class ", "Other names of ", "Another name of ")
"""How a piece is titled that tells roles, and how one begins that has a class or names where others have prose."""
OF_CLASS, _CLASS_OF_MEDICINES = "class", ": class of medicines"
_WHAT_IT_IS = frozenset({"definition", "names", OF_CLASS})
_WHAT_IT_IS_FOR = _WHAT_IT_IS | {"uses"}
_WHETHER_IT_HELPS = frozenset({"treatment", "relation", ""})
AGAINST, CLASSED_AS = " is a medicine that acts against ", " is one of the "
"""How it is told what a medicine is for, and of which class; without the first its names answer what asks for them."""
COMBINES = " of a medicine that combines "
"""How it is told of what a medicine is made that combines several."""
_OF_A_DRUG_IN_USE = frozenset(
    {"side effects", "interactions", "dosage", "storage", "precautions", "care", "outlook", "prevention", "diagnosis"}
)
"""What vocabularies do not tell, whatever they relate."""
_WHAT_HELPS = frozenset({"treatment", "prevention"})
_BRINGS_ABOUT = frozenset({"cause", "raise", "worsen"})
_SIDE_EFFECTS = re.compile(r"\b(?:side|these) effects?\b", re.I)
_WHO_HAS_IT = frozenset({"carriers", "relation", "causes", "complications"})
"""What the diseases tell that a feature is recorded in; nobody who asks what to do is served by their names."""
_RECORDED = (": features", ": features recorded as not present", ": inheritance", ": onset and course")
_RECORDED_OF: Mapping[str, str | tuple[str, ...]] = {
    "symptoms": ": features",
    "absent features": ": features recorded as not present",
    "inheritance": ": inheritance",
    "carriers": ": diseases",
    "definition": OF_MEDICINE,
    "names": OF_MEDICINE,
    "uses": OF_MEDICINE,
    OF_CLASS: (_CLASS_OF_MEDICINES, OF_MEDICINE),
}
"""By the aspect asked about, how the piece is titled that records all that a vocabulary has of it."""


def passages(
    understanding: Understanding, evidence: Sequence[Evidence], relevance: Mapping[str, float]
) -> list[tuple[Evidence, float]]:
    """Those that may answer, with their likelihoods, best first: prose before facts, where it does about as well."""
    weighed = [(e, relevance.get(e.id, 0.0)) for e in evidence if may_answer(understanding, e)]
    least = max(LEAST_RELEVANCE, OF_THE_BEST * max((p for _, p in weighed), default=0.0))
    likely = [(e, p) for e, p in weighed if p >= least]
    facts = max((p * _needed(e) for e, p in likely if e.source in VOCABULARIES), default=0.0)
    prose = max((p for e, p in likely if e.source not in VOCABULARIES), default=0.0)
    facts_first = prose < facts
    return sorted(likely, key=lambda pair: ((pair[0].source in VOCABULARIES) != facts_first, -pair[1]))


def _needed(fact: Evidence) -> float:
    """Of a fact's likelihood, what prose needs to come before it: all, where that is on what a medicine is used for."""
    return 1.0 if fact.title.endswith(OF_MEDICINE) else ABOUT_AS_WELL


def may_answer(understanding: Understanding, evidence: Evidence) -> bool:
    """Whether a piece can tell what is asked: what a thing is classed as and called tells what it is, nothing else.

    The roles of a substance tell that too, and whether it has the one that is asked about. Nor does a text tell what
    helps with what it knows as a side effect alone.
    """
    if evidence.source not in VOCABULARIES:
        return not (understanding.aspect in _WHAT_HELPS and is_side_effect(understanding.subject, evidence))
    if evidence.title.endswith(": definition"):
        return understanding.aspect in _WHAT_IT_IS
    if evidence.title.endswith(": has role"):
        asked = set(content_terms(understanding.object))
        return understanding.aspect in _WHAT_IT_IS or bool(asked & set(content_terms(evidence.text)))
    if evidence.title.endswith(OF_MEDICINE):
        return _is_told_of_medicine(understanding, evidence.text)
    if evidence.title.endswith(_CLASS_OF_MEDICINES):
        return understanding.aspect in _WHAT_IT_IS
    if evidence.title.endswith(": diseases"):
        return understanding.aspect in _WHO_HAS_IT
    if evidence.title.endswith(_RECORDED) and understanding.aspect == "treatment":
        return False
    return understanding.aspect not in _OF_A_DRUG_IN_USE


def tell_apart(told: Iterable[tuple[Evidence, str]]) -> bool:
    """Whether sentences, each beside its piece, may tell two things apart: medicines are by what each acts against."""
    uses: dict[str, str] = {}
    for piece, text in told:
        if not piece.title.endswith(OF_MEDICINE):
            return True
        uses[piece.id] = uses.get(piece.id) or text.partition(AGAINST)[2].partition(", according to")[0]
    return all(uses.values()) and len(set(uses.values())) > 1


def _is_told_of_medicine(understanding: Understanding, text: str) -> bool:
    """Whether what a medicine acts against, and is called, answers what is asked.

    That is what it is, what it is for or how it is called; and whether it helps, where the question has what it acts
    against.
    """
    uses = text.partition(AGAINST)[2].partition(".")[0]
    if understanding.alike or understanding.aspect == "names":
        return True
    if understanding.aspect in _WHETHER_IT_HELPS:
        return bool(set(content_terms(uses)) & set(content_terms(understanding.text)))
    if COMBINES in text and understanding.aspect in _WHAT_IT_IS:
        return True
    return bool(uses) and understanding.aspect in _WHAT_IT_IS_FOR


def is_side_effect(subject: str, evidence: Evidence) -> bool:
    """Whether a text on something else names a subject only as what treating that brings: antacids, constipation."""
    asked, text = frozenset(content_terms(subject)), set(content_terms(evidence.text))
    if not asked <= text or asked <= set(content_terms(evidence.title)) or not _SIDE_EFFECTS.search(evidence.text):
        return False
    named = [sentence for sentence in read(evidence.text).sentences if asked <= set(content_terms(sentence.text))]
    return bool(named) and all(any(_brings(told, asked) for told in one.statements) for one in named)


def _brings(told: Statement, harm: frozenset[str]) -> bool:
    """Whether a statement tells that something causes a harm, or has it among its effects."""
    if told.object is None or told.negated or not harm <= set(content_terms(told.object.text)):
        return False
    effects = told.kind == "have" and told.subject is not None and told.subject.head.startswith("effect")
    return told.kind in _BRINGS_ABOUT or effects


def is_classing(evidence: Evidence) -> bool:
    """Whether a piece tells how a vocabulary classes and calls a thing, or the roles that it gives it."""
    told = evidence.title.endswith(_ROLES) or evidence.text.startswith(_CLASSED)
    return evidence.source in VOCABULARIES and told


def is_recorded(understanding: Understanding, evidence: Evidence) -> bool:
    """Whether a piece is what a vocabulary records of the very concept and aspect, or of the very two concepts."""
    if evidence.source not in VOCABULARIES:
        return False
    if understanding.aspect == "relation":
        related = [{m.concept.id, *m.concept.xrefs} for m in understanding.mentions]
        return len(related) > 1 and not any(ids.isdisjoint(evidence.about) for ids in related)
    titled = OF_MEDICINE if understanding.alike else _RECORDED_OF.get(understanding.aspect)
    of_subject = not understanding.subject_ids.isdisjoint(evidence.about)
    return titled is not None and of_subject and evidence.title.endswith(titled)
