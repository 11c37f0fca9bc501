"""What the form of one sentence says: the subject that it asks about and what it asks of it.

Both are read off the patterns of ``lexicon/aspects.toml``, then off the sentence's cue words and linked concepts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from chains.leaning import is_somebody
from chains.lexicon import aspects
from core.schema import Mention, Value
from core.text import STOPWORDS, words

SPACE = re.compile(r"\s+")
_SHORT_IS = re.compile(r"\b(what|how|who|where|when)'s\b", re.I)
_TAIL = re.compile(r"[\s?.!,;:]+$")
_OPENING = re.compile(
    r"^(?:(?:hi|hello|dear|please|thanks|thank you|so|and|but|also|ok|well|now|doctor|dr|sir|madam|question)\b"
    r"[\s,:.!-]*)+|"
    r"^(?:can|could|would|will) (?:you|anyone|someone) (?:please )?(?:tell|explain to|help) (?:me|"
    r"us)\s*(?:to )?(?=\w)|"
    r"^(?:can|could|would|will) (?:you|anyone|someone) (?:please )?(?=(?:define|explain|describe)\b)|"
    r"^(?:i|we) (?:would like|want|need|\x27d like|wish|am trying|was wondering|wonder) ?(?:to )?"
    r"(?:know|ask|find out|learn|understand|if|whether|about)*\s+(?=what|how|which|who|why|is|are|can|does|do)|"
    r"^(?:do you know|any idea)\s+",
    re.I,
)
_ARTICLE = re.compile(
    r"^(?:(?:there|the|a|an|any|some|his|her|my|our|their|your|these|this|that|having|getting|treating|diagnosing) )+"
)
_WRAPPING = re.compile(
    r"^(?:(?:a |an |the )?(?:diseases?|conditions?|disorders?|illness|diagnosis|term|word)"
    r"(?: (?:called|named|known as|of))? "
    r"(?=\w)|(?:(?:people|persons?|patients?|someone|somebody|children|a child|those|individuals) "
    r"(?:who (?:have|has)|with|having) )|"
    r"(?:(?:(?:best|good|some) )?(?:ways?|tips|options|risks?|dangers?|foods?|things) (?:to|of|for|on|with)"
    r"(?: (?:get rid of|avoid|prevent|treat|stop|deal with|manage|cope with|with))*|avoid with|"
    r"what i need to know about|what you need to know about|facts about|parasites -|understanding) )+"
)
_TRAILING = re.compile(
    r"\s+(?:please|thanks|thank you|exactly|really|actually|truly|ever|also|usually|normally|typically|"
    r"generally|(?:really |all )?(?:that|so)|"
    r"in general|today|now|then|too|disease or condition|"
    r"in simple (?:words|terms)|and why|to (?:other )?(?:people|others|me)|for me|like|again(?: and again)?|explained|"
    r"checked|take|put|heals?|what to (?:look|watch)\b.*|besides .+|used for\b.*|"
    r"(?:that )?(?:i|we|you|one) (?:should|must|need to|have to|can|could) \w+(?: (?:out )?for)?|"
    r"for (?:like |about |over |almost |the last |the past )*(?:an?|\w+) (?:hours?|days?|weeks?|months?|years?))$"
)
_VALUE = re.compile(r"\b(?:(?:of|is|at) )?(?:\d+[./]\d+|\d{3,})\b")
_OF_A_VALUE = re.compile(r"\s+(?:too )?(?:good|bad|high|low|normal|ok|okay|meaning|mean)$", re.I)
PRONOUN = re.compile(
    r"^(?:it|this|that|these|those|they|them|he|she|him|her|me|i|you|us|we|one|something|"
    r"(?:this|that|the|my|his|her|our|their|such|these)(?: same| particular| rare)? "
    r"(?:problem|condition|disease|disorder|illness|syndrome|case|situation|diagnosis|symptoms?|"
    r"child|son|daughter|baby|wife|husband|mother|father|doctor|test|"
    r"treatments?|options?|family))$"
)
_OF_A_CLAUSE = re.compile(
    r"^(?!it (?:before|after|until|till|when)\b).*\s(?:(?:that|why|when|as|which|where) [iI]|"
    r"(?:you|he|she|we|they|it|[iI](?='))(?:'\w+)?)\b|"
    r"^(?:[Yy]ou|[Hh]e|[Ss]he|[Ww]e|[Tt]hey|[Tt]here)\b(?:'\w+)?\s"
)
"""What names nothing: a form has cut a sentence in two, "prednisone I've been on for two years be why I". That "it" is
asked about is seen elsewhere; "the IT band" is no clause."""
YES_NO = re.compile(
    r"^(?:is|are|was|were|do|does|did|can|could|will|would|should|may|might|has|have|had|isn't|aren't|don't|doesn't|"
    r"must|shall)\b",
    re.I,
)
_CUE_REST = re.compile(
    r"\b(?:of|for|in|with|about|against|from|to|on|regarding|than|caused by|due to|have|has|having|get|getting)\b"
)


class Reading(Value):
    """What the form of one sentence or title says."""

    subject: str
    aspect: str
    object: str = ""
    templated: bool = False
    sure: bool = False


def read_form(sentence: str) -> Reading | None:
    """Subject and aspect of a question of a known form; None where no form fits."""
    original = stripped(sentence)
    lowered = original.lower()
    for aspect in aspects().values():
        for pattern in aspect.questions:
            match = pattern.fullmatch(lowered)
            if match is None or not match.group("x").strip():
                continue
            related = _cut(original, match.span("y")) if "y" in pattern.groupindex else ""
            subject = _cut(original, match.span("x"))
            personal = aspect.name == "relation" and any(PRONOUN.match(s.lower()) for s in (subject, related))
            if subject and not personal and not _is_cue(subject) and not _OF_A_CLAUSE.search(subject):
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


def stripped(sentence: str) -> str:
    """A sentence without its end and what only opens it."""
    flat = _TAIL.sub("", SPACE.sub(" ", sentence.replace("\u2019", "'"))).strip()
    flat = _SHORT_IS.sub(r"\1 is", flat)
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


def cut_all(text: str) -> str:
    """The words of a subject without what only leads to them."""
    return _cut(text, (0, len(text)))


def read_sentence(sentence: str, mentions: Sequence[Mention]) -> Reading:
    """Subject and aspect of any question or search terms; not sure where only its words betray the subject."""
    reading = read_form(sentence)
    if reading is not None:
        return reading
    flat = stripped(sentence)
    aspect = cued_aspect(flat)
    terms = not sentence.rstrip().endswith("?") or len(flat.split()) <= _TERM_WORDS
    if terms and not any(w.text.lower() in _ASKING for w in words(flat)):
        return Reading(subject=_without_value(_without_cue(flat, aspect)), aspect=aspect or "definition", sure=True)
    mention = best_mention([m for m in mentions if m.text.lower() not in _NO_SUBJECT], aspect)
    subject = mention or _without_value(_residual(flat, aspect)) or best_mention(mentions, aspect)
    return Reading(subject=subject, aspect=aspect, sure=bool(mention))


def best_mention(mentions: Sequence[Mention], aspect: str) -> str:
    """The longest concept that is not what is asked itself."""
    cues = aspects()[aspect].cues if aspect else None
    asked = [m for m in mentions if _is_cue(m.text) or (cues is not None and cues.fullmatch(m.text.lower()))]
    usable = [m for m in mentions if not m.negated and m not in asked and not is_somebody(m.text)]
    about = [m for m in usable if m.concept.group not in _CIRCUMSTANCES] or usable
    return max(about, key=lambda m: (m.end - m.start, m.score, -m.start)).text if about else ""


def _without_value(subject: str) -> str:
    """What was measured, without the value and what is asked of that: "7.2 a1c good"."""
    measured = SPACE.sub(" ", _VALUE.sub("", subject)).strip()
    if not measured or measured == subject:
        return subject
    return _OF_A_VALUE.sub("", measured) or measured


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
        tail = cut_all(_longest_chunk(rest[link.end() :])) if link else ""
        if tail:
            return tail
        sentence = sentence[: match.start()] + " . " + rest
    chunk = _longest_chunk(sentence)
    return cut_all(chunk) or chunk


def _longest_chunk(text: str) -> str:
    chunks: list[tuple[int, int]] = []
    start = end = -1
    for word in words(text):
        gap = end >= 0 and not re.fullmatch(r"[\s\-()']*", text[end : word.start])
        passed = word.text.lower() in STOPWORDS or word.text.lower() in _NO_SUBJECT
        if passed or gap:
            chunks.append((start, end))
            start = end = -1
        if not passed:
            start, end = (word.start if start < 0 else start), word.end
    chunks.append((start, end))
    best = max(chunks, key=lambda c: c[1] - c[0])
    return text[best[0] : best[1]] if best[0] >= 0 else ""


_TERM_WORDS = 3
_CIRCUMSTANCES = frozenset({"LIVB", "PHYS", "GEOG"})
"""Semantic groups of whom it is asked for, in what state and where: not what it is about."""
_NO_SUBJECT = frozenset(
    "happen happens happened happening worried worry anything something someone somebody idea see take taking give "
    "giving keep keeps know feel feels eat eating drink avoid help helps get mother father mom mum dad wife husband "
    "son daughter baby toddler kid kids child children grandma grandpa grandmother grandfather elderly someone's ok "
    "male female man woman men women guy girl boy years year old "
    "okay safe normal still least looked look done thing things doctor doctors age need needs dangerous wrong soon im "
    "long meds".split()
)
"""Words of a question that are not what it is about: what is done, for whom, and what is asked of it."""
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
