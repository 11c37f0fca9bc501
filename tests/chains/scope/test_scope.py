from __future__ import annotations

import numpy as np

from chains.scope import Scope, reason_of, scope_of
from chains.scope.learned import KINDS, LEARNED, Reader, inputs_of, learned_reader, named, reader_from
from core.embeddings import Encode
from core.schema import Concept, Mention


def test_every_kind_says_why_and_what_to_do() -> None:
    reasons = {reason_of(kind) for kind in KINDS}
    assert len(reasons) == len(KINDS)
    assert not any("{" in reason for reason in reasons)


def test_the_committed_reader_knows_every_kind() -> None:
    reader = learned_reader()
    assert set(reader.kinds) == set(LEARNED)
    shares = reader.shares(np.zeros((1, reader.coefficients.shape[1] - 1)))
    assert 0 < shares.sum() < 1


def test_shares_are_those_of_a_multinomial() -> None:
    reader = reader_from({"coefficients": {"chat": [1.0, 0.0], "vague": [0.0, 0.0]}})
    assert isinstance(reader, Reader)
    assert np.allclose(reader.shares(np.array([[0.0]])), [[1 / 3, 1 / 3]])


def test_a_kind_is_told_where_it_is_likely() -> None:
    assert Scope(outside=0.4, kind="chat").likely is None
    assert Scope(outside=0.6, kind="chat").likely == "chat"


def link(text: str) -> list[Mention]:
    known = {"flank pain": "DISO", "losartan": "CHEM", "uvula": "ANAT"}
    found = [(name, group, text.lower().find(name)) for name, group in known.items() if name in text.lower()]
    return [
        Mention(concept=Concept(id=name, name=name, group=group), text=name, start=at, end=at + len(name), score=1.0)
        for name, group, at in found
    ]


def test_what_a_text_names_is_an_input() -> None:
    assert named("Anything I can do for it until then?", link)[:2] == (0.0, 0.0)
    assert named("is my uvula normal", link)[:2] == (1.0, 0.0)
    assert named("what is losartan", link)[:2] == (1.0, 1.0)
    assert 0 < named("what is losartan", link)[2] < named("does losartan lower potassium in kidney disease", link)[2]
    assert inputs_of(["flank pain"], lambda texts: np.ones((len(texts), 2), np.float32), link).shape == (1, 5)


def test_who_asks_about_nothing_named_asks_vaguely(encode: Encode) -> None:
    vague = (
        "Anything I can do for the discomfort until then?",
        "so how long should i keep taking it",
        "is this normal",
    )
    for text in vague:
        assert scope_of(text, encode, link).likely == "vague", text
    for text in ("what can i do for flank pain", "Can I take losartan at night?", "what makes the uvula swell"):
        assert scope_of(text, encode, link).likely is None, text


def test_no_picture_is_seen(encode: Encode) -> None:
    for text in (
        "I've attached a photo of the spot on my shoulder. Is it melanoma?",
        "look at this pic of my kids throat and tell me if its strep",
        "here are two pictures of my rash, is it scabies",
        "does the mole in this picture look bad",
        "i sent you a selfie, do i have jaundice",
        "See the photo I just sent of my sons rash. What is it?",
    ):
        assert scope_of(text, encode, link).likely == "picture", text
    for text in (
        "What does a picture of health look like?",
        "where can I see pictures of scabies",
        "how do doctors read a PET image",
        "what is a PICC line",
        "can bright light in photographs show retinoblastoma",
    ):
        assert scope_of(text, encode, link).kind != "picture", text
