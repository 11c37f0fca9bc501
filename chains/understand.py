"""Reads a question, in each of its parts: by rules, in well under a millisecond.

The subject is what the evidence has to be about; the aspect is what it has to tell of it. The sentence that asks
decides the aspect; what is told around it gives the subject where that sentence says only "it".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from chains import parts
from chains.form import SPACE, YES_NO, Reading, stripped
from chains.leaning import is_person, is_somebody
from chains.letter import clinical, moved, points_back, read_letter, story, told_condition, was_told
from chains.link import Link
from chains.understanding import Understanding
from core.language import language_of
from core.schema import Concept, Mention, Task
from core.text import content_terms

__all__ = ["Understanding", "understand"]  # threads that are still there name the first here

_ALIAS = re.compile(r"\s*[(\[]([^()\[\]]+)[)\]]|,? (?:also (?:known|called)(?: as)?|aka|or|i\.e\.) (.+)$")
_ALIAS_LEAD = re.compile(r"^(?:also )?(?:known as|called|aka|or|i\.e\.|formerly|including)[ ,]+")
_COULD_BE = re.compile(
    r"\b(?:(?:is|could|can|might|may|would)(?:n't)? (?:it|this|that)|"
    r"(?:do|did) (?:you|u|y'?all|yall) (?:think|believe) (?:that )?"
    r"(?:(?:it|this)(?:'s| is| could be| may be| might be)|its)|"
    r"do(?:es)? (?:it|this|that|these) (?:look|sound|seem) like|"
    r"is(?:n't)? it possible (?:that )?(?:(?:it|this)(?:'s| is| could be)|its|for (?:it|this) to be))\s+"
    r"(?:(?:be|possibly|possible|maybe|just|also|really|some|form|of|kind|type|like|only|still|a|an|the|my|more)\s+)*"
    r"(?P<named>[^,.;?!]{3,60}?)\W*$",
    re.I,
)
"""Whether what somebody has is a disease: its signs are what a general text tells to that."""
_NO_DISEASE = frozenset({"emergency", "medical emergency"})
_DECIDABLE = frozenset(
    {
        "relation",
        "class",
        "inheritance",
        "outlook",
        "prevention",
        "treatment",
        "causes",
        "frequency",
        "side effects",
        "",
    }
)


def understand(
    text: str,
    link: Link | None = None,
    options: Mapping[str, str] | None = None,
    *,
    task: Task | None = None,
    synonyms: Callable[[Concept], Sequence[str]] | None = None,
) -> Understanding:
    """Read a question: a few words, a sentence or a whole letter.

    ``link`` finds concepts in the question, ``synonyms`` gives other names of one; both may be missing. ``options``
    are those of a multiple-choice question; ``task`` is what the caller says it is, None to see for oneself.
    """
    asked = text.strip()
    mentions = tuple(link(asked)) if link is not None else ()
    whole = _understood(asked, mentions, options, task, synonyms)
    if options:
        return whole
    asking = parts.asking(whole.text)
    if asking.compared is not None and whole.alike:
        asking = asking._replace(compared=None)
    divided = _parts(whole, asking, synonyms)
    if asking.compared is None:
        return whole.model_copy(update={"parts": divided})
    both = {"subject": " and ".join(asking.compared), "sure": True}
    divided = (*(part.model_copy(update=both) if _holds(part.text, asking.compared) else part for part in divided),)
    return whole.model_copy(update={**both, "parts": divided, "compared": True})


def _holds(text: str, sides: tuple[str, str]) -> bool:
    """Whether a question names both things that are compared."""
    return all(side.lower() in text.lower() for side in sides)


def _understood(
    asked: str,
    mentions: tuple[Mention, ...],
    options: Mapping[str, str] | None,
    task: Task | None,
    synonyms: Callable[[Concept], Sequence[str]] | None,
) -> Understanding:
    reading = read_letter(asked, mentions)
    name, aliases = _aliases(reading.subject)
    concepts = _concepts_of(name, mentions)
    names = [*aliases, *(c.name for c in concepts)]
    if synonyms is not None:
        names += [n for c in concepts for n in synonyms(c)]
    return Understanding(
        text=asked,
        task=task or _task(asked, reading, options),
        language=language_of(asked),
        subject=name,
        names=tuple(dict.fromkeys(n for n in names if n.lower() != name.lower())),
        object=reading.object,
        subject_concepts=concepts,
        mentions=mentions,
        aspect=reading.aspect,
        sure=reading.sure,
        terms=tuple(dict.fromkeys(content_terms(asked))),
    )


def _suspected(text: str, mentions: Sequence[Mention], told: str) -> str:
    """The disease that a question asks whether "it" is: "Could it be a kidney infection?"; empty where it asks else.

    What is told with numbers asks what these say.
    """
    found = _COULD_BE.search(" ".join(text.split()).replace("\u2019", "'"))
    if found is None or any(c.isdigit() for c in told):
        return ""
    asked = set(content_terms(found["named"]))
    named = [m for m in mentions if m.concept.group == "DISO" and m.text.lower() not in _NO_DISEASE]
    diseases = [m.text for m in named if m.text.lower() in found["named"].lower()]
    return next((name for name in diseases if asked and asked <= set(content_terms(name))), "")


def _parts(
    whole: Understanding, found: parts.Asking, synonyms: Callable[[Concept], Sequence[str]] | None
) -> tuple[Understanding, ...]:
    """The questions of a text, each with the subject that it leans on; none where it is one question and no more."""
    written: dict[str, str] = {}
    for text in found.questions:
        subject = whole.subject if whole.sure and not _only_says_who_or_where(whole) else ""
        named = moved(whole.mentions, whole.text, text)
        own = clinical(named) if _tells(found, whole) else [m for m in named if not is_person(m.text)]
        attached = points_back(text, whole.mentions, whole.text) or ((written or _tells(found, whole)) and not own)
        full = parts.alone(text, subject) if attached else text
        if suspected := _suspected(text, named, whole.text):
            full = f"What are the symptoms of {suspected}?"
        # Where it is not known what a question points at, its story may tell.
        written.setdefault(whole.text if full == text and parts.leans(text) else full, text)
    sides = [f"What is {side}?" for side in found.compared or ()]
    written |= {side: side for side in sides if side not in written}
    if written == {whole.text: whole.text}:
        return ()
    tale = story(whole.text, found.questions)
    read = [_understood(text, moved(whole.mentions, whole.text, text), None, None, synonyms) for text in written]
    return tuple(
        part.model_copy(
            update={
                "story": story(whole.text, [asked]) if tale else "",
                "written": asked,
                "named": not tale or _is_surely_named(part, asked, whole.text),
            }
        )
        for part, asked in zip(read, written.values(), strict=True)
    )


def _is_surely_named(part: Understanding, asked: str, text: str) -> bool:
    """Whether a text that tells much surely names what one of its questions is about.

    So does one that asks about a substance, or says what somebody was told to have in words that nobody knows.
    """
    groups, subject = {concept.group for concept in part.subject_concepts}, part.subject.lower()
    if groups:
        return "CHEM" in groups and subject in asked.lower()
    return was_told(subject, text)


def _only_says_who_or_where(asked: Understanding) -> bool:
    """Whether the subject is a person or a part of the body: "it" is what the story tells of them, not they."""
    groups = {concept.group for concept in asked.subject_concepts}
    return is_person(asked.subject) or is_somebody(asked.subject) or groups == {"ANAT"}


def _tells(found: parts.Asking, whole: Understanding) -> bool:
    """Whether a text tells of a disease before its questions, so that these are about it where they name nothing."""
    subject = whole.subject
    told = bool(subject) and subject == told_condition(whole.text, whole.mentions)
    return told and subject.lower() not in found.questions[0].lower()


def _aliases(subject: str) -> tuple[str, tuple[str, ...]]:
    """The subject without what stands in brackets, and the names that do."""
    aliases = []
    for match in _ALIAS.finditer(subject):
        alias = _ALIAS_LEAD.sub("", (match.group(1) or match.group(2)).strip())
        if content_terms(alias):
            aliases.append(alias)
    name = SPACE.sub(" ", _ALIAS.sub("", subject)).strip(" ,-")
    return (name, tuple(aliases)) if content_terms(name) else (subject, ())


def _concepts_of(subject: str, mentions: Sequence[Mention]) -> tuple[Concept, ...]:
    """Concepts whose mention stands for most of the subject; a part of a longer name is another concept."""
    wanted = set(content_terms(subject))
    if not wanted:
        return ()
    found = [
        m.concept for m in mentions if not m.negated and 2 * len(wanted & set(content_terms(m.text))) > len(wanted)
    ]
    exact = [m.concept for m in mentions if set(content_terms(m.text)) == wanted]
    return tuple({c.id: c for c in (exact or found)}.values())


def _task(text: str, reading: Reading, options: Mapping[str, str] | None) -> Task:
    if options:
        return "choice"
    sentence = stripped(parts.asking(text).questions[-1])
    if not YES_NO.match(sentence):
        return "open"
    return "open" if reading.templated and reading.aspect not in _DECIDABLE else "yesno"
