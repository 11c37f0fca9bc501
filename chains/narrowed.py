"""What a question narrows its subject to, and an answer that speaks of something else alone.

"Can women get testicular cancer?" is not answered by whom else it comes to, nor "Does bacterial pneumonia go away?" by
what viral pneumonia does.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_ANYONE = r"anyone|anybody|everyone|everybody|both sexes|either sex"


class _Kind(NamedTuple):
    """One of several that exclude each other: how a question names it, and how a text does."""

    asked: str
    told: str


_PEOPLE = (
    _Kind(r"wom[ae]n|females?|girls?", rf"\b(?:wom[ae]n|females?|girls?|mothers?|pregnan|menstruat|{_ANYONE})"),
    _Kind(r"m[ae]n|males?|boys?|guys?", rf"\b(?:m[ae]n|males?|boys?|guys?|{_ANYONE})\b"),
    _Kind(
        r"child(?:ren)?|kids?|bab(?:y|ies)|infants?|newborns?|toddlers?|teens?|teenagers?|adolescents?",
        rf"\b(?:child|kid|bab(?:y|ies)|infan|newborn|toddler|teen|adolescen|young|juvenile|pediatric|birth|born|ages?\b|{_ANYONE})",
    ),
    _Kind(
        r"adults?|grown-?ups?|elderly people|older people|seniors?",
        rf"\b(?:adult|grown|elderly|older|senior|lifelong|ages?\b|{_ANYONE})",
    ),
)
_OF_PEOPLE = re.compile(
    r"\A\W*(?:(?:so|and|but|also|ok|okay)\W+)*(?:can|could|do|does|will|would|may|might|did)(?:n'?t)? "
    r"(?:(?:even|only|healthy|very|young|older|some|most|all|an?|the) )*"
    rf"(?P<who>{'|'.join(kind.asked for kind in _PEOPLE)}) (?:(?:also|ever|even|still|really|actually|usually) )*"
    r"(?:get|have|develop|catch|suffer|contract|carry|inherit)\b",
    re.I,
)
_EXCLUSIVE = tuple(
    tuple(re.compile(rf"\b(?:{name})", re.I) for name in names)
    for names in (
        (r"vir(?:al|us)", "bacteri", "fung(?:al|us|i)"),
        ("acute", "chronic"),
        (r"type (?:1|i)\b", r"type (?:2|ii)\b"),
        (
            r"hepatitis a\b(?! (?:\w+ )?(?:disease|virus|infection|contagious|chronic|serious))",
            r"hepatitis b\b",
            r"hepatitis c\b",
        ),
        (
            "opioid|narcotic|morphine|codeine",
            "ibuprof|naprox|asp(?:i)?rin|acetaminophen|paracetamol|nsaid|anti-inflammator",
        ),
    )
)


_SOME = (
    r"viral|bacterial|fungal|acute|chronic|autoimmune|allergic|infectious|mild|minor|small|severe|advanced|early|benign"
    r"|uncomplicated|gestational|congenital|juvenile|neonatal|inherited|secondary|some|certain|few"
)
_ABLE = re.compile(r"\W*(?:can|could|may|might)\b", re.I)
_CAUSING = re.compile(
    r"\A\W*(?:(?:so|and|but)\W+)*(?:do|does|did|can|could|will|would) (?P<cause>.+?) "
    r"(?:cause|lead to|result in|bring on|trigger) (?P<effect>[^?.]+)",
    re.I,
)
_CAUSED = re.compile(r"\b(?:caus|lead(?:s|ing)? to|led to|result|trigger|due to|because of|complication|risk)", re.I)


_OTHERWISE = re.compile(
    r"\b(?:only|not|never|no|instead of|rather than|other than|leads? to|turns? into|becomes?)\b|n['\u2019]t\b", re.I
)
"""Where one excludes the other in words, what is said of the other answers: they work on bacteria only."""


def of_a_kind(question: str, subject: str, text: str) -> bool:
    """Whether a text speaks of a kind of a question's subject alone: of acute viral hepatitis, or of some hernias.

    A question whether something can be is answered by what some can.
    """
    head = subject.split()[-1] if subject.split() else ""
    if not head or _ABLE.match(question):
        return False
    named = list(re.finditer(rf"\b(?P<kind>(?:{_SOME})\b(?: (?:\w+ of )?\w+){{0,2}} )?{re.escape(head)}", text, re.I))
    kinds = [match["kind"] for match in named]
    return bool(kinds) and all(kind and not re.search(rf"\b{kind.split()[0]}\b", question, re.I) for kind in kinds)


def turned_round(question: str, text: str) -> bool:
    """Whether a text lists signs of what a question takes for an effect, and tells no cause: lists tell no way."""
    asked = _CAUSING.match(question)
    if asked is None:
        return False
    cause = asked["cause"].split()[-1].lower()
    if any(_CAUSED.search(piece) and cause in piece.lower() for piece in re.split(r"[.:\n]", text)):
        return False
    effect = re.escape(asked["effect"].strip().rstrip("?").lower())
    return re.search(rf"\b(?:symptoms?|signs?)\b[^.:\n]{{0,40}}\b{effect}", text, re.I) is not None


_SUDDENLY = re.compile(r"\b(?:all of a sudden|suddenly|out of (?:nowhere|the blue)|overnight)\b", re.I)
_HOW_FAST = re.compile(
    r"\b(?:sudden\w*|gradual\w*|slow\w*|quick\w*|rapid\w*|abrupt\w*|overnight|over time|at any (?:age|time))\b", re.I
)


def passed_by(question: str, text: str) -> bool:
    """Whether a text leaves out the people of whom a question asks, or tells only of what excludes what it asks of.

    Whether something comes all of a sudden is not told by what says nothing of how fast it comes.
    """
    if _SUDDENLY.search(question) and not _HOW_FAST.search(text):
        return True
    asked = _OF_PEOPLE.match(question)
    if asked and not any(
        re.search(kind.told, text, re.I) for kind in _PEOPLE if re.fullmatch(kind.asked, asked["who"], re.I)
    ):
        return True
    return any(_of_another(names, question, text) for names in _EXCLUSIVE)


def _of_another(names: tuple[re.Pattern[str], ...], question: str, text: str) -> bool:
    if _OTHERWISE.search(question) or _OTHERWISE.search(text):
        return False
    asked = {name for name in names if name.search(question)}
    told = {name for name in names if name.search(text)}
    return bool(asked and told and not asked & told)
