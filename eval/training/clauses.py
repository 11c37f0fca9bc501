"""Words clauses: a wording of a relation between two terms, asserted or denied, with or without a modal, or asked."""

from __future__ import annotations

import random
import re
from typing import NamedTuple

_PAST = {
    "lead": "led",
    "bring": "brought",
    "give": "gave",
    "make": "made",
    "keep": "kept",
    "put": "put",
    "drive": "drove",
}
_PAST |= {
    "get": "got",
    "go": "went",
    "rise": "rose",
    "fall": "fell",
    "cut": "cut",
    "arise": "arose",
    "spread": "spread",
}
_PAST |= {
    "come": "came",
    "show": "showed",
    "find": "found",
    "have": "had",
    "do": "did",
    "leave": "left",
    "withstand": "withstood",
}
_PAST |= {
    "stop": "stopped",
    "drop": "dropped",
    "transmit": "transmitted",
    "occur": "occurred",
    "ward": "warded",
    "underlie": "underlay",
}
_PAST |= {
    "stem": "stemmed",
    "confer": "conferred",
    "guard": "guarded",
    "halve": "halved",
    "offer": "offered",
    "be": "be",
}
_CHOICE = re.compile(r"\(([^()]*)\)(\?(?=\())?")


class Wording(NamedTuple):
    """``verb`` is a base form; ``rest`` follows it and holds the other term; ``turned`` puts the object first."""

    turned: bool
    verb: str
    rest: str


class Noun(NamedTuple):
    """A name of a term and whether verbs take its plural."""

    text: str
    plural: bool


def wording_of(line: str) -> Wording:
    """The wording that a line of the table of relations gives."""
    order, verb, rest = line.split(" ", 2)
    return Wording(order == "os", verb, rest)


def third(verb: str) -> str:
    """The third person's present."""
    if verb in ("have", "do", "go"):
        return {"have": "has", "do": "does", "go": "goes"}[verb]
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + ("es" if verb.endswith(("s", "x", "ch", "sh")) else "s")


def past(verb: str) -> str:
    """The past tense."""
    if verb in _PAST:
        return _PAST[verb]
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb[:-1] + "ied"
    return verb + ("d" if verb.endswith("e") else "ed")


def clause(wording: Wording, subject: Noun, other: str, denied: bool, modal: str = "", in_past: bool = False) -> str:
    """A finite clause without its stop; ``other`` is the name of the term in the rest."""
    verb, rest = wording.verb.replace("_", " "), wording.rest.replace("{o}", other).replace("{s}", other)
    if verb == "and":
        return f"{subject.text} and {rest}"
    if verb == "do" and rest.startswith("not "):
        return clause(
            Wording(False, rest.split(" ")[1], rest.split(" ", 2)[2]), subject, "", not denied, modal, in_past
        )
    if modal:
        return f"{subject.text} {modal}{' not' if denied else ''} {verb} {rest}".replace("can not", "cannot")
    if verb == "be":
        told = ("were" if subject.plural else "was") if in_past else ("are" if subject.plural else "is")
        return f"{subject.text} {told}{' not' if denied else ''} {rest}"
    if denied:
        told = "did" if in_past else ("do" if subject.plural else "does")
        return f"{subject.text} {told} not {verb} {rest}"
    return f"{subject.text} {past(verb) if in_past else (verb if subject.plural else third(verb))} {rest}"


def question(wording: Wording, subject: Noun, other: str, modal: str = "") -> str:
    """The clause as a question."""
    verb, rest = wording.verb.replace("_", " "), wording.rest.replace("{o}", other).replace("{s}", other)
    if modal:
        return f"{modal} {subject.text} {verb} {rest}?"
    if verb == "be":
        return f"{'are' if subject.plural else 'is'} {subject.text} {rest}?"
    return f"{'do' if subject.plural else 'does'} {subject.text} {verb} {rest}?"


def drawn(rng: random.Random, pattern: str) -> str:
    """One reading of a pattern with choices in brackets, inner ones first.

    A choice with "?" behind it may be left out; {N} becomes a number, {P} a percentage.
    """
    while found := _CHOICE.search(pattern):
        chosen = "" if found.group(2) and rng.random() < 0.5 else rng.choice(found.group(1).split("|"))
        pattern = pattern[: found.start()] + chosen + pattern[found.end() :]
    while "{N}" in pattern:
        pattern = pattern.replace(
            "{N}", str(rng.choice((2, 3, 5, 12, 18, 24, 40, 65, 120, 212, 480, 900, 1500, 4200))), 1
        )
    return " ".join(pattern.replace("{P}", str(rng.randint(2, 97))).split())


def sentence(text: str) -> str:
    """A clause as a sentence: a capital first, a stop last."""
    text = text.strip()
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "?", "!")) else text + "."
