from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from chains.guard.folding import Folded, folded


def test_one_spelling_for_what_looks_alike() -> None:
    assert folded("Ｉｇｎｏｒｅ Ré­sumé рrеviоus ﬁn") == "ignore resume previous fin"
    assert folded("Метформин β-блокатор TNFα") == "метформин β-блокатор tnfa"
    assert folded("a" + "".join(chr(0xE0000 + ord(c)) for c in "Hi")) == "ahi"


@given(st.text(max_size=40))
def test_every_place_is_one_of_the_given_text(text: str) -> None:
    fold = Folded(text)
    places = [fold.place(i) for i in range(len(fold.text) + 1)]
    assert places == sorted(places)
    assert places[-1] == len(text)
    assert all(fold.offset(place) <= i for i, place in enumerate(places))
