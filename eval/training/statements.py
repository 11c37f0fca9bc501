"""Statements to learn from that are made of terms: each words itself as a claim, in a passage, denied or asked.

Diseases, drugs and germs come from MeSH, MONDO, DOID and ChEBI with their synonyms (nothing from HPO, which may not be
altered), other terms and the relations from ``terms.toml`` and ``relations.toml``. They need not be true: a reader
learns what a passage says, not what is so.
"""

from __future__ import annotations

import random
import re
import sqlite3
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple, Protocol

from eval.training.clauses import Noun, Wording, clause, drawn, question, wording_of

_HERE = Path(__file__).parent
VOCABULARIES = ("MeSH", "MONDO", "DOID", "ChEBI")
TYPES = {"disease": ("T047", "T191", "T048"), "drug": ("T121", "T109", "T195"), "germ": ("T007", "T005", "T204")}
_SINGULAR = re.compile(
    r"(ss|us|is|diabetes|measles|herpes|rabies|aids|mumps|shingles|rickets|scabies|pus|tabes)$", re.I
)
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9 '\-]{3,38}")


class Term(NamedTuple):
    """One thing with its names, the usual one first."""

    names: tuple[Noun, ...]
    group: str


Terms = Mapping[str, tuple[Term, ...]]


class Statement(Protocol):
    """What may be said, denied or asked."""

    def clause(self, rng: random.Random, *, denied: bool = False, plain: bool = False) -> str:
        """A wording as a clause; ``plain`` is as a claim has it."""

    def question(self, rng: random.Random) -> str:
        """It as a question; empty where it has none."""

    def opposed(self, rng: random.Random) -> Statement | None:
        """A statement that cannot be true beside it."""

    def aside(self, rng: random.Random) -> Statement | None:
        """A statement like it that neither follows from it nor speaks against it."""


class Relation(NamedTuple):
    """A relation with its wordings; see ``relations.toml``."""

    forms: tuple[Wording, ...]
    contrary: tuple[Wording, ...]
    subjects: tuple[str, ...]
    objects: tuple[str, ...]
    opposite: tuple[str, ...]
    unrelated: tuple[str, ...]
    lists: tuple[str, ...]
    """Clauses with {L}, a list that has the subject among others."""


def read_relations() -> dict[str, Relation]:
    """All relations by name."""
    table = tomllib.loads((_HERE / "relations.toml").read_text(encoding="utf-8"))
    return {
        name: Relation(
            tuple(wording_of(line) for line in entry["forms"]),
            tuple(wording_of(line) for line in entry.get("contrary", ())),
            *(tuple(entry.get(key, ())) for key in ("subjects", "objects", "opposite", "unrelated", "lists")),
        )
        for name, entry in table.items()
    }


RELATIONS = read_relations()
_SCOPES = tomllib.loads((_HERE / "terms.toml").read_text(encoding="utf-8"))
_AROUND = tomllib.loads((_HERE / "frames.toml").read_text(encoding="utf-8"))
_LEADS, _TAILS = _AROUND["lead"]["frames"], _AROUND["tail"]["frames"]


@dataclass(frozen=True)
class Fact:
    """A relation between two terms, with a scope at most; ``sure`` is false of what only may be."""

    terms: Terms
    relation: str
    subject: Term
    object: Term
    scope: tuple[str, ...] = ()
    modal: str = ""

    def clause(self, rng: random.Random, *, denied: bool = False, plain: bool = False) -> str:
        """A wording in the relation's words; a denial may be in the words of its contrary."""
        told = RELATIONS[self.relation]
        if told.lists and not plain and not denied and not self.scope and not self.modal and rng.random() < 0.15:
            return self._listed(rng)
        contrary = denied and bool(told.contrary) and rng.random() < 0.4
        wording = rng.choice(told.contrary if contrary else told.forms)
        first, other = self._nouns(rng, wording, plain)
        text = clause(wording, first, other, denied and not contrary, self.modal, not plain and rng.random() < 0.15)
        scope = f" {rng.choice(self.scope)}" if self.scope else ""
        if scope and rng.random() < 0.25:
            text, scope = f"{scope.strip()}, {text}", ""
        lead = drawn(rng, rng.choice(_LEADS)) + " " if not plain and not scope and rng.random() < 0.12 else ""
        tail = drawn(rng, rng.choice(_TAILS)) if not plain and not denied and rng.random() < 0.15 else ""
        tail = tail if tail.startswith((",", "")) and tail[:1] in ",(" else f" {tail}" if tail else ""
        return f"{lead}{text}{scope}{' ' if tail.startswith('(') else ''}{tail}"

    def _listed(self, rng: random.Random) -> str:
        others = [_name(rng, term).text for term in rng.sample(self.terms[self.subject.group], rng.randint(1, 4))]
        items = rng.sample([*others, _name(rng, self.subject).text], len(others) + 1)
        told = rng.choice(
            (f"{', '.join(items[:-1])} and {items[-1]}", ", ".join(items), " - ".join(["", *items]).strip())
        )
        return (
            rng.choice(RELATIONS[self.relation].lists).replace("{o}", _name(rng, self.object).text).replace("{L}", told)
        )

    def _nouns(self, rng: random.Random, wording: Wording, plain: bool) -> tuple[Noun, str]:
        first, other = (self.object, self.subject) if wording.turned else (self.subject, self.object)
        named, second = _name(rng, first), _name(rng, other).text
        if not plain and rng.random() < 0.12 and wording.verb != "and":
            more = _name(rng, rng.choice(self.terms[other.group])).text
            second = rng.choice(
                (f"{second} and {more}", f"{more} and {second}", f"{second}, {more} and other conditions")
            )
        return named, second

    def question(self, rng: random.Random) -> str:
        """Its question in one of the relation's wordings."""
        wording = rng.choice(RELATIONS[self.relation].forms)
        first, other = self._nouns(rng, wording, True)
        scope = f" {rng.choice(self.scope)}" if self.scope else ""
        return question(wording, first, other, self.modal)[:-1] + scope + "?"

    def opposed(self, rng: random.Random) -> Fact | None:
        """The opposite relation between the same terms."""
        opposite = RELATIONS[self.relation].opposite
        return replace(self, relation=rng.choice(opposite)) if opposite else None

    def aside(self, rng: random.Random) -> Fact:
        """One term exchanged, both exchanged with each other, another relation, or another scope."""
        kind = rng.choice(("subject", "object", "swap", "relation", "relation", "scope"))
        if kind == "swap" and self.relation not in ("associate", "accompany"):
            return replace(self, subject=self.object, object=self.subject)
        unrelated = RELATIONS[self.relation].unrelated
        if kind == "relation" and unrelated:
            return replace(self, relation=rng.choice(unrelated), modal="")
        if kind == "scope":
            return replace(self, scope=another(rng, self.scope))
        if kind == "subject":
            return replace(self, subject=_other(rng, self.terms, self.subject))
        return replace(self, object=_other(rng, self.terms, self.object))


