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
        (r"hepatitis a\b", r"hepatitis b\b", r"hepatitis c\b"),
    )
)


def passed_by(question: str, text: str) -> bool:
    """Whether a text leaves out the people of whom a question asks, or tells only of what excludes what it asks of."""
    asked = _OF_PEOPLE.match(question)
    if asked and not any(
        re.search(kind.told, text, re.I) for kind in _PEOPLE if re.fullmatch(kind.asked, asked["who"], re.I)
    ):
        return True
    return any(_of_another(names, question, text) for names in _EXCLUSIVE)


def _of_another(names: tuple[re.Pattern[str], ...], question: str, text: str) -> bool:
    asked = {name for name in names if name.search(question)}
    told = {name for name in names if name.search(text)}
    return bool(asked and told and not asked & told)
