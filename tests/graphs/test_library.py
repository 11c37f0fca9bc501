"""The library among the sources: by default, unless it is switched off or something else is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.settings import Settings
from graphs.resources import Resources


@pytest.mark.parametrize(
    ("settings", "collection", "asked"),
    [
        ({}, None, ("library", "knowledge", "repository")),
        ({"library": False}, None, ("knowledge", "repository")),
        ({"sources": ("knowledge",)}, None, ("knowledge",)),
        ({}, "ward", ("repository",)),
    ],
)
def test_the_library_is_asked_unless_it_is_switched_off(
    home: Path, settings: dict[str, object], collection: str | None, asked: tuple[str, ...]
) -> None:
    resources = Resources(Settings(home=home, **settings))  # type: ignore[arg-type]  # settings by name
    assert resources.sources.names(collection) == asked
    resources.close()


async def test_its_passages_come_with_vectors_that_need_no_embedding(settings: Settings) -> None:
    resources = Resources(settings)
    try:
        (best, *_) = resources.library.search(["what causes gout"], 5)
        assert best.title.startswith("Gout")
        assert best.owner == "MedlinePlus, National Library of Medicine"
        (vector,) = resources.vectors([best], resources.embedder)
        assert float(vector @ resources.minilm.encode([f"{best.title}\n{best.text}"])[0]) > 0.98
    finally:
        resources.close()
