from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import InputError
from tools.repository import Repository
from tools.repository.passages import joined

TEXT = (
    "Rest helps.  Drink water often,\tand sleep.\n\n \nSee a doctor if it lasts longer than a week. "
    "Do not share cups with others.\n- one thing\n- another thing, which is longer than the first one\n\n\nThat is all."
)


@pytest.mark.parametrize("query", ["water", "cups", "another thing", "all"])
def test_a_passage_is_followed_back_to_its_document_to_the_byte(
    repository: Repository, tmp_path: Path, query: str
) -> None:
    (tmp_path / "leaflet.txt").write_text(TEXT, encoding="utf-8")
    repository.index([tmp_path / "leaflet.txt"], "ward")
    (found,) = repository.search("ward", [query], 1)
    assert found.text != TEXT
    assert repository.whole(found).text == TEXT
    assert repository.whole(found).id == found.id


@pytest.mark.parametrize(("now", "says"), [("", "no longer in its collection"), ("Wash your hands.", "has changed")])
def test_a_document_that_is_another_by_now_does_not_pass_for_the_one_that_was_found(
    repository: Repository, tmp_path: Path, now: str, says: str
) -> None:
    (tmp_path / "leaflet.txt").write_text("Rest helps.", encoding="utf-8")
    repository.index([tmp_path / "leaflet.txt"], "ward")
    (found,) = repository.search("ward", ["rest"], 1)
    (tmp_path / "leaflet.txt").write_text(now, encoding="utf-8")
    repository.index([tmp_path / "leaflet.txt"], "ward")
    with pytest.raises(InputError, match=says):
        repository.whole(found)


def test_what_cannot_be_known_is_not_made_up() -> None:
    records = [{"start": 0, "end": 5, "text": "Rest."}, {"start": 7, "end": 13, "text": "Drink."}]
    assert joined(records) is None
    assert joined([records[0], {**records[1], "between": "\n\n"}]) == "Rest.\n\nDrink."
    assert joined([records[0], {"start": 3, "end": 9, "text": "t. Now"}]) == "Rest. Now"
