"""What a question is about and what it asks, in each of its parts: by rules, in well under a millisecond.

The subject is what the evidence has to be about; the aspect is what it has to tell of it. The sentence that asks
decides the aspect; what is told around it gives the subject where that sentence says only "it".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from pydantic import Field

from chains import parts
from chains.form import PRONOUN, SPACE, YES_NO, Reading, best_mention, cut_all, read_form, read_sentence, stripped
from chains.leaning import is_person, is_somebody
from core.language import language_of
from core.schema import Concept, Mention, Task, Value
from core.text import content_terms

__all__ = ["Link", "Understanding", "read_form", "understand"]

Link = Callable[[str], Sequence[Mention]]
"""Concepts found in a text."""

_ALIAS = re.compile(r"\s*[(\[]([^()\[\]]+)[)\]]|,? (?:also (?:known|called)(?: as)?|aka|or|i\.e\.) (.+)$")
_ALIAS_LEAD = re.compile(r"^(?:also )?(?:known as|called|aka|or|i\.e\.|formerly|including)[ ,]+")
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
    def subject_ids(self) -> frozenset[str]:
        """The ids of the subject's concepts, in every vocabulary that has them."""
        return frozenset(i for concept in self.subject_concepts for i in (concept.id, *concept.xrefs))


_LEAST_STORY, _LONGEST_STORY = 2, 60
"""Words: what is shorter tells nothing, and of a longer one readers take in the end."""
_DISEASE = ("DISO", "", None)
_FEW = 3
"""Words of a disease's name that nobody links: "carpal tunnel", "Parkinson's"."""
_OWN = ("'s", "\u2019s")
_NAMING = frozenset({"DISO", "CHEM", "ANAT", "LIVB"})


def names_nothing(asked: Understanding) -> bool:
    """Whether nobody can tell what is asked about: "Is it contagious?", "Is there a treatment?"."""
    named = any(m.concept.group in _NAMING for m in asked.mentions)
    return not asked.parts and asked.language == "en" and parts.names_nothing(asked.text, asked.subject, named=named)


def names_something(asked: Understanding) -> bool:
    """Whether what is asked about is surely a disease or a substance: "should i take some imodium?".

    So is what somebody does or has done, where more than a word names it: "intermittent fasting", not "the test".
    """
    named = {"DISO", "CHEM"} if " " not in asked.subject else {"DISO", "CHEM", "ACTI", "PROC"}
    subjects = {concept.group for concept in asked.subject_concepts}
    return asked.sure and bool(subjects & named) and not names_nothing(asked)


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
    reading = _read_letter(asked, mentions)
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