def another(rng: random.Random, scope: tuple[str, ...]) -> tuple[str, ...]:
    """Another population, or a species, which alone is aside of what is said of people at large."""
    field = "species" if not scope or rng.random() < 0.3 else "population"
    found = scope
    while found == scope:
        found = names_of(rng.choice(_SCOPES[field]))
    return found


def names_of(line: str) -> tuple[str, ...]:
    """The names of a line of ``terms.toml``, without their marks."""
    return tuple(name.strip().rstrip("*") for name in line.split("/"))


def _other(rng: random.Random, terms: Terms, term: Term) -> Term:
    found = term
    while found is term:
        found = rng.choice(terms[term.group])
    return found


def _name(rng: random.Random, term: Term) -> Noun:
    return term.names[0] if rng.random() < 0.5 else rng.choice(term.names)


def fact(rng: random.Random, terms: Terms) -> Fact:
    """A fact drawn from all relations that claims may have."""
    relation = rng.choice([name for name, told in RELATIONS.items() if told.subjects])
    told = RELATIONS[relation]
    subject = rng.choice(terms[rng.choice(told.subjects)])
    found = rng.choice(terms[rng.choice(told.objects)])
    while found is subject:
        found = rng.choice(terms[rng.choice(told.objects)])
    scope = names_of(rng.choice(_SCOPES["population"])) if rng.random() < 0.15 else ()
    modal = rng.choice(("can", "may")) if rng.random() < 0.1 else ""
    return Fact(terms, relation, subject, found, scope, modal)


def read_terms(vocabulary: Path, corpus: Iterable[str]) -> dict[str, tuple[Term, ...]]:
    """The terms by group; of a vocabulary's, those that the corpus speaks of."""
    table = tomllib.loads((_HERE / "terms.toml").read_text(encoding="utf-8"))
    terms = {group: tuple(_term(line, group) for line in lines) for group, lines in table.items()}
    spoken = _phrases(corpus)
    names: dict[int, list[str]] = defaultdict(list)
    groups: dict[int, str] = {}
    base = sqlite3.connect(f"file:{vocabulary}?mode=ro", uri=True)
    kinds = {tui: group for group, tuis in TYPES.items() for tui in tuis}
    marks = ",".join("?" * len(VOCABULARIES))
    query = (
        f"SELECT concept, name, tui FROM names JOIN types USING (concept) WHERE vocabulary IN ({marks}) "
        "AND kind IN ('preferred', 'exact', 'heading') ORDER BY concept, kind, name"
    )
    for concept, name, tui in base.execute(query, VOCABULARIES):
        if tui in kinds and _PLAIN.fullmatch(name):
            groups.setdefault(concept, kinds[tui])
            if spoken[name.lower()] and name.lower() not in names[concept]:
                names[concept].append(name.lower())
    base.close()
    for group in TYPES:
        found = [sorted(names[c], key=lambda n: -spoken[n])[:5] for c in sorted(names) if groups[c] == group]
        terms[group] = tuple(
            Term(tuple(_noun(n) for n in kept), group) for kept in found if kept and spoken[kept[0]] > 1
        )
    return terms


def _noun(name: str) -> Noun:
    return Noun(name, name.endswith("s") and not _SINGULAR.search(name))


def _term(line: str, group: str) -> Term:
    parts = [name.strip() for name in line.split("/")]
    return Term(tuple(Noun(name.rstrip("*"), name.endswith("*")) for name in parts), group)


def _phrases(corpus: Iterable[str]) -> Counter[str]:
    """How often the corpus has each run of one to four words."""
    counted: Counter[str] = Counter()
    for text in corpus:
        words = re.findall(r"[a-z0-9][a-z0-9'\-]*", text.lower())
        for size in (1, 2, 3, 4):
            counted.update(" ".join(words[i : i + size]) for i in range(len(words) - size + 1))
    return counted
