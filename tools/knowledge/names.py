"""Names of concepts: which are linked in text, how an inverted one reads, and how one stands in a sentence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from core.text import STOPWORDS, stem
from tools.knowledge.tokens import Token

UNLINKED, FOLDED, EXACT_CASE = 0, 1, 2

LINKED_KINDS = frozenset({"preferred", "exact", "layperson", "abbreviation", "plural", "spelling", "derived"})

_COMMON_WORDS = """all borderline boil can cap corn dull fall falls focal healthy left map mole onset pile piles
    profound right sad severe sharp stable tear tearing tender was"""
_COMMON = frozenset(map(stem, _COMMON_WORDS.split()))
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
_COMMON_COUNT = 10
_INNER_CAPITAL = re.compile(r"-[A-Z][a-z]")
_WORD_ENDINGS = """ia oma omas osis itis asis ysis uria emia pathy pathies trophy cephaly dactyly plasia ism ectasis ium
    ic al ous ar ed ion ive ary megaly tomy genesis oid ilia plegia phagia lysis"""
_MEDICAL_ENDINGS = tuple(_WORD_ENDINGS.split())


def link_mode(name: str, kind: str, parts: Sequence[Token], single_words: bool = True) -> int:
    """Say how a name is looked for in text: not at all, by its normal form, or exactly as it is written.

    Short all-capital names and abbreviations mean themselves only in their own case, and with two letters mean too
    much. ``single_words`` is False for branches of a vocabulary whose single words are plain English (mild, left).
    ``parts`` are the name's tokens.
    """
    if kind not in LINKED_KINDS or not parts:
        return UNLINKED
    letters = sum(len(part.text) for part in parts)
    if kind == "abbreviation" or (len(parts) == 1 and letters <= 6 and name.upper() == name):
        return EXACT_CASE if letters >= 3 and name.lower() not in STOPWORDS else UNLINKED
    if letters < 3 or all(part.text.lower() in STOPWORDS for part in parts):
        return UNLINKED
    if len(parts) == 1 and (not single_words or parts[0].normal in _COMMON or parts[0].text.isdigit()):
        return UNLINKED
    return FOLDED


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
