"""How English leans on what was asked before: pronouns, openings, fragments, and aspects of nothing named."""

from __future__ import annotations

import re

from core.language import sentences
from core.text import content_terms, stem

OPENING = re.compile(
    r"^(?:(?:and|but|so|or|also|ok|okay|then|thanks|thank you|alright|well)\b[\s,.!]*)*"
    r"(?:(?:what|how) about\b\s*|what if\b(?=\s+(?:i|he|she|they|the|my)\b)|regarding\b\s*)?",
    re.I,
)
PEOPLE = re.compile(
    r"^(?:(?:the|very|young|younger|older|small|healthy|elderly|pregnant|breast-?feeding|school-age) )*"
    r"(?:children|kids|babies|infants|newborns|toddlers|teen(?:ager)?s|adolescents|adults|(?:wo)?men|people|patients|"
    r"boys|girls|elderly|seniors|pregnancy|childhood|adulthood|old age|breast-?feeding|lactation)"
    r"(?: (?:with|who|over|under)\b.*)?$",
    re.I,
)
SOMEBODY = re.compile(
    r"(?:new-?born|baby|infant|toddler|child|kid|teen(?:ager)?|mother|father|mom|mum|dad|parent|son|daughter|"
    r"wife|husband|partner|sister|brother|grand(?:mother|father|ma|pa)|adult|m[ae]n|wom[ae]n|friend|patient)s?",
    re.I,
)
CIRCUMSTANCE = re.compile(
    r"^(?:in|for|with|during|among|after|before|without|if|when|while|at|by|as|under|over|since|on|despite|what if)\b",
    re.I,
)
LAST_PLACE = re.compile(r"\s+(?:in|for|during|among)\s+(?P<who>[\w -]+)$", re.I)
ASPECT = re.compile(
    r"\b(?P<noun>(?:side[- ]|adverse )effects?|(?:signs? and )?symptoms?|signs?|features?|treatments?|therap(?:y|ies)|"
    r"management|(?:root )?causes?|complications?|prognosis|outlook|diagnosis|risk factors?|risks?|prevention|"
    r"dos(?:e|es|age)|interactions?|contraindications?|precautions|life expectancy|survival(?: rates?)?|inheritance|"
    r"stages|types|prevalence|incidence|benefits|alternatives|mechanism|uses)\b"
    r"|\b(?P<against>cures?|tests?|vaccines?|medications?|medicines?|drugs?|remed(?:y|ies)|clinical trials?|"
    r"research)\b",
    re.I,
)
POSSESSIVE = re.compile(r"\b(?:its|their)\b", re.I)
THING = re.compile(
    r"\b(?:(?:this|that|the|these|those)(?: same)? (?:disease|condition|disorder|illness|syndrome|infection|drug|"
    r"medicine|medication|cancer|tumou?r|problem)s?|(?:it|they|them)|(?:this|that|these|those)(?=\s*(?:[?.!,]|$)|"
    r"\s+(?:be|is|are|was|were|treated|caused|inherited|diagnosed|prevented|dangerous|serious|common|curable|"
    r"hereditary|contagious|work|cause|affect|in|during|for|with)\b))\b",
    re.I,
)
MORE = re.compile(r"^(?:please )?(?:tell me more|more (?:details|information)|explain(?: more)?)(?: please)?$", re.I)
YES_NO = re.compile(r"^(?:is|are|was|were|do|does|did|can|could|will|would|should|may|might|has|have)(?:n't)?\b", re.I)
_EXPLETIVE = re.compile(
    r"\bit(?:'s)? (?:is |be )?(?:possible|true|normal|ok|okay|common|dangerous|better|good|bad|necessary|likely|"
    r"important|advisable|recommended|worth|called|usual|rare|risky|safe|harmful|mean) (?:to|that|for|if|when)\b|"
    r"\b(?:does|will|can|would) it (?:take|matter|help|hurt) (?:to|if|that|when|for)\b|\btime is it\b|"
    r"\bwhat does it mean (?:to|if|when|that)\b",
    re.I,
)
_QUESTION_WORD = re.compile(r"^(?:what|how|why|when|where|which|who|whose|whom)\b.", re.I)
_TAIL = " ?.!,;:"
_FEW = 6
_COURTESY = frozenset(stem(word) for word in "thanks thank ok okay great helps good see understand clear wow".split())
_FILLERS = frozenset(
    stem(word)
    for word in (
        "common usual long short term main early first possible different many much often take last need needed any"
        " best available work option options start begin most serious typical know tell list usually good maximum"
        " minimum recommended right correct normal daily new latest effective look watch least"
    ).split()
)


def is_person(text: str) -> bool:
    """Whether words only say who, such as "children"."""
    return PEOPLE.match(text) is not None


