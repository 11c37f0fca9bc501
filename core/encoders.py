"""Which encoder each system's paper has, and whether it is on this machine."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from core.hf.folders import INSTALL, extra_installed, find_model
from core.schema import Method

PAPER_ENCODERS: Final[Mapping[Method, str]] = {
    "imkdg": "hkunlp/instructor-xl",
    "certified": "paraphrase-multilingual-mpnet-base-v2",
    "context-only": "paraphrase-multilingual-MiniLM-L12-v2",
    "graph": "dmis-lab/biobert-base-cased-v1.1",
}
"""Bi-encoders; a method that is not here has none of its own."""
PAPER_CROSS_ENCODERS: Final[Mapping[Method, str]] = {"certified": "cross-encoder/ms-marco-MiniLM-L-6-v2"}
"""Cross-encoders of the methods that re-rank."""


class PaperEncoder(NamedTuple):
    """The name to load where the model is here, otherwise a sentence on what stands in; neither where none is asked."""

    name: str | None
    notice: str | None


def paper_encoder(method: Method, home: Path) -> PaperEncoder:
    """The encoder of a method's paper, if it can be loaded without a download; nothing is loaded or downloaded."""
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
