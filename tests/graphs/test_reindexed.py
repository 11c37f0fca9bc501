"""A collection that is indexed anew, or deleted, while a question is being answered from it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from core.errors import StoreBusy
from core.settings import Settings
from graphs.medical_qa import build_graph
from graphs.resources import Resources

NAME = "reindexed"


@pytest.fixture
def resources(model_home: Path, tmp_path: Path) -> Iterator[Resources]:
    made = Resources(Settings(home=model_home))
    (tmp_path / "a.txt").write_text("Zorblax fever is treated with glimepride tea.")
    made.repository.index([tmp_path / "a.txt"], NAME)
    yield made
    if any(info.name == NAME for info in made.repository.collections()):
        made.repository.delete(NAME)
    made.close()


@pytest.mark.parametrize("meanwhile", ["indexed anew", "deleted"])
async def test_what_was_found_is_compared_and_shown_as_it_was(
    resources: Resources, tmp_path: Path, meanwhile: str
) -> None:
    found = resources.repository.search(NAME, ["zorblax"], 1)
    before = resources.vectors(found, resources.embedder)
    if meanwhile == "deleted":
        resources.repository.delete(NAME)
    else:
        (tmp_path / "a.txt").write_text("")
        resources.repository.index([tmp_path / "a.txt"], NAME)
    after = resources.vectors(found, resources.embedder)
    assert float(np.sum(before * after)) > 0.8
    doubted = found[0].model_copy(update={"notice": "expression of concern"})
    (shown,) = await resources.whole_documents((doubted,))
    assert shown.text == doubted.text
    assert (shown.notice or "").startswith("expression of concern; only a passage of it is shown: ")


async def test_an_answer_that_is_a_passage_in_place_of_its_document_says_so(
    resources: Resources, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(_: object) -> None:
        raise StoreBusy("another process is writing there")

    resources.repository.index([tmp_path / "a.txt"], NAME, certified=True)
    monkeypatch.setattr(resources.repository, "whole", busy)
    settings = {"method": "certified", "collection": NAME, "verbatim": True}
    question = "How is zorblax fever treated?"
    answer = (await build_graph(resources).ainvoke({"question": question, "settings": settings}))["answer"]
    assert answer.text == "Zorblax fever is treated with glimepride tea."
    assert "a: only a passage of it is shown: another process is writing there" in answer.notices
