"""Statements of one value, a number or one of a set whose members exclude each other; and kinds of things."""

from __future__ import annotations

import random
import sqlite3
import tomllib
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from eval.training.clauses import Noun, clause, question, wording_of
from eval.training.statements import VOCABULARIES, Term, Terms, names_of

_TABLE: Mapping[str, Mapping[str, Any]] = tomllib.loads(
    (Path(__file__).parent / "valued.toml").read_text(encoding="utf-8")
)
_WORDS = {
    1: "one",
    2: "two",
    3: "three",
    4: "four",
    5: "five",
    6: "six",
    7: "seven",
    8: "eight",
    10: "ten",
    12: "twelve",
    20: "twenty",
}
_DENIALS = (
    "it is not true that {c}",
    "it is not the case that {c}",
    "it is wrong that {c}",
    "{c}, it was said, but this is false",
)
_KINDS = (
    "so be a kind of {o}",
    "so be a type of {o}",
    "so be a form of {o}",
    "so belong to {o}",
    "so be classified as {o}",
    "so be one of the forms of {o}",
    "so count among {o}",
    "os include {s}",
    "so fall under {o}",
)
_ROLES = (
    "so act as {o}",
    "so be used as {o}",
    "so serve as {o}",
    "so have the role of {o}",
    "so work as {o}",
    "so be known to act as {o}",
)


@dataclass(frozen=True)
class Valued:
    """``{t}`` has the value ``{v}``; a number's value is its place in the set's amounts with its unit."""

    terms: Terms
    kind: str
    term: Term
    value: int
    unit: int = 0
    matter: int = 0

    def clause(self, rng: random.Random, *, denied: bool = False, plain: bool = False) -> str:
        """A wording; a denial puts "not" behind "is" where it can."""
        told = rng.choice(_TABLE[self.kind]["forms"][self.matter].split(" | ")).replace(
            "{t}", rng.choice(self.term.names).text
        )
        told = told.replace("{v}", self._words(rng)).replace(" an dom", " a dom").replace(" an rec", " a rec")
        told = (
            told.replace(" an X", " an X")
            .replace(" an mit", " a mit")
            .replace(" an mat", " a mat")
            .replace(" an sex", " a sex")
        )
        if not denied:
            return str(told)
        if " is " in told and " not " not in told and rng.random() < 0.8:
            return str(told).replace(" is ", rng.choice((" is not ", " is by no means ", " is not ")), 1)
        return rng.choice(_DENIALS).replace("{c}", told)

    def _words(self, rng: random.Random) -> str:
        told = _TABLE[self.kind]
        if "values" in told:
            return rng.choice(names_of(told["values"][self.value]))
        amount, unit = told["amounts"][self.value], rng.choice(names_of(told["numbers"][self.unit]))
        number = _WORDS.get(amount, str(amount)) if rng.random() < 0.3 and unit[0].isalpha() else str(amount)
        return f"{number}{'' if unit[0] in '%-' else ' '}{unit}"

    def question(self, rng: random.Random) -> str:
        """A question by its rise alone, as people type it."""
        told = self.clause(rng, plain=True)
        return f"is it true that {told}?" if rng.random() < 0.6 else f"{told}?"

    def opposed(self, rng: random.Random) -> Valued:
        """Another value of the set."""
        told = _TABLE[self.kind]
        size = len(told["values"] if "values" in told else told["amounts"])
        other = rng.randrange(size - 1)
        return replace(self, value=other + (other >= self.value))

    def aside(self, rng: random.Random) -> Valued:
        """The same of another term, or another matter of the same term."""
        like = [
            kind for kind, told in _TABLE.items() if told["terms"] == _TABLE[self.kind]["terms"] and kind != self.kind
        ]
        matters = len(_TABLE[self.kind]["forms"])
        if matters > 1 and rng.random() < 0.4:
            return replace(self, matter=(self.matter + rng.randrange(1, matters)) % matters)
        if rng.random() < 0.5:
            return valued(rng, self.terms, rng.choice(like), self.term)
        return replace(
            self, term=rng.choice([t for t in rng.sample(self.terms[self.term.group], 2) if t is not self.term])
        )


def valued(rng: random.Random, terms: Terms, kind: str = "", term: Term | None = None) -> Valued:
    """One drawn from all kinds."""
    kind = kind or rng.choice(list(_TABLE))
    told = _TABLE[kind]
    place = rng.randrange(len(told["values"] if "values" in told else told["amounts"]))
    unit = rng.randrange(len(told.get("numbers", "-")))
    matter = rng.randrange(len(told["forms"]))
    return Valued(terms, kind, term or rng.choice(terms[told["terms"]]), place, unit, matter)


@dataclass(frozen=True)
class Kind:
    """What a vocabulary says: a thing is a kind of another, or has a role."""

    all: tuple[Kind, ...]
    subject: Term
    parent: Term
    role: bool

    def clause(self, rng: random.Random, *, denied: bool = False, plain: bool = False) -> str:
        """A wording in one of the names of each."""
        wording = wording_of(rng.choice(_ROLES if self.role else _KINDS))
        names = [rng.choice(term.names) for term in (self.subject, self.parent)]
        first, other = names[::-1] if wording.turned else names
        return clause(wording, first, other.text, denied)

    def question(self, rng: random.Random) -> str:
        """Its question."""
        wording = wording_of(rng.choice(_ROLES if self.role else _KINDS[:-2]))
        return question(wording, rng.choice(self.subject.names), rng.choice(self.parent.names).text)

    def opposed(self, rng: random.Random) -> None:
        """None: a thing may be of many kinds."""

    def aside(self, rng: random.Random) -> Kind:
        """The same of another thing, of another kind, or the two exchanged."""
        other = rng.choice(self.all)
        if rng.random() < 0.3:
            return replace(self, subject=self.parent, parent=self.subject)
        return replace(self, subject=other.subject) if rng.random() < 0.5 else replace(self, parent=other.parent)


def read_kinds(vocabulary: Path, terms: Terms, most: int, rng: random.Random) -> tuple[Kind, ...]:
    """Kinds and roles of the terms that the corpus speaks of."""
    by_name = {noun.text: term for group in ("disease", "drug", "germ") for term in terms[group] for noun in term.names}
    base = sqlite3.connect(f"file:{vocabulary}?mode=ro", uri=True)
    marks = ",".join("?" * len(VOCABULARIES))
    query = (
        "SELECT a.name, relation, b.name FROM relations JOIN concepts a ON a.key = head "
        f"JOIN concepts b ON b.key = tail WHERE vocabulary IN ({marks}) ORDER BY 1, 2, 3"
    )
    found: dict[tuple[str, str], set[bool]] = defaultdict(set)
    for head, relation, tail in base.execute(query, VOCABULARIES):
        if head.lower() in by_name and tail.replace(" ", "").isalpha() and len(tail) < 40:
            found[(head.lower(), tail.lower())].add(relation == "has role")
    base.close()
    kinds = [
        Kind((), by_name[head], by_name.get(tail) or Term((Noun(tail, tail.endswith("s")),), "kind"), min(role))
        for (head, tail), role in sorted(found.items())
    ]
    rng.shuffle(kinds)
    return tuple(replace(kind, all=tuple(kinds[:most])) for kind in kinds[:most])
