"""What a question is about and what it asks: by rules, in well under a millisecond.

The subject is what the evidence has to be about; the aspect is what it has to tell of it. Both are read off the form
of the question (``lexicon/aspects.toml``), then off its cue words and linked concepts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from pydantic import Field

from chains.lexicon import aspects
from core.language import language_of, sentences
from core.schema import Concept, Mention, Task, Value
from core.text import STOPWORDS, content_terms, words

Link = Callable[[str], Sequence[Mention]]
"""Concepts found in a text."""

_SPACE = re.compile(r"\s+")
_TAIL = re.compile(r"[\s?.!,;:]+$")
_OPENING = re.compile(
    r"^(?:(?:hi|hello|dear|please|thanks|thank you|so|and|but|also|ok|well|now|doctor|dr|sir|madam|question)\b"
    r"[\s,:.!-]*)+|"
    r"^(?:can|could|would|will) (?:you|anyone|someone) (?:please )?(?:tell|explain to|help) (?:me|"
    r"us)\s*(?:to )?(?=\w)|"
    r"^(?:i|we) (?:would like|want|need|\x27d like|wish|am trying|was wondering|wonder) ?(?:to )?"
    r"(?:know|ask|find out|learn|understand|if|whether|about)*\s+(?=what|how|which|who|why|is|are|can|does|do)|"
    r"^(?:do you know|any idea)\s+",
    re.I,
)
_ARTICLE = re.compile(
    r"^(?:(?:the|a|an|any|some|his|her|my|our|their|your|these|this|that|having|getting|treating|diagnosing) )+"
)
_WRAPPING = re.compile(
    r"^(?:(?:a |an |the )?(?:diseases?|conditions?|disorders?|illness|diagnosis|term|word)"
    r"(?: (?:called|named|known as|of))? "
    r"(?=\w)|(?:(?:people|persons?|patients?|someone|somebody|children|a child|those|individuals) "
    r"(?:who (?:have|has)|with|having) )|"
    r"(?:what i need to know about|what you need to know about|facts about|parasites -|understanding) )+"
)
_TRAILING = re.compile(
    r"\s+(?:please|thanks|thank you|exactly|in general|today|now|then|too|disease or condition|"
    r"in simple (?:words|terms)|and why|to (?:other )?(?:people|others|me)|for me)$"
)
_PRONOUN = re.compile(
    r"^(?:it|this|that|these|those|they|them|he|she|him|her|me|i|you|us|we|one|something|"
    r"(?:this|that|the|my|his|her|our|their|such|these)(?: same| particular| rare)? "
    r"(?:problem|condition|disease|disorder|illness|syndrome|case|situation|diagnosis|symptoms?|"
    r"child|son|daughter|baby|wife|husband|mother|father|doctor|test|"
    r"treatments?|options?|family))$"
)
_ALIAS = re.compile(r"\s*[(\[]([^()\[\]]+)[)\]]|,? (?:also (?:known|called)(?: as)?|aka|or|i\.e\.) (.+)$")
_ALIAS_LEAD = re.compile(r"^(?:also )?(?:known as|called|aka|or|i\.e\.|formerly|including)[ ,]+")
_SUFFERED = re.compile(
    r"\b(?:diagnosed (?:with|as having|as)|suffer(?:s|ed|ing)? (?:from|with)|affected (?:by|with)|"
    r"diagnosis (?:of|is|was)|(?:has|have|had|having|got)(?: been (?:told (?:that )?(?:i|he|she|"
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
    r"is|are|was|were|has|have|had|i|my|he|she|we|they)\b",
    re.I,
)
_YES_NO = re.compile(
    r"^(?:is|are|was|were|do|does|did|can|could|will|would|should|may|might|has|have|had|isn't|aren't|don't|doesn't|"
    r"must|shall)\b",
    re.I,
)
_CUE_REST = re.compile(
    r"\b(?:of|for|in|with|about|against|from|to|on|regarding|than|caused by|due to|have|has|having|get|getting)\b"
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


class Reading(Value):
    """What the form of one sentence or title says."""

    subject: str
    aspect: str
    object: str = ""
    templated: bool = False
    sure: bool = False


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


def read_form(sentence: str) -> Reading | None:
    """Subject and aspect of a question of a known form; None where no form fits."""
    original = _stripped(sentence)
    lowered = original.lower()
    for aspect in aspects().values():
        for pattern in aspect.questions:
            match = pattern.fullmatch(lowered)
            if match is None or not match.group("x").strip():
                continue
            related = _cut(original, match.span("y")) if "y" in pattern.groupindex else ""
            subject = _cut(original, match.span("x"))
            personal = aspect.name == "relation" and any(_PRONOUN.match(s.lower()) for s in (subject, related))
            if subject and not personal and not _is_cue(subject):
                return Reading(subject=subject, aspect=aspect.name, object=related, templated=True, sure=True)
    return None


def cued_aspect(text: str) -> str:
    """The aspect whose cue words stand earliest in a question; empty where there is none."""
    lowered = text.lower()
    found = [
        (match.start(), order, aspect.name)
        for order, aspect in enumerate(aspects().values())
        if aspect.cues is not None and (match := aspect.cues.search(lowered))
    ]
    specific = [entry for entry in found if entry[2] != "definition"]
    return min(specific or found, default=(0, 0, ""))[2]


def _is_cue(subject: str) -> bool:
    """Whether the words only name an aspect, as in ``What are the treatments?``: then nothing is the subject."""
    cues = [a.cues for a in aspects().values() if a.cues is not None and a.name in _BARE]
    return all(any(cue.match(word) for cue in cues) for word in subject.lower().split())


def _stripped(sentence: str) -> str:
    flat = _TAIL.sub("", _SPACE.sub(" ", sentence.replace("\u2019", "'"))).strip()
    previous = None
    while previous != flat:
        previous, flat = flat, _OPENING.sub("", flat).strip()
    return flat


def _cut(original: str, span: tuple[int, int]) -> str:
    """The subject's words without what only leads to them."""
    piece = _TAIL.sub("", original[slice(*span)]).strip(" \"'")
    previous = None
    while previous != piece:
        previous = piece
        for fringe in (_ARTICLE, _WRAPPING):
            match = fringe.match(piece.lower())
            piece = piece[match.end() :] if match and match.end() < len(piece) else piece
        match = _TRAILING.search(piece.lower())
        piece = piece[: match.start()] if match else piece
    return piece


