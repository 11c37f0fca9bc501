"""Passages around statements: what a passage says of a statement, by the frames that stand around it.

Every frame stands around the claim itself, around its opposite and around statements that only look like it, so that
neither a frame nor a claim by itself tells the label.
"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from eval.training.clauses import drawn, sentence
from eval.training.statements import Fact, Statement

Label = Literal["supported", "contradicted", "neither"]
_FRAMES: dict[str, list[str]] = {
    name: entry["frames"]
    for name, entry in tomllib.loads((Path(__file__).parent / "frames.toml").read_text(encoding="utf-8")).items()
}
OPEN = ("unproven", "believed", "asked", "supposed")
_STANCES = {"told": 0.34, "refuted": 0.24, "open": 0.2, "opposite": 0.08, "aside": 0.22, "absent": 0.06}
_DENIED_CLAIM, _PRONOUN = 0.25, 0.08


class Pair(NamedTuple):
    """A claim and a passage with what the passage says of it; ``kind`` tells how it was made."""

    claim: str
    title: str
    passage: str
    label: Label
    kind: str


class Passages:
    """Builds pairs; every choice comes from the random source given."""

    def __init__(self, rng: random.Random, neighbours: Sequence[Sequence[str]]) -> None:
        """Take runs of real sentences to stand beside what is made."""
        self.rng, self.neighbours = rng, neighbours

    def pair(self, about: Statement, beside: Statement, around: Sequence[str] = (), title: str = "") -> Pair:
        """One pair about a statement; ``beside`` is another one, ``around`` are real sentences around the first."""
        rng = self.rng
        denied = rng.random() < _DENIED_CLAIM
        claim = about.clause(rng, denied=denied, plain=True)
        stance = rng.choices(list(_STANCES), list(_STANCES.values()))[0]
        said, worth, stance = self._said(about, stance)
        label: Label = "neither"
        if worth and not (denied and stance == "opposite"):
            label = "supported" if (worth > 0) != denied else "contradicted"
        elif worth:
            said, label = self.framed(about, "refuted"), "supported"
        if isinstance(about, Fact) and not title and stance in ("told", "refuted") and rng.random() < _PRONOUN:
            said, title = _with_pronoun(about, said)
        parts = self._among(said, about, beside, around)
        return Pair(sentence(claim), title, " ".join(parts), label, stance)

    def _said(self, about: Statement, stance: str) -> tuple[str, int, str]:
        """What tells of the statement, +1 where that asserts it and −1 where it denies it, and the stance."""
        rng = self.rng
        if stance == "opposite":
            opposed = about.opposed(rng)
            return (
                (self.framed(opposed, "told"), -1, stance)
                if opposed
                else (self.framed(about, "refuted"), -1, "refuted")
            )
        if stance == "aside":
            aside = about.aside(rng)
            if aside is not None:
                return self.framed(aside, rng.choice(("told", "told", "told", "refuted", rng.choice(OPEN)))), 0, stance
            stance = "open"
        if stance == "open":
            stance = rng.choice(OPEN)
            return self.framed(about, stance), 0, stance
        if stance == "absent":
            return "", 0, stance
        return self.framed(about, stance), 1 if stance == "told" else -1, stance

    def framed(self, about: Statement, stance: str) -> str:
        """A statement in a frame of a stance."""
        rng = self.rng
        pattern = rng.choice(_FRAMES[stance])
        told = drawn(rng, pattern.replace("{c}", "\0").replace("{q}", "\1").replace("{n}", "\2"))
        denial = rng.random() < 0.15 and stance in OPEN and "\1" not in told
        told = told.replace("\0", about.clause(rng, denied=denial)).replace("\2", about.clause(rng, denied=True))
        if "\1" in told:
            told = told.replace("\1", sentence(about.question(rng)))
        return sentence(told)

    def _among(self, said: str, about: Statement, beside: Statement, around: Sequence[str]) -> list[str]:
        """What is said among other sentences."""
        rng = self.rng
        parts = [said] if said else []
        near = list(around) if around else list(rng.choice(self.neighbours))
        wanted = rng.choices((0, 1, 2, 3), (0.5, 0.28, 0.16, 0.06))[0] or (0 if said else 2)
        for _ in range(wanted):
            draw = rng.random()
            other = about.aside(rng) if draw < 0.25 else beside if draw < 0.5 else None
            if other is not None:
                text = self.framed(other, rng.choice(("told", "told", "refuted", *OPEN)))
            else:
                text = near.pop(0) if near else ""
            if text:
                parts.insert(rng.choice((0, len(parts))), text)
        return parts or [self.framed(beside, "told")]


def _with_pronoun(about: Fact, said: str) -> tuple[str, str]:
    """The subject's name at the start replaced by a pronoun, and the name as the title, where that can be done."""
    for noun in about.subject.names:
        if said.lower().startswith(f"{noun.text.lower()} "):
            return ("They" if noun.plural else "It") + said[len(noun.text) :], noun.text.capitalize()
    return said, ""
