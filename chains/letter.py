"""What a text tells around its question: what somebody is said to have, and what the question points back at."""

from __future__ import annotations

import re
from collections.abc import Sequence

from chains import parts
from chains.form import PRONOUN, SPACE, Reading, best_mention, cut_all, read_sentence
from chains.leaning import is_person
from core.schema import Mention
from core.text import content_terms

_LONGEST_NAME = 90
_NAMED = re.compile(
    r"\b(?:diagnosed (?:with|as having|as)|suffer(?:s|ed|ing)? (?:from|with)|diagnosis (?:of|is|was)|mentioned|"
    r"reckons?|suspects?|"
    r"(?:said|says|told (?:me|us|him|her)(?: about)?|was told|were told|got told|thinks?|found)"
    r"(?: (?:that|it|it's|its|is|was|has|have|had|i|he|she|we|they|my|our|his|her|kid|son|daughter|child|baby|to))*"
    r"|called|named|tested positive for)"
    r"(?: (?:a|an|the|some|about)\b)* [\"']?([\w].*)",
    re.I,
)
_SUFFERED = re.compile(
    r"\b(?:diagnosed (?:with|as having|as)|suffer(?:s|ed|ing)? (?:from|with)|affected (?:by|with)|"
    r"diagnosis (?:of|is|was)|(?:(?:has|have|had|having)(?: got)?|got)(?: been (?:told (?:that )?(?:i|he|she|"
    r"they) (?:have|has|had)))?|"
    r"living with|"
    r"case of|history of|carriers? (?:of|for)|"
    r"told (?:me )?(?:that )?(?:i|he|she|we|they|it) (?:have|has|had|is|was)|tested positive for|called|with) "
    r"(?:a |an |the |some |severe |mild |rare |what is called )*(.+)",
    re.I,
)
_CLAUSE = re.compile(
    r"[,;:.!?]|\s(?:and|but|which|that|since|because|when|while|who|so|for (?:the )?(?:last|past|"
    r"\w+ (?:years|months))|"
    r"(?:\w+ )?(?:years|months|weeks) ago|at (?:age|the age)|in (?:19|20)\d\d|last|recently|by (?:my|a|his|her|our)|"
    r"is|are|was|were|has|have|had|i|(?<!\bin )(?<!\bon )(?<!\bof )my|he|she|we|they)\b",
    re.I,
)
_NO_NAME = re.compile(r"(?:been|being|never|not|no|nothing|none|(?:any|some|every)thing|always|all|only)\b", re.I)
"""With what no name begins: "says he never feels empty", "the hospital found nothing", "has been swollen"."""
_LEAST_STORY, _LONGEST_STORY = 2, 60
"""Words: what is shorter tells nothing, and of a longer one readers take in the end."""
_DISEASE = ("DISO", "", None)
_FEW = 3
"""Words of a disease's name that nobody links: "carpal tunnel", "Parkinson's"."""
_OWN = ("'s", "\u2019s")


def read_letter(text: str, mentions: Sequence[Mention]) -> Reading:
    """The reading of the sentence that asks; its subject comes from the other sentences where it says only "it"."""
    asking = parts.asking(text).questions
    readings = [read_sentence(p, moved(mentions, text, p)) for p in asking]
    if asking == (text,):
        return readings[0]
    condition = told_condition(text, mentions)
    if points_back(asking[0], mentions, text) and (said := condition or _said_of_somebody(text, mentions)):
        return readings[0].model_copy(update={"subject": said, "sure": True})
    named = [r for r in readings if r.sure and not PRONOUN.match(r.subject.lower())]
    medical = [r for r in named if clinical(moved(mentions, text, r.subject))]
    if medical and not _is_part_of(medical[0].subject, condition):
        return medical[0]
    if named and not condition:
        return named[0]
    first = next((r for r in readings if r.templated), readings[0])
    told = condition or _told_subject(text, mentions)
    if told:
        return first.model_copy(update={"subject": told, "sure": True})
    return first


def points_back(question: str, mentions: Sequence[Mention], text: str) -> bool:
    """Whether a question is about what the text told before; one on him or her may name a disease of its own."""
    of_him = parts.of_person(question) and all(m.concept.group != "DISO" for m in moved(mentions, text, question))
    return parts.leans(question) or of_him


def _told_subject(text: str, mentions: Sequence[Mention]) -> str:
    """What a letter says that somebody has; otherwise its longest linked concept."""
    about = [m for m in mentions if not is_person(m.text)]
    linked = [m for m in about if m.concept.group == "DISO"] or about
    return _said_of_somebody(text, mentions) or best_mention(linked, "")


def told_condition(text: str, mentions: Sequence[Mention]) -> str:
    """The disease that a letter tells of, linked or in the few words of whoever named it; empty where it tells none."""
    said = _said_of_somebody(text, mentions)
    diseases = [m for m in mentions if m.concept.group in _DISEASE and not m.negated and not is_person(m.text)]
    short = len(said.split()) <= _FEW and (_NAMED.search(text) or said.endswith(_OWN))
    if said and (short or moved(diseases, text, said)):
        return said
    return best_mention(diseases, "")


def clinical(mentions: Sequence[Mention]) -> bool:
    """Whether a disease or a substance is among them: what a question can be about by itself."""
    return any(m.concept.group in (*_DISEASE, "CHEM") for m in mentions)


def _is_part_of(subject: str, condition: str) -> bool:
    """Whether a subject is some of the words of what the letter tells of: the cough of whooping cough."""
    own, told = set(content_terms(subject)), set(content_terms(condition))
    return bool(own) and own < told


def _said_of_somebody(text: str, mentions: Sequence[Mention]) -> str:
    """What a letter says that somebody has; empty where it does not say so."""
    pieces = parts.told(text)
    for said in (_NAMED, _SUFFERED):
        for match in (match for piece in pieces for match in said.finditer(piece)):
            clause = _CLAUSE.split(SPACE.sub(" ", match.group(1)), maxsplit=1)[0].strip()
            inside = [m for m in moved(mentions, text, clause) if m.concept.group in ("", "DISO")]
            if inside:
                return best_mention(inside, "")
            if clause and len(clause) < _LONGEST_NAME and content_terms(clause) and not _NO_NAME.match(clause):
                return cut_all(clause)
    return ""


def story(text: str, questions: Sequence[str]) -> str:
    """What a text says beside some of its questions: its last words, where it says much."""
    for question in questions:
        text = text.replace(question, " ")
    told, asked = text.split(), set(content_terms(" ".join(questions)))
    says_more = not set(content_terms(text)) <= asked  # "plantar fasciitis what is that" tells no more than it asks
    return " ".join(told[-_LONGEST_STORY:]) if len(told) > _LEAST_STORY and says_more else ""


def moved(mentions: Sequence[Mention], text: str, part: str) -> tuple[Mention, ...]:
    """The mentions whose words stand in a part of the text, at their places there."""
    found = []
    for mention in mentions:
        words = text[mention.start : mention.end]
        start = part.lower().find(words.lower())
        if start >= 0:
            found.append(mention.model_copy(update={"start": start, "end": start + len(words)}))
    return tuple(sorted(found, key=lambda m: m.start))


def was_told(subject: str, text: str) -> bool:
    """Whether a text says that somebody has, or was told of, what these words (lower case) name."""
    told = (match.group(1) for said in (_NAMED, _SUFFERED) for match in said.finditer(text))
    return any(subject in _CLAUSE.split(clause, maxsplit=1)[0].lower() for clause in told)