def _cut_all(text: str) -> str:
    return _cut(text, (0, len(text)))


def _read_letter(text: str, mentions: Sequence[Mention]) -> Reading:
    """The reading of the sentence that asks; its subject comes from the other sentences where it says only "it"."""
    pieces = [s.text for s in sentences(text)] or [text]
    if len(pieces) == 1:
        return _read_sentence(pieces[0], mentions)
    asking = [p for p in pieces if p.rstrip().endswith("?")] or [pieces[-1]]
    readings = [_read_sentence(p, ()) for p in asking]
    named = [r for r in readings if r.sure and not _PRONOUN.match(r.subject.lower())]
    if named:
        return named[0]
    first = next((r for r in readings if r.templated), readings[0])
    told = _told_subject(pieces, mentions)
    if told:
        return first.model_copy(update={"subject": told, "sure": True})
    return first


def _read_sentence(sentence: str, mentions: Sequence[Mention]) -> Reading:
    reading = read_form(sentence)
    if reading is not None:
        return reading
    flat = _stripped(sentence)
    aspect = cued_aspect(flat)
    terms = not sentence.rstrip().endswith("?") or len(flat.split()) <= _TERM_WORDS
    if terms and not any(w.text.lower() in _ASKING for w in words(flat)):
        return Reading(subject=_without_cue(flat, aspect), aspect=aspect or "definition", sure=True)
    mention = _best_mention(mentions, aspect)
    return Reading(subject=mention or _residual(flat, aspect), aspect=aspect, sure=bool(mention))