def is_somebody(text: str) -> bool:
    """Whether a word only says which one of a family or a practice, such as "mother" or "newborn"."""
    return SOMEBODY.fullmatch(text) is not None


def body_of(text: str) -> str:
    """The last sentence without what only opens it and without its end."""
    last = ([s.text for s in sentences(text)] or [text])[-1]
    match = OPENING.match(last)
    return last[match.end() if match else 0 :].strip(_TAIL) or last.strip(_TAIL)


def plain(text: str) -> str:
    """A question without its end."""
    return text.strip(_TAIL)


def is_opened(text: str) -> bool:
    """Whether the question begins as the continuation of another, with "and" or "what about"."""
    return len(body_of(text)) < len(plain(([s.text for s in sentences(text)] or [text])[-1]))


def is_fragment(text: str) -> bool:
    """Whether only a piece of a question is said, as in "and in children?"."""
    body = body_of(text)
    if _QUESTION_WORD.match(body) or YES_NO.match(body) or MORE.match(body) or dangling(body) is not None:
        return False
    return (is_opened(text) or text.rstrip().endswith("?")) and len(body.split()) <= _FEW


def dangling(text: str) -> int | None:
    """Where the first pronoun stands that needs something before it; None where there is none."""
    filler = [m.span() for m in _EXPLETIVE.finditer(text)]
    places = [m.start() for pattern in (POSSESSIVE, THING) for m in pattern.finditer(text)]
    return min((p for p in places if not any(start <= p < end for start, end in filler)), default=None)


def told_before(text: str, place: int) -> bool:
    """Whether a sentence before that place tells something, thanks apart: a letter explains itself."""
    told = [s.text for s in sentences(text) if s.end <= place]
    return len([term for s in told for term in content_terms(s) if term not in _COURTESY]) > 1


def asks_of_nothing(body: str) -> bool:
    """Whether an aspect is asked for that nothing is said to have: "What are the symptoms?", "Is there a cure?"."""
    match = ASPECT.search(body)
    if match is None:
        return False
    kept = without_people(body[: match.start()] + body[match.end() :])
    return set(content_terms(kept)) <= _FILLERS


def without_people(text: str) -> str:
    """The text without the people that it ends with: "gout in women" is about gout."""
    last = LAST_PLACE.search(text)
    return text[: last.start()] if last and PEOPLE.match(last["who"]) else text


def with_subject(body: str, subject: str) -> str | None:
    """The question with its pronoun, or the want of one, filled by the subject; None where nothing wants one."""
    place = dangling(body)
    if place is None:
        return f"Tell me more about {subject}" if MORE.match(body) else with_aspect(body, subject)
    if match := POSSESSIVE.match(body, place):
        rest = body[match.end() :].lstrip()
        aspect = ASPECT.match(rest)
        if aspect is None:
            return f"{body[:place]}{subject}{_genitive(subject)} {rest}"
        return f"{body[:place] or _what(aspect)}the {with_aspect(rest, subject)}"
    thing = THING.match(body, place)
    return f"{body[:place]}{subject}{body[thing.end() :]}" if thing else None


def with_aspect(body: str, subject: str) -> str | None:
    """The subject put behind what is asked of it: "the side effects in men" become those "of metformin in men"."""
    match = ASPECT.search(body)
    if match is None:
        return None
    return f"{body[: match.end()]} {'for' if match['against'] else 'of'} {subject}{body[match.end() :]}"


def whole_aspect(body: str, subject: str) -> str | None:
    """A bare aspect made a question: "prognosis" becomes "What is the prognosis of gout"."""
    match = ASPECT.search(body)
    if match is None or re.match(r"(?:any|what|which|other)\b", body, re.I):
        return with_aspect(body, subject)
    return f"{_what(match)}the {lowered(with_aspect(re.sub(r'^the ', '', body, flags=re.I), subject) or '')}"


def under(asked: str, circumstance: str) -> str:
    """The question under a circumstance, which takes the place of an earlier one of its kind."""
    people = PEOPLE.match(re.sub(r"^(?:in|for|during|among) ", "", circumstance))
    return f"{without_people(asked) if people else asked} {circumstance}"


def lowered(text: str) -> str:
    """The text to go on with inside a sentence; an abbreviation keeps its capitals."""
    return text if text[:2].isupper() else text[:1].lower() + text[1:]


def finished(text: str) -> str:
    """A question or a wish written out, with its capital and its end."""
    return f"{text[:1].upper()}{text[1:]}{'.' if text.startswith('Tell me') else '?'}"


def _what(aspect: re.Match[str]) -> str:
    last = aspect.group().lower()
    return "What are " if last.endswith("s") and not last.endswith("sis") else "What is "


def _genitive(subject: str) -> str:
    return "'" if subject.endswith("s") else "'s"
