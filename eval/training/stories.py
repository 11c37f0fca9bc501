"""Questions as messages: somebody tells what happened before they ask, and often says only "it".

What a message asks stays what it was, so the grades of its passages do too: a reader learns to find the subject in the
story, and to pass over the rest of it.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path

from core.schema import Mention

FILE = Path(__file__).with_name("stories.json")
"""Sentences that were written for this: ``named`` say that somebody has something, ``around`` say anything else."""
Link = Callable[[str], Sequence[Mention]]

SHORTEST = 4
"""Words of a question that still asks where it says only "it"."""
POINTING, AROUND = 0.5, (0, 1, 1, 2)
"""How often a question says only "it" of what its story names, and how many other sentences stand in the story."""


def storied(question: str, link: Link, rng: random.Random) -> str:
    """The question after a story; what it is about is named there, and sometimes only there."""
    written = _written()
    names = [m.text for m in link(question) if m.concept.group == "DISO"]
    story = rng.sample(written["around"], rng.choice(AROUND))
    if names:
        name = max(names, key=len)
        story.insert(rng.randint(0, len(story)), rng.choice(written["named"]).format(it=name))
        if len(question.split()) > SHORTEST and rng.random() < POINTING:
            question = question.replace(name, "it")
    return " ".join([*(story or rng.sample(written["around"], 1)), question])


@lru_cache(maxsize=1)
def _written() -> dict[str, list[str]]:
    written: dict[str, list[str]] = json.loads(FILE.read_text(encoding="utf-8"))
    return written
