from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import StoreCorrupted
from core.lexical import IDF_POWER, K1, TITLE_WEIGHT, B, LexicalIndex, best
from core.text import content_terms, terms

TEXTS = [
    "Marfan syndrome affects connective tissue.",
    "Aspirin lowers the risk of stroke. Aspirin may cause bleeding.",
    "Stroke is a loss of blood flow to the brain.",
    "",
]
TITLES = ["Marfan syndrome", "Aspirin", "Stroke", "Nothing"]


def slow_share(query: str, texts: list[str], titles: list[str]) -> list[float]:
    """The formula, word by word."""
    bags = [Counter(terms(text) + terms(title) * TITLE_WEIGHT) for text, title in zip(texts, titles, strict=True)]
    mean = sum(bag.total() for bag in bags) / len(bags)
    asked = set(content_terms(query) or terms(query))
    shares = []
    for bag in bags:
        score = attainable = 0.0
        for term in asked:
            containing = sum(term in other for other in bags)
            idf = math.log(1 + (len(bags) - containing + 0.5) / (containing + 0.5)) ** IDF_POWER
            attainable += idf
            score += idf * bag[term] / (bag[term] + K1 * (1 - B + B * bag.total() / mean)) if bag[term] else 0.0
        shares.append(score / attainable if asked else 0.0)
    return shares


words = st.sampled_from(["stroke", "strokes", "aspirin", "Marfan", "PD-L1", "the", "is", "of", "β-thalassaemia", "0.5"])
sentence = st.lists(words, max_size=8).map(" ".join)


@settings(deadline=None)
@given(st.lists(st.tuples(sentence, sentence), min_size=1, max_size=6), sentence)
def test_scores_are_those_of_the_formula(passages: list[tuple[str, str]], query: str) -> None:
    texts, titles = [list(column) for column in zip(*passages, strict=True)]
    expected = slow_share(query, texts, titles)
    np.testing.assert_allclose(LexicalIndex.build(texts, titles).scores(query), expected, rtol=1e-4, atol=1e-6)


def test_the_passage_about_the_query_comes_first() -> None:
    index = LexicalIndex.build(TEXTS, TITLES)
    assert index.search("Is aspirin used in strokes?", 2)[0][0] == 1
    assert [place for place, _ in index.search("Marfan", 10)] == [0]
    assert [place for place, _ in index.search("nothing at all", 10)] == [3]


def test_stop_words_count_only_where_the_query_has_no_others() -> None:
    index = LexicalIndex.build(TEXTS)
    np.testing.assert_array_equal(index.scores("what is the stroke"), index.scores("stroke"))
    assert index.search("the", 10)


def test_a_score_is_a_share_that_falls_with_every_word_that_is_not_there() -> None:
    index = LexicalIndex.build(["stroke " * 500, "aspirin and stroke", "fever"])
    assert 0.99 < index.scores("stroke")[0] < 1
    assert index.scores("stroke zyxomma")[0] < 0.5
    np.testing.assert_array_equal(index.scores("stroke stroke"), index.scores("stroke"))


def test_words_that_no_passage_has_find_nothing() -> None:
    index = LexicalIndex.build(TEXTS)
    assert not index.scores("zyxomma").any()
    assert index.search("zyxomma", 10) == []
    assert index.search("", 10) == []
    assert index.search("stroke", 0) == []


def test_a_rarer_word_has_a_higher_idf_and_an_unknown_one_the_highest() -> None:
    index = LexicalIndex.build(TEXTS)
    assert index.idf("zyxomma") > index.idf("brain") > index.idf("stroke") > 0


def test_a_saved_index_scores_the_same(tmp_path: Path) -> None:
    index = LexicalIndex.build(TEXTS, TITLES)
    index.save(tmp_path / "lexical")
    again = LexicalIndex.load(tmp_path / "lexical")
    for query in ("aspirin and stroke", "zyxomma", ""):
        np.testing.assert_array_equal(again.scores(query), index.scores(query))
    assert again.idf("brain") == index.idf("brain")


def test_an_empty_index_can_be_built_saved_and_searched(tmp_path: Path) -> None:
    LexicalIndex.build([]).save(tmp_path)
    index = LexicalIndex.load(tmp_path)
    assert index.size == 0
    assert index.search("stroke", 5) == []
    assert not LexicalIndex.build(["", "?"]).scores("stroke").any()


@pytest.mark.parametrize("part", ["index.json", "vocabulary.txt", "offsets.npy", "passages.npy", "weights.npy"])
@pytest.mark.parametrize("fault", ["missing", "cut", "foreign"])
def test_a_damaged_index_is_said_to_be_damaged(tmp_path: Path, part: str, fault: str) -> None:
    LexicalIndex.build(TEXTS).save(tmp_path)
    file = tmp_path / part
    if fault == "missing":
        file.unlink()
    elif fault == "cut":
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    else:
        LexicalIndex.build(["one passage", "of another collection"]).save(tmp_path / "other")
        file.write_bytes((tmp_path / "other" / part).read_bytes())
    with pytest.raises(StoreCorrupted, match="index again"):
        LexicalIndex.load(tmp_path)


def test_titles_must_be_as_many_as_texts() -> None:
    with pytest.raises(ValueError, match="4 texts with 1 titles"):
        LexicalIndex.build(TEXTS, ["one"])


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0, 2.0]), max_size=12), st.integers(-1, 14))
def test_best_is_the_head_of_a_stable_sort(values: list[float], k: int) -> None:
    expected = sorted(range(len(values)), key=lambda place: -values[place])[: max(k, 0)]
    assert best(np.array(values, dtype=np.float32), k).tolist() == expected
