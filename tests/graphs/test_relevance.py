"""A piece of another library is weighed without what this one knows; a library that fails is no such piece."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from chains.answer.sentences import units_of
from core.errors import StoreCorrupted, UnknownCollection
from core.schema import Evidence
from core.settings import Settings
from graphs.resources import Resources

QUESTION = "What causes zorblax fever?"
FOREIGN = Evidence(
    id="library:another/1#0",
    source="library",
    text="Zorblax fever is caused by the bite of a mite. It is rare in children.",
)


@pytest.fixture
def resources(settings: Settings) -> Iterator[Resources]:
    made = Resources(settings)
    yield made
    made.close()


def test_a_piece_of_another_library_is_weighed_as_any_text(resources: Resources) -> None:
    assert resources.relevance.known(QUESTION, [FOREIGN]) == [0.0]
    assert len(resources.relevance.sentence_scores(QUESTION, units_of(FOREIGN))) == 2


@pytest.mark.parametrize("asked", ["known", "begins"])
@pytest.mark.parametrize("error", [StoreCorrupted("damaged"), UnknownCollection("gone")])
def test_a_library_that_fails_is_told(
    resources: Resources, monkeypatch: pytest.MonkeyPatch, asked: str, error: Exception
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(resources.library, asked, fail)
    with pytest.raises(type(error)):
        resources.relevance.sentence_scores(QUESTION, units_of(FOREIGN))
