"""Questions as they are typed, in the words of the vocabularies that ship."""

from pathlib import Path

import pytest

from core.settings import Settings
from graphs.resources import Resources


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("how fast does hydroxozine work", "how fast does hydroxyzine work"),  # hydroxizine is the same
        ("is cetrizine safe", "is cetirizine safe"),
        ("side effects of metaprolol", "side effects of metoprolol"),
    ],
)
async def test_a_medicine_with_two_spellings_is_one(model_home: Path, typed: str, written: str) -> None:
    resources = Resources(Settings(home=model_home))
    assert (await resources.invoke(lambda s: s.typist, typed)).value.text == written
    resources.close()
