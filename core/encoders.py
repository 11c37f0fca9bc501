"""Which encoder each system's paper has, and whether it is on this machine."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from core.hf.folders import INSTALL, extra_installed, find_model
from core.presets import presets
from core.schema import Method

PAPER_ENCODERS: Final[Mapping[Method, str]] = {m: p["embedder"] for m, p in presets().items() if "embedder" in p}
"""Bi-encoders; a method that is not here has none of its own."""
PAPER_CROSS_ENCODERS: Final[Mapping[Method, str]] = {
    m: p["cross_encoder"] for m, p in presets().items() if "cross_encoder" in p
}
"""Cross-encoders of the methods that re-rank."""
OF_COLLECTIONS: Final = frozenset[Method]({"certified", "context-only"})
"""Methods whose encoder embeds the documents: a collection has the vectors of the encoder that it was indexed with."""


class PaperEncoder(NamedTuple):
    """The name to load where the model is here, otherwise a sentence on what stands in; neither where none is asked."""

    name: str | None
    notice: str | None


def paper_encoder(method: Method, home: Path) -> PaperEncoder:
    """The encoder of a method's paper, if it can be loaded without a download; nothing is loaded or downloaded.

    For a method that searches documents by it there is none: what MEDATTEST_EMBEDDER names has embedded them.
    """
    if method in OF_COLLECTIONS:
        name = PAPER_ENCODERS[method]
        return PaperEncoder(
            None,
            f"all-MiniLM-L6-v2 has embedded the documents, not {name}, with which {method} was published: set "
            f"MEDATTEST_EMBEDDER={name} (it needs the hf extra: `{INSTALL}`) and index them again",
        )
    return _choice(PAPER_ENCODERS.get(method), method, home, "all-MiniLM-L6-v2", "MEDATTEST_EMBEDDER")


def paper_cross_encoder(method: Method, home: Path) -> PaperEncoder:
    """The cross-encoder of a method's paper, under the same terms."""
    return _choice(PAPER_CROSS_ENCODERS.get(method), method, home, "the fused score", "MEDATTEST_CROSS_ENCODER")


def _choice(name: str | None, method: str, home: Path, stand_in: str, setting: str) -> PaperEncoder:
    if name is None:
        return PaperEncoder(None, None)
    there = extra_installed()
    if there and find_model(name, home) is not None:
        return PaperEncoder(name, None)
    lacking = "is not on this machine" if there else "needs the hf extra"
    first = "" if there else f"run `{INSTALL}` in the checkout, then "
    return PaperEncoder(
        None,
        f"{stand_in} stands in for {name}, with which {method} was published and which {lacking}: {first}set "
        f"{setting}={name} to download it, or put its files into {home / 'models' / name}",
    )
