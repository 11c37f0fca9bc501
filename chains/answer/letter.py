"""The option, or the yes, no or maybe, that a reply in free text decides for; strict: what decides for none is None."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from typing import Literal, NamedTuple, cast

YesNo = Literal["yes", "no", "maybe"]

_FIELDS = (
    re.compile(r"(?:[\"'](?:choice|letter|option)[\"']|answer_(?:choice|letter)[\"']?)\s*:\s*[\"']?([^\n]*)", re.I),
    re.compile(r"[\"'](?:final[_ ])?answer[\"']\s*:\s*[\"']?([^\n]*)", re.I),
)
_STATED = re.compile(
    r"\b(?:answer|choice|option|conclusion)(?:\s+(?:choice|letter|option))?\s*"
    r"(?:[*_]*\s*:|(?:\s+\w+){0,4}?\s+(?:is|would be|must be|should be)\b"
    r"(?:\s+(?:therefore|thus|hence|most likely|clearly))?\s*:?)"
    r"|\b(?:i|we)(?:\s+would|'d|\s+will|'ll)?\s+(?:choose|select|pick|go with|answer)\b",
    re.I,
)
_DENIAL = re.compile(
    r"\W*(?:is|are|would be|was)?\s*(?:not|n't|incorrect|wrong|false|unlikely|ruled out|excluded)\b", re.I
)
_AFFIRMED = (
    r"\s+(?:is|would be|seems|appears(?: to be)?)\s+(?:therefore |thus |clearly |indeed )?(?:the )?"
    r"(?:single |most )?(?:correct|right|best|true|likely|appropriate|answer)\b"
)
_FRINGE = " \t\n\"'`*_{}[]()<>"
_ANOTHER = r"\s*(?:/|,|&|\+|\band\b|\bor\b)\s*(?:both\s+)?(?:option\s+)?[(\[]?"
_SPACE = re.compile(r"[\W_]+")
_NONE = re.compile(r"^none(?: of (?:the|these)(?: (?:above|following|options?|choices?|given|provided))*)?$")


class _Places(NamedTuple):
    """Where a reply may say its answer, the surest place first; a field is the answer, whatever it holds."""

    field: str | None
    others: tuple[str, ...]


def letter_of(reply: str, options: Mapping[str, str] | Collection[str]) -> str | None:
    """The option that a reply chooses.

    Read are, in this order, a field of JSON (``"answer_choice": "B"``), a reply of one line (``B``, ``(b)``,
    ``B: text``, ``Option B``, an option's own text), what the last statement says (``the answer is B``), what
    is affirmed (``option B is correct``), and a first or last line that is nothing but an answer.

    Args:
        reply: as the model wrote it.
        options: letters with their texts, or letters alone.

    Returns:
        A key of ``options``; None for an abstention, for two letters, and for a letter that is no option.
    """
    texts = dict(options) if isinstance(options, Mapping) else dict.fromkeys(options, "")
    forms = _forms(tuple(texts))
    places = _places(reply)
    if places.field is not None:
        return _single(_named(places.field, texts, forms))
    one_line, *rest = [set(_named(place, texts, forms)) for place in places.others]
    affirmed = {_key(m["letter"], texts) for m in forms.affirmed.finditer(reply)}
    for found in (one_line, rest[0], affirmed, rest[1] | rest[2]):
        if found:
            return _single(found)
    return None


def yesno_of(reply: str) -> YesNo | None:
    """Whether a reply says yes, no or maybe, read in the places of :func:`letter_of`; None where it does not say."""
    places = _places(reply)
    if places.field is not None:
        return _said(places.field)
    return next((said for place in places.others if (said := _said(place)) is not None), None)


class _Forms(NamedTuple):
    """How letters are written: at the beginning of an answer, one after another, and affirmed."""

    leading: re.Pattern[str]
    following: re.Pattern[str]
    listed: re.Pattern[str]
    affirmed: re.Pattern[str]


@lru_cache(maxsize=256)
def _forms(letters: tuple[str, ...]) -> _Forms:
    letter = "|".join(re.escape(key) for key in sorted(letters, key=len, reverse=True))
    return _Forms(
        leading=re.compile(
            rf"(?:(?:option|choice|answer)\s*:?\s*)?[(\[]?(?P<letter>{letter})"
            # "A patient …" chooses nothing: a letter ends the answer, a mark follows it, or a reason does.
            rf"(?=\s*$|\s*[.:;,)\]\"'*}}/&+]|\s+[-–—]|\s*\n|\s+(?:because|since|as|due|and|or|with|based)\b)",
            re.I,
        ),
        following=re.compile(rf"{_ANOTHER}(?P<letter>{letter})(?![\w'])", re.I),
        listed=re.compile(rf"(?:[.;,]|\s-)\s+(?:option\s+)?(?P<letter>{letter})[.:)]\s"),
        # "Vitamin D is the best known …" affirms no option: one is named as such, or begins a sentence.
        affirmed=re.compile(
            rf"(?:\b(?i:option|choice|answer)\s+|(?:^|[.!?:\n]|\b(?i:therefore|thus|hence|so),?)\s*)"
            rf"[(\[]?(?P<letter>{letter})[)\].]?(?:\s*[(:][^().\n]{{0,80}}\)?)?{_AFFIRMED}"
        ),
    )


def _places(reply: str) -> _Places:
    text = reply.replace("\u2019", "'").strip()
    for pattern in _FIELDS:
        found = pattern.findall(text)
        if found:
            return _Places(_unquoted(found[-1]), ())
    lines = [line for line in text.split("\n") if line.strip()] or [""]
    stated = [text[m.end() :] for m in _STATED.finditer(text)]
    readable = [s for s in stated if not _DENIAL.match(s)]
    first, last = (lines[0], lines[-1]) if len(lines) > 1 else ("", "")
    return _Places(None, (lines[0] if len(lines) == 1 else "", readable[-1] if readable else "", first, last))


def _unquoted(value: str) -> str:
    """What stands before the quotation mark that ends a field's value."""
    return re.split(r"(?<!\\)[\"']\s*(?:[,}\]]|$)", value, maxsplit=1)[0].strip()


def _named(text: str, texts: Mapping[str, str], forms: _Forms) -> Iterator[str]:
    """The options that an answer begins with, or the one whose own text it is."""
    answer = text.strip().lstrip("\"'`*_{<: ")
    worded = [letter for letter, option in texts.items() if option and _same(answer, option)]
    if len(worded) == 1:
        yield worded[0]
        return
    match = forms.leading.match(answer)
    if match is None:
        return
    letter, end = _key(match["letter"], texts), match.end()
    own = _plain(texts[letter])
    if own and _plain(answer[end:]).startswith(own):
        end += len(texts[letter])
    elif _DENIAL.match(answer[end:]):
        return
    yield letter
    while another := forms.following.match(answer, end):
        yield _key(another["letter"], texts)
        end = another.end()
    line = answer[end:].split("\n")[0]
    yield from (_key(m["letter"], texts) for m in forms.listed.finditer(line))


def _same(answer: str, option: str) -> bool:
    """Whether an answer, up to the end of its first sentence, is an option's own text."""
    wanted = _plain(option)
    sentence = re.split(r"[.!]?\s*\n|[.!]\s+(?=[A-Z])", answer, maxsplit=1)[0]
    return _plain(sentence) == wanted or _plain(answer) == wanted


def _plain(text: str) -> str:
    plain = _SPACE.sub(" ", text.lower()).strip().replace(" and ", " ")
    return "none" if _NONE.match(plain) else plain


def _key(letter: str, texts: Mapping[str, str]) -> str:
    return letter if letter in texts else next(key for key in texts if key.lower() == letter.lower())


def _single(found: Collection[str] | Iterator[str]) -> str | None:
    different = set(found)
    return different.pop() if len(different) == 1 else None


_LEADING_WORD = re.compile(r"(?P<said>yes|maybe|no)\b(?P<rest>.*)", re.I | re.S)
_EITHER = re.compile(r"\s*(?:/|,|\bor\b)\s*(?:yes|no|maybe)\b", re.I)
_AFTER_NO = re.compile(r"\s*$|\s*[.,;:!)\]\"'*}\n–—-]|\s+(?:it|they|there|this|that|he|she|we|i|because|the)\b", re.I)


def _said(text: str) -> YesNo | None:
    """The yes, no or maybe that an answer begins with; "No evidence …" begins with none."""
    match = _LEADING_WORD.match(text.strip(_FRINGE))
    if match is None or _EITHER.match(match["rest"]):
        return None
    said = match["said"].lower()
    return cast(YesNo, said) if said != "no" or _AFTER_NO.match(match["rest"]) else None
