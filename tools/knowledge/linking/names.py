"""Names of concepts: how an inverted one reads, and how one stands in a sentence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable

_SUFFIX_STARTS = frozenset(("with", "without", "due", "in", "of", "from", "to", "type", "susceptibility", "included"))
_NUMBER = re.compile(r"(?:type )?(?:\d+[a-z]?|[ivx]+[a-z]?\d?|[a-z]\d?|\d[a-z]\d?)", re.IGNORECASE)
_TRAILING_NUMBER = re.compile(r"(.*\S) (\d+[A-Za-z]{0,2}\d?)")
_EPONYMS_LIKE_WORDS = "Bell Brown Burns Cross Down Gray Hall Still Sweet White Wolf Young"
_EPONYMS = frozenset(_EPONYMS_LIKE_WORDS.split())
_EPONYM_NOUNS = frozenset(
    (
        "syndrome",
        "disease",
        "sign",
        "anomaly",
        "malformation",
        "phenomenon",
        "tumor",
        "bodies",
        "node",
        "nodes",
        "nevus",
    )
)
_EPONYMIC = re.compile(
    r"((?:(?:[vV]on|[vV]an|[dD]e) )?[A-Z][a-z]+(?:-[A-Z][a-z]+)+|(?:[vV]on|[vV]an|[dD]e) [A-Z][a-z]+|[fF]ragile X)"
    r" (?:syndrome|disease|disorder)"
)
_ADJECTIVES = (
    ("tension", "tensive"), ("psy", "ptic"), ("psis", "ptic"), ("betes", "betic"), ("osis", "otic"), ("emia", "emic"),
    ("phrenia", "phrenic"), ("sthma", "sthmatic"), ("plegia", "plegic"), ("cardia", "cardic"), ("trophy", "trophic"),
    ("uria", "uric"), ("insonism", "insonian"), ("besity", "bese"), ("xicity", "xic"), ("aphasia", "aphasic"),
    ("penia", "penic"), ("kinesia", "kinetic"), ("autism", "autistic"), ("alcoholism", "alcoholic"),
)  # fmt: skip
_LONG_ENOUGH = 6
_COMMON_COUNT = 10
_INNER_CAPITAL = re.compile(r"-[A-Z][a-z]")
_WORD_ENDINGS = """ia oma omas osis itis asis ysis uria emia pathy pathies trophy cephaly dactyly plasia ism ectasis ium
    ic al ous ar ed ion ive ary megaly tomy genesis oid ilia plegia phagia lysis"""
_MEDICAL_ENDINGS = tuple(_WORD_ENDINGS.split())


def uninverted(name: str) -> str | None:
    """Read a name inverted at its commas forwards: "Cardiomyopathy, dilated, 1H" is "dilated Cardiomyopathy 1H".

    Letters keep their case; names are compared without it. None where it is not inverted, or where the commas list
    things ("Ataxia, deafness, and cataract").
    """
    head, *rest = [part.strip() for part in name.split(",")]
    if not rest or not all(rest) or any(part.split()[0].lower() in ("and", "or", "and/or") for part in rest):
        return None
    if rest[-1].lower().endswith(" of"):
        return " ".join([*rest, head])
    modifiers: list[str] = []
    suffixes: list[str] = []
    for part in rest:
        trailing = _TRAILING_NUMBER.fullmatch(part)
        if _NUMBER.fullmatch(part) or part.split()[0].lower() in _SUFFIX_STARTS:
            suffixes.append(part)
        elif trailing and not modifiers:
            modifiers.append(trailing[1])
            suffixes.append(trailing[2])
        else:
            modifiers.append(part)
    return " ".join([*reversed(modifiers), head, *suffixes]) if modifiers else None


def inline_form(prose: Iterable[str]) -> Callable[[str, bool], str]:
    """Learn from prose which words are written small, and return a function that gives names their form in a sentence.

    "Tall stature" becomes "tall stature"; "Marfan syndrome" and "EEG abnormality" stay as they are. The function's
    second argument says whether the name is of a sign, which is seldom an eponym, or of a disease, which often is: then
    a word that the prose never has small stays great, unless it ends as medical words do.
    """
    seen = Counter(word for text in prose for word in text.split())

    def inline(name: str, sign: bool) -> str:
        first, _, rest = name.partition(" ")
        head = first.split("-")[0].rstrip(",;:")
        if not head[1:].islower() or head in _EPONYMS or _INNER_CAPITAL.search(first):
            return name
        small = head.lower()
        count = seen[small] + seen[small + ","] + seen[small + "."]
        if rest.split(" ")[0] in _EPONYM_NOUNS:
            return small + name[len(head) :] if count >= _COMMON_COUNT else name
        lone = not rest and "-" not in first
        return small + name[len(head) :] if sign or lone or count >= 2 or small.endswith(_MEDICAL_ENDINGS) else name

    return inline


def eponym(name: str) -> str | None:
    """Return what is left of an eponymic name without its noun: "Tay-Sachs" of "Tay-Sachs disease"; else None."""
    match = _EPONYMIC.fullmatch(name)
    return match[1] if match else None


def adjective(word: str) -> str | None:
    """Return the adjective of a disease's name of one word: "diabetic" of diabetes; None where no rule knows one."""
    if not word.isalpha() or len(word) < _LONG_ENOUGH:
        return None
    lower = word.lower()
    return next((lower[: -len(old)] + new for old, new in _ADJECTIVES if lower.endswith(old)), None)
