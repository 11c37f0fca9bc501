"""What the hands wrote that asked the library's texts."""

from __future__ import annotations

import pytest

from core.errors import InputError
from eval.training.library_questions import read_hand
from tools.library.shipped import Document, Passage

TEXT = "Gout is a kind of arthritis. It can hurt a lot. Rest helps."
GOUT = {"7": Document("7", "Gout", "", "", (Passage("Gout", TEXT), Passage("Gout", "Drink plenty of water.")))}


def test_sentences_are_named_by_where_they_begin() -> None:
    (one,) = read_hand(["7\t0:1;0|1:0;\tdoes  gout hurt"], GOUT)
    assert one == ("7", "does gout hurt", {0: {29: 2, 0: 1}, 1: {0: 2}})


def test_what_is_not_answered_has_no_passage() -> None:
    (one,) = read_hand(["7\t-\tis gout catching"], GOUT)
    assert one.answers == {}


@pytest.mark.parametrize(
    "line", ["7\t0:9;\twhy", "8\t-\twhy", "7\t0:;1\twhy", "7\t5:0;\twhy", "7\t-\t ", "7\twhy", "7\tx\twhy"]
)
def test_a_line_that_names_what_is_not_there_is_told(line: str) -> None:
    with pytest.raises(InputError, match="line 1"):
        list(read_hand([line], GOUT))