def _told_subject(pieces: Sequence[str], mentions: Sequence[Mention]) -> str:
    """What a letter says that somebody has; otherwise its longest linked concept."""
    for piece in pieces:
        match = _SUFFERED.search(piece)
        if match is None:
            continue
        clause = _CLAUSE.split(_SPACE.sub(" ", match.group(1)), maxsplit=1)[0].strip()
        if clause and len(clause) < 90 and content_terms(clause):
            return _cut_all(clause)
    return _best_mention(mentions, "")


def _best_mention(mentions: Sequence[Mention], aspect: str) -> str:
    cues = aspects()[aspect].cues if aspect else None
    usable = [m for m in mentions if not m.negated and not (cues is not None and cues.fullmatch(m.text.lower()))]
    about = [m for m in usable if m.concept.group not in _CIRCUMSTANCES] or usable
    return max(about, key=lambda m: (m.end - m.start, m.score, -m.start)).text if about else ""


def _without_cue(text: str, aspect: str) -> str:
    """Search terms such as ``Marfan syndrome symptoms`` without the word that says what is asked."""
    cues = aspects()[aspect].cues if aspect else None
    if cues is None:
        return text
    kept = [w.text for w in words(text) if not cues.match(w.text.lower())]
    return " ".join(kept) or text


def _residual(sentence: str, aspect: str) -> str:
    """What stands after the cue word and its preposition; otherwise the longest run without stop words."""
    cues = aspects()[aspect].cues if aspect else None
    match = cues.search(sentence.lower()) if cues is not None else None
    if match is not None:
        rest = sentence[match.end() :]
        link = _CUE_REST.search(rest.lower())
        tail = _cut_all(_longest_chunk(rest[link.end() :])) if link else ""
        if tail:
            return tail
        sentence = sentence[: match.start()] + " . " + rest
    return _longest_chunk(sentence)


def _longest_chunk(text: str) -> str:
    chunks: list[tuple[int, int]] = []
    start = end = -1
    for word in words(text):
        gap = end >= 0 and not re.fullmatch(r"[\s\-()']*", text[end : word.start])
        if word.text.lower() in STOPWORDS or gap:
            chunks.append((start, end))
            start = end = -1
        if word.text.lower() not in STOPWORDS:
            start, end = (word.start if start < 0 else start), word.end
    chunks.append((start, end))
    best = max(chunks, key=lambda c: c[1] - c[0])
    return text[best[0] : best[1]] if best[0] >= 0 else ""


def _aliases(subject: str) -> tuple[str, tuple[str, ...]]:
    """The subject without what stands in brackets, and the names that do."""
    aliases = []
    for match in _ALIAS.finditer(subject):
        alias = _ALIAS_LEAD.sub("", (match.group(1) or match.group(2)).strip())
        if content_terms(alias):
            aliases.append(alias)
    name = _SPACE.sub(" ", _ALIAS.sub("", subject)).strip(" ,-")
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
    asking = [s.text for s in sentences(text) if s.text.rstrip().endswith("?")]
    sentence = _stripped(asking[-1] if asking else text)
    if not _YES_NO.match(sentence):
        return "open"
    return "open" if reading.templated and reading.aspect not in _DECIDABLE else "yesno"


_TERM_WORDS = 3
_CIRCUMSTANCES = frozenset({"LIVB", "PHYS"})
"""Semantic groups of whom it is asked for and in what state, such as children or pregnancy: not what it is about."""
_ASKING = STOPWORDS - {"of", "and", "the", "in", "with", "to", "a", "an", "by", "for", "on", "or"}
_BARE = frozenset(
    {
        "treatment",
        "symptoms",
        "causes",
        "complications",
        "outlook",
        "prevention",
        "diagnosis",
        "side effects",
        "risk factors",
    }
)
_DECIDABLE = frozenset(
    {"relation", "inheritance", "outlook", "prevention", "treatment", "causes", "frequency", "side effects", ""}
)
