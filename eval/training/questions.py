"""Questions as people type them: wordings of an aspect, with stories, chat, other names and typing errors."""

from __future__ import annotations

import random
import re
import tomllib
from pathlib import Path
from typing import Any

from eval.data.held_out import normal_name

_HERE = Path(__file__).parent
WORDINGS: dict[str, Any] = tomllib.loads((_HERE / "wordings.toml").read_text(encoding="utf-8"))
_KEYS = {"a": "s", "b": "v", "c": "x", "d": "f", "e": "r", "g": "h", "i": "o", "l": "k", "m": "n", "n": "m", "o": "p"}
_KEYS |= {"r": "t", "s": "a", "t": "y", "u": "i", "y": "u", "h": "j", "p": "o"}
_SHORT = {"you": "u", "your": "ur", "are": "r", "please": "pls", "because": "cuz", "what's": "whats", "don't": "dont"}
_ARTICLE = re.compile(r"\b(stroke|heart attack|cold|fever|headache|sore throat|uti|concussion|hernia)s?$", re.I)


def _synonyms() -> dict[str, list[str]]:
    groups = tomllib.loads((_HERE / "lay.toml").read_text(encoding="utf-8"))["groups"]
    return {normal_name(name): [other for other in group if other != name] for group in groups for name in group}


SYNONYMS = _synonyms()


def same_focus(one: str, other: str) -> bool:
    """Whether two names are one focus: the same words, or names that people use for one thing."""
    first, second = normal_name(one), normal_name(other)
    return first == second or second in {normal_name(s) for s in SYNONYMS.get(first, ())}


class Asker:
    """Words questions; every choice comes from the random source given."""

    def __init__(self, rng: random.Random) -> None:
        """Take the random source."""
        self._rng = rng

    def ask(self, wordings: list[str], focus: str) -> str:
        """One wording about a focus, made natural."""
        rng = self._rng
        name = self._name(focus)
        wording = rng.choice(wordings)
        if rng.random() < 0.12 and "{f}" in wording and len(wording) > len("{f}"):
            story = self._story(name)
            asked = story + wording.replace("{f}", "it" if rng.random() < 0.5 else name)
        else:
            asked = wording.replace("{f}", name)
        return self.typed(asked)

    def typed(self, asked: str) -> str:
        """A question with what people's typing does to it."""
        rng, chat = self._rng, WORDINGS["chat"]
        if rng.random() < 0.12:
            asked = rng.choice(chat["greetings"]) + asked
        if rng.random() < 0.08:
            asked += rng.choice(chat["thanks"])
        if rng.random() < 0.15:
            asked = " ".join(_SHORT.get(word, word) for word in asked.split(" "))
        if rng.random() < 0.25:
            asked = self._mistyped(asked)
        form = rng.random()
        if form < 0.5:
            asked = asked.lower()
        elif form < 0.53:
            asked = asked.upper()
        elif form < 0.8:
            asked = asked[:1].upper() + asked[1:]
        if rng.random() < 0.4:
            asked = asked.rstrip(" ?")
        elif not asked.rstrip().endswith("?") and rng.random() < 0.5:
            asked = asked.rstrip() + "?"
        return asked

    def _name(self, focus: str) -> str:
        names = SYNONYMS.get(normal_name(focus), [])
        name = self._rng.choice(names) if names and self._rng.random() < 0.4 else focus
        if len(name) > 1 and not name[1].isupper() and self._rng.random() < 0.7:
            name = name.lower() if self._rng.random() < 0.5 else name[0].lower() + name[1:]
        if _ARTICLE.search(name) and not name.startswith(("a ", "the ")) and self._rng.random() < 0.6:
            name = f"a {name}"
        return name

    def _story(self, name: str) -> str:
        chat = WORDINGS["chat"]
        story: str = self._rng.choice(chat["stories"])
        age = self._rng.randint(2, 85)
        return story.format(f=name, kin=self._rng.choice(chat["kin"]), age=age)

    def _mistyped(self, text: str) -> str:
        rng = self._rng
        letters = [i for i, c in enumerate(text) if c.isalpha() and 0 < i < len(text) - 1 and text[i - 1].isalpha()]
        for _ in range(1 if rng.random() < 0.7 else 2):
            if not letters:
                return text
            i = rng.choice([n for n in letters if n < len(text) - 1] or [0])
            kind = rng.randrange(4)
            if kind == 0:
                text = text[:i] + text[i + 1 :]
            elif kind == 1:
                text = text[:i] + text[i + 1] + text[i] + text[i + 2 :]
            elif kind == 2:
                text = text[:i] + text[i] + text[i:]
            else:
                text = text[:i] + _KEYS.get(text[i].lower(), text[i]) + text[i + 1 :]
        return text
