"""Statements to learn from that are real sentences: parsed once, then shortened, reworded, denied, asked or exchanged.

Sentences come from MedQuAD, MedlinePlus and the abstracts of SciFact's corpus.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from spacy.language import Language
from spacy.tokens import Doc

from eval.training.rewriting import SWAPS, decapitalised, polarities, shorter, swapped, turned_around, words_of
from eval.training.statements import Term, Terms

_SAME = {word: [other for other in group if other != word] for group in SWAPS["same"] for word in group}
_DEIXIS = frozenset(
    "this these that those it they he she we i you such here there which who his her their its our your another".split()
)
_LABEL = re.compile(r"^(?:[A-Z][A-Z/&, ]{5,40}:? )+(?=[A-Z])")


@dataclass(frozen=True)
class Real:
    """A sentence as a clause, what follows from it, its denials, its question, and what it may be turned into."""

    full: str
    follows: tuple[str, ...]
    denials: tuple[str, ...]
    asked: str
    turned: tuple[str, ...]
    beside: tuple[str, ...]

    def clause(self, rng: random.Random, *, denied: bool = False, plain: bool = False) -> str:
        """The sentence or its denial; as a claim, mostly what follows from it."""
        if denied:
            return rng.choice(self.denials)
        return rng.choice(self.follows) if plain and self.follows and rng.random() < 0.75 else self.full

    def question(self, rng: random.Random) -> str:
        """Its question."""
        return self.asked

    def opposed(self, rng: random.Random) -> Real | None:
        """It with an antonym or another number."""
        return _bare(rng.choice(self.turned)) if self.turned else None

    def aside(self, rng: random.Random) -> Real | None:
        """It with another concept, or with subject and object exchanged."""
        return _bare(rng.choice(self.beside)) if self.beside else None


def _bare(text: str) -> Real:
    return Real(text, (), (f"it is not true that {text}",), f"is it true that {text}?", (), ())


class SentenceReader:
    """Makes statements of sentences; a sentence that needs its context, or is no plain statement, is left out."""

    def __init__(self, parser: Language, terms: Terms, rng: random.Random) -> None:
        """Take a parser and the terms whose names may be exchanged."""
        self.parser, self.terms, self.rng = parser, terms, rng
        groups = ("disease", "drug", "germ", "symptom", "level", "protein", "process", "cell", "event")
        self.named: dict[str, Term] = {
            n.text.lower(): t for g in groups for t in terms[g] for n in t.names if len(n.text) > 3
        }

    def read(self, sentences: Iterable[str]) -> Iterator[tuple[int, Real]]:
        """The places of the sentences that state something, each with what it states."""
        readable = (_LABEL.sub("", text) for text in sentences)
        for place, doc in enumerate(self.parser.pipe(readable, batch_size=64)):
            found = self._statement(doc)
            if found is not None:
                yield place, found

    def _statement(self, doc: Doc) -> Real | None:
        roots = [token for token in doc if token.dep_ == "ROOT"]
        if len(roots) != 1 or not doc.text.rstrip().endswith("."):
            return None
        root = roots[0]
        subject = next((t for t in root.children if t.dep_ in ("nsubj", "nsubjpass")), None)
        finite = [t for t in (root, *root.children) if t.tag_ in ("VBZ", "VBP", "VBD", "MD") and t.i <= root.i]
        if (
            subject is None
            or not finite
            or subject.i > root.i
            or subject.text.lower() in _DEIXIS
            or doc[subject.left_edge.i].text.lower() in _DEIXIS
        ):
            return None
        if root.lemma_ in (
            "suggest",
            "hypothesize",
            "hypothesise",
            "investigate",
            "examine",
            "aim",
            "know",
            "study",
            "assess",
            "think",
            "believe",
        ):
            return None
        cuts = list(shorter(doc, root, subject))
        main = cuts[0] if cuts else words_of(doc)
        denials, asked = polarities(doc, root, subject, finite[0])
        if not denials:
            return None
        full = decapitalised(doc.text.strip().rstrip("."))
        follows = [*cuts, *(self._reworded(text) for text in (main, full))]
        follows = list(dict.fromkeys(text for text in follows if text and len(text.split()) > 3))
        turned = [text for text in (turned_around(self.rng, t) for t in (full, main, full)) if text]
        beside = [text for text in (self._exchanged(full), self._exchanged(main), swapped(doc, root, subject)) if text]
        return Real(full, tuple(follows), tuple(denials), asked, tuple(turned), tuple(beside))

    def _reworded(self, text: str) -> str:
        words = text
        for found in self.rng.sample(list(_SAME), len(_SAME)):
            if re.search(rf"\b{re.escape(found)}\b", words) and self.rng.random() < 0.7:
                words = re.sub(rf"\b{re.escape(found)}\b", self.rng.choice(_SAME[found]), words, count=1)
        spot = self._term_in(words)
        if spot is not None:
            name, term = spot
            others = [n.text for n in term.names if n.text.lower() != name]
            if others:
                words = re.sub(rf"\b{re.escape(name)}\b", self.rng.choice(others), words, count=1, flags=re.I)
        return "" if words == text else words

    def _exchanged(self, text: str) -> str:
        spot = self._term_in(text)
        if spot is None:
            return ""
        name, term = spot
        other = self.rng.choice(self.terms[term.group])
        if other is term:
            return ""
        return re.sub(rf"\b{re.escape(name)}\b", self.rng.choice(other.names).text, text, flags=re.I)

    def _term_in(self, text: str) -> tuple[str, Term] | None:
        words = text.lower().split()
        runs = [" ".join(words[i : i + n]).strip(",.;:()") for n in (4, 3, 2, 1) for i in range(len(words) - n + 1)]
        found = [run for run in runs if run in self.named]
        if not found:
            return None
        name = self.rng.choice(found[:3])
        return name, self.named[name]
