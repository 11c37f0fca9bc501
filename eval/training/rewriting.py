"""Rewrites parsed sentences: shortened, denied, asked, turned around, or with subject and object exchanged."""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from spacy.tokens import Doc, Span, Token

from eval.training.clauses import past, third

SWAPS = tomllib.loads((Path(__file__).parent / "wordswaps.toml").read_text(encoding="utf-8"))
_TURNED: dict[str, list[str]] = {}
for _one, _other in SWAPS["turned"]:
    _TURNED.setdefault(_one, []).append(_other)
    _TURNED.setdefault(_other, []).append(_one)
_LOOSE = ("advcl", "relcl", "parataxis", "npadvmod")
_NUMBER = re.compile(r"\b\d+(?:\.\d+)?\b(?!\s*[,.-]?\d)")
_WORD = re.compile(r"[A-Za-z][A-Za-z\-']*")


def decapitalised(text: str) -> str:
    """A sentence's text as a clause inside another sentence."""
    first = text.split(" ", 1)[0]
    return text if sum(c.isupper() for c in first) > 1 else text[:1].lower() + text[1:]


def words_of(doc: Doc | Span, left_out: frozenset[int] = frozenset()) -> str:
    """The words of a parse as a clause, some left out."""
    text = "".join(" " if t.i in left_out else t.text_with_ws for t in doc)
    text = re.sub(r"\s+([,;.)])", r"\1", re.sub(r"\(\s*\)", "", text))
    text = re.sub(r"^[\s,;:]+|[\s,;:.]+$", "", re.sub(r",\s*,", ",", text))
    return decapitalised(re.sub(r"\s+", " ", text))


def shorter(doc: Doc, root: Token, subject: Token) -> Iterator[str]:
    """The main clause without what hangs loosely from it, then also without what precedes its subject."""
    tops = [top for top in doc if top.dep_ in _LOOSE and _is_loose(top, root, subject)]
    loose = frozenset(i for top in tops for i in _with_commas(doc, top.left_edge.i, top.right_edge.i))
    coordinated = frozenset(
        t.i
        for part in root.children
        if part.dep_ == "conj" and any(c.dep_.startswith("nsubj") for c in part.children)
        for t in part.subtree
    )
    joints = frozenset(c.i for c in root.children if c.dep_ == "cc") if coordinated else frozenset()
    aside = loose | coordinated | joints
    lead = (
        frozenset(range(subject.left_edge.i))
        if subject.left_edge.i <= 10 and doc[0].text.lower() not in ("if", "when", "without", "unless", "in")
        else frozenset()
    )
    for left_out in (aside, aside | lead):
        if left_out and len(doc) - len(left_out) > 5:
            yield words_of(doc, left_out)


def _with_commas(doc: Doc, first: int, last: int) -> range:
    """The places of a part and of the commas that set it off."""
    before = first > 0 and doc[first - 1].text == ","
    after = last + 1 < len(doc) and doc[last + 1].text == ","
    return range(first - before, last + 1 + after)


def _is_loose(token: Token, root: Token, subject: Token) -> bool:
    before = token.doc[max(token.left_edge.i - 1, 0)].text
    if token.dep_ in ("advcl", "npadvmod", "parataxis"):
        conditional = any(
            c.dep_ == "mark" and c.text.lower() in ("if", "unless", "when", "whether") for c in token.children
        )
        return not conditional and token.head is root and (before == "," or token.i > root.i)
    return before in (",", "(")


def polarities(doc: Doc, root: Token, subject: Token, finite: Token) -> tuple[list[str], str]:
    """The sentence's denials (without its own, where it has one), and its question."""
    denial = next((t for t in root.children if t.dep_ == "neg"), None)
    pieces = [t.text_with_ws for t in doc]
    if denial is not None:
        without = list(pieces)
        without[denial.i] = ""
        plain = _clean("".join(without)) if finite.lemma_ != "do" else ""
        if finite.lemma_ == "do" and finite is not root:
            without[finite.i] = ""
            verb = (
                third(root.lemma_)
                if finite.tag_ == "VBZ"
                else past(root.lemma_)
                if finite.tag_ == "VBD"
                else root.lemma_
            )
            without[root.i] = verb + root.whitespace_
            plain = _clean("".join(without))
        return [plain] if plain else [], f"is it true that {plain}?"
    start, stop = subject.left_edge.i, subject.right_edge.i
    named = "".join(pieces[start : stop + 1]).strip()
    after = "".join(pieces[stop + 1 :])
    carries = finite.tag_ == "MD" or finite.lemma_ == "be" or (finite is not root and finite.lemma_ in ("have", "do"))
    denied = list(pieces)
    if carries:
        denied[finite.i] = f"{finite.text.lower()} not "
        gone = "".join(pieces[stop + 1 : finite.i]) + "".join(pieces[finite.i + 1 :])
        asked = f"{finite.text.lower()} {decapitalised(named)} {gone}"
    else:
        helper = {"VBZ": "does", "VBD": "did"}.get(finite.tag_, "do")
        denied[finite.i] = f"{helper} not {finite.lemma_} "
        gone = "".join(pieces[stop + 1 : finite.i]) + f"{finite.lemma_} " + "".join(pieces[finite.i + 1 :])
        asked = f"{helper} {decapitalised(named)} {gone}"
    full = _clean("".join(pieces))
    denials = [_clean("".join(denied)), _clean("".join(denied)), f"it is not true that {full}"]
    return denials if after else [], _clean(asked) + "?"


def _clean(text: str) -> str:
    return decapitalised(" ".join(text.split()).rstrip(". ").replace(" ,", ","))


def turned_around(rng: random.Random, text: str) -> str:
    """An antonym for one word, or another number; empty where there is neither."""
    words = [found for found in _WORD.finditer(text) if found.group().lower() in _TURNED]
    numbers = list(_NUMBER.finditer(text))
    if numbers and (not words or rng.random() < 0.4):
        found = rng.choice(numbers)
        value = float(found.group())
        other = value * rng.choice((0.1, 0.25, 0.5, 2, 3, 4, 10)) or 7
        told = (
            f"{other:.1f}".rstrip("0").rstrip(".") if "." in found.group() or other < 1 else str(max(1, round(other)))
        )
        return text[: found.start()] + told + text[found.end() :] if told != found.group() else ""
    if not words:
        return ""
    telling = [
        found
        for found in words
        if found.group().lower()
        not in ("with", "before", "after", "first", "all", "women", "men", "without", "more", "most", "many")
    ]
    found = rng.choice(telling or words)
    return text[: found.start()] + rng.choice(_TURNED[found.group().lower()]) + text[found.end() :]


def swapped(doc: Doc, root: Token, subject: Token) -> str:
    """Subject and object exchanged, where the verb has a direction."""
    if root.lemma_ in ("be", "associate", "have", "include", "relate"):
        return ""
    objects = [t for t in root.children if t.dep_ in ("dobj", "agent")]
    if not objects:
        return ""
    target = (
        next((t for t in objects[0].children if t.dep_ == "pobj"), objects[0])
        if objects[0].dep_ == "agent"
        else objects[0]
    )
    one, other = doc[subject.left_edge.i : subject.right_edge.i + 1], doc[target.left_edge.i : target.right_edge.i + 1]
    if one.end > other.start or len(other) > 12:
        return ""
    head, middle, tail = doc[: one.start].text_with_ws, doc[one.end : other.start].text_with_ws, doc[other.end :].text
    return _clean(f"{head} {other.text} {middle} {decapitalised(one.text)} {tail}")
