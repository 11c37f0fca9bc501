"""Which focuses of MedQuAD and MedlinePlus stay out of every fit: a seeded fifth, by the focus's name."""

from __future__ import annotations

import re
import zlib

SEED = 2024
SHARE = 5
_ASIDE = re.compile(r"\([^)]*\)")
_WORD = re.compile(r"[a-z0-9]+")
_FRAME = frozenset("what i need to know about your guide understanding a an the of in and".split())


def normal_name(focus: str) -> str:
    """The name of a focus without case, asides, plurals and the words that frame it: the same for all sources."""
    words = _WORD.findall(_ASIDE.sub(" ", focus.lower().replace("'s", "").replace("’s", "")))
    kept = [word[:-1] if len(word) > 3 and word.endswith("s") else word for word in words if word not in _FRAME]
    return " ".join(kept)


def held_out(focus: str) -> bool:
    """Whether a focus belongs to the fifth that nothing is fitted on."""
    return zlib.crc32(f"{SEED}/{normal_name(focus)}".encode()) % SHARE == 0