def _parts(
    whole: Understanding, found: parts.Asking, synonyms: Callable[[Concept], Sequence[str]] | None
) -> tuple[Understanding, ...]:
    """The questions of a text, each with the subject that it leans on; none where it is one question and no more."""
    written: dict[str, str] = {}
    for text in found.questions:
        subject = whole.subject if whole.sure and not _only_says_who_or_where(whole) else ""
        named = _moved(whole.mentions, whole.text, text)
        own = _clinical(named) if _tells(found, whole) else [m for m in named if not is_person(m.text)]
        attached = _points_back(text, whole.mentions, whole.text) or ((written or _tells(found, whole)) and not own)
        full = parts.alone(text, subject) if attached else text
        # Where it is not known what a question points at, its story may tell.
        written.setdefault(whole.text if full == text and parts.leans(text) else full, text)
    sides = [f"What is {side}?" for side in found.compared or ()]
    written |= {side: side for side in sides if side not in written}
    if written == {whole.text: whole.text}:
        return ()
    tale = _story(whole.text, found.questions)
    read = [_understood(text, _moved(whole.mentions, whole.text, text), None, None, synonyms) for text in written]
    return tuple(
        part.model_copy(
            update={
                "story": _story(whole.text, [asked]) if tale else "",
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
    told = (match.group(1) for said in (_NAMED, _SUFFERED) for match in said.finditer(text))
    return any(subject in _CLAUSE.split(clause, maxsplit=1)[0].lower() for clause in told)


def _only_says_who_or_where(asked: Understanding) -> bool:
    """Whether the subject is a person or a part of the body: "it" is what the story tells of them, not they."""
    groups = {concept.group for concept in asked.subject_concepts}
    return is_person(asked.subject) or is_somebody(asked.subject) or groups == {"ANAT"}


def _story(text: str, questions: Sequence[str]) -> str:
    """What a text says beside some of its questions: its last words, where it says much."""
    for question in questions:
        text = text.replace(question, " ")
    told, asked = text.split(), set(content_terms(" ".join(questions)))
    says_more = not set(content_terms(text)) <= asked  # "plantar fasciitis what is that" tells no more than it asks
    return " ".join(told[-_LONGEST_STORY:]) if len(told) > _LEAST_STORY and says_more else ""


def _tells(found: parts.Asking, whole: Understanding) -> bool:
    """Whether a text tells of a disease before its questions, so that these are about it where they name nothing."""
    subject = whole.subject
    told = bool(subject) and subject == _told_condition(whole.text, whole.mentions)
    return told and subject.lower() not in found.questions[0].lower()


def _moved(mentions: Sequence[Mention], text: str, part: str) -> tuple[Mention, ...]:
    """The mentions whose words stand in a part of the text, at their places there."""
    found = []
    for mention in mentions:
        words = text[mention.start : mention.end]
        start = part.lower().find(words.lower())
        if start >= 0:
            found.append(mention.model_copy(update={"start": start, "end": start + len(words)}))
    return tuple(sorted(found, key=lambda m: m.start))


def _read_letter(text: str, mentions: Sequence[Mention]) -> Reading:
    """The reading of the sentence that asks; its subject comes from the other sentences where it says only "it"."""
    asking = parts.asking(text).questions
    readings = [read_sentence(p, _moved(mentions, text, p)) for p in asking]
    if asking == (text,):
        return readings[0]
    condition = _told_condition(text, mentions)
    if _points_back(asking[0], mentions, text) and (said := condition or _said_of_somebody(text, mentions)):
        return readings[0].model_copy(update={"subject": said, "sure": True})
    named = [r for r in readings if r.sure and not PRONOUN.match(r.subject.lower())]
    clinical = [r for r in named if _clinical(_moved(mentions, text, r.subject))]
    if clinical and not _is_part_of(clinical[0].subject, condition):
        return clinical[0]
    if named and not condition:
        return named[0]
    first = next((r for r in readings if r.templated), readings[0])
    told = condition or _told_subject(text, mentions)
    if told:
        return first.model_copy(update={"subject": told, "sure": True})
    return first


def _points_back(question: str, mentions: Sequence[Mention], text: str) -> bool:
    """Whether a question is about what the text told before; one on him or her may name a disease of its own."""
    of_him = parts.of_person(question) and all(m.concept.group != "DISO" for m in _moved(mentions, text, question))
    return parts.leans(question) or of_him


def _told_subject(text: str, mentions: Sequence[Mention]) -> str:
    """What a letter says that somebody has; otherwise its longest linked concept."""
    about = [m for m in mentions if not is_person(m.text)]
    linked = [m for m in about if m.concept.group == "DISO"] or about
    return _said_of_somebody(text, mentions) or best_mention(linked, "")


def _told_condition(text: str, mentions: Sequence[Mention]) -> str:
    """The disease that a letter tells of, linked or in the few words of whoever named it; empty where it tells none."""
    said = _said_of_somebody(text, mentions)
    diseases = [m for m in mentions if m.concept.group in _DISEASE and not m.negated and not is_person(m.text)]
    short = len(said.split()) <= _FEW and (_NAMED.search(text) or said.endswith(_OWN))
    if said and (short or _moved(diseases, text, said)):
        return said
    return best_mention(diseases, "")


def _clinical(mentions: Sequence[Mention]) -> bool:
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
            inside = [m for m in _moved(mentions, text, clause) if m.concept.group in ("", "DISO")]
            if inside:
                return best_mention(inside, "")
            if clause and len(clause) < _LONGEST_NAME and content_terms(clause):
                return cut_all(clause)
    return ""


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


_DECIDABLE = frozenset(
    {"relation", "inheritance", "outlook", "prevention", "treatment", "causes", "frequency", "side effects", ""}
)
