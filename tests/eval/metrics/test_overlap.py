"""BLEU, METEOR and ROUGE against the libraries that define them, and texts that those cannot read."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.tokenize import wordpunct_tokenize
from nltk.translate.meteor_score import single_meteor_score
from rouge_score.rouge_scorer import RougeScorer
from sacrebleu import sentence_bleu

from eval.metrics.exact import exact_match, token_f1
from eval.metrics.rouge import common_subsequence, rouge
from eval.metrics.tokens import words
from eval.metrics.translation import bleu4, meteor

ANSWER = "Metformin lowers the glucose that the liver makes, and it is taken with a meal twice a day."
REFERENCE = "Metformin is taken twice a day with a meal; it lowers the glucose that the liver makes."
WORDS = st.lists(st.sampled_from("the a liver Liver makes glucose 5.5 mg daily, naïve β-cells.".split()), max_size=25)
TEXTS = WORDS.map(" ".join)


class NoWordNet:
    """nltk's own matching without synonyms."""

    def synsets(self, word: str) -> list[object]:
        return []


def slow_subsequence(first: list[str], second: list[str]) -> int:
    table = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for i, j in product(range(len(first)), range(len(second))):
        same = first[i] == second[j]
        table[i + 1][j + 1] = table[i][j] + 1 if same else max(table[i][j + 1], table[i + 1][j])
    return table[-1][-1]


@given(st.lists(st.sampled_from("abcd"), max_size=80), st.lists(st.sampled_from("abcde"), max_size=80))
def test_bits_count_the_longest_common_subsequence(first: list[str], second: list[str]) -> None:
    assert common_subsequence(first, second) == slow_subsequence(first, second)


@given(TEXTS | st.text(max_size=60), st.lists(TEXTS | st.text(max_size=60), min_size=1, max_size=3))
def test_rouge_is_what_rouge_score_says(answer: str, references: list[str]) -> None:
    theirs = RougeScorer(["rouge1", "rouge2", "rougeL"]).score_multi(references, answer)
    expected = {
        f"{kind}_{ours}": getattr(score, their)
        for kind, score in theirs.items()
        for ours, their in (("p", "precision"), ("r", "recall"), ("f1", "fmeasure"))
    }
    assert rouge(answer, references, "en") == pytest.approx(expected, abs=1e-12)


@given(TEXTS, st.lists(TEXTS, min_size=1, max_size=3))
def test_bleu_is_what_sacrebleu_says_without_smoothing(answer: str, references: list[str]) -> None:
    theirs = sentence_bleu(answer, references, smooth_method="none", use_effective_order=False)
    assert bleu4(answer, references, "en") == pytest.approx(theirs.score / 100, abs=1e-12)


@given(TEXTS, TEXTS)
def test_meteor_is_what_nltk_says_without_synonyms(answer: str, reference: str) -> None:
    told, said = wordpunct_tokenize(reference), wordpunct_tokenize(answer)
    assert meteor(answer, [reference], "en") == pytest.approx(single_meteor_score(told, said, wordnet=NoWordNet()))


def test_an_answer_that_is_the_reference_has_it_all() -> None:
    assert bleu4(ANSWER, [REFERENCE, ANSWER], "en") == pytest.approx(1.0)
    assert set(rouge(ANSWER, [REFERENCE, ANSWER], "en").values()) == {1.0}
    assert meteor(ANSWER, [REFERENCE, ANSWER], "en") > 0.99


@pytest.mark.parametrize("text", ["", "…", "?!"])
def test_what_says_nothing_scores_nothing(text: str) -> None:
    assert bleu4(text, [REFERENCE], "en") == 0.0
    assert meteor(text, [REFERENCE], "en") == 0.0
    assert set(rouge(text, [REFERENCE], "en").values()) == {0.0}
    assert set(rouge(ANSWER, [text], "it").values()) == {0.0}


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("L'insulina è dell’ospedale.", "it", ["l", "insulina", "è", "dell", "ospedale"]),
        ("e\u0300 più", "it", ["è", "più"]),
        ("मधुमेह रोग", "hi", ["मधुमेह", "रोग"]),
        ("糖尿病 2型", "zh", ["糖", "尿", "病", "2", "型"]),
        ("naïve β-cells", "en", ["na", "ve", "cells"]),  # as rouge-score has it
        ("Инсулин снижает", "ru", ["инсулин", "снижает"]),
    ],
)
def test_words_of_every_script(text: str, language: str, expected: list[str]) -> None:
    assert words(text, language) == expected


def test_italian_is_compared_word_by_word_and_by_its_own_stems() -> None:
    said, told = "L'insulina è somministrata dall'ospedale", "l’insulina è somministrato dall’ospedale"
    assert rouge(said, [told], "it")["rouge1_f1"] == pytest.approx(5 / 6)
    assert meteor(said, [told], "it") > meteor(said, [told], "xx")
    assert bleu4("Prende l'insulina: «rapida», ogni giorno.", ["Prende l'insulina: «rapida», ogni giorno."], "it") == (
        pytest.approx(1.0)
    )


def test_exact_match_looks_past_case_articles_and_punctuation() -> None:
    assert exact_match("The liver.", ["a liver", "kidney"], "en") == 1.0
    assert exact_match("liver failure", ["liver"], "en") == 0.0
    assert exact_match("a fegato", ["fegato"], "it") == 0.0


def test_token_f1_of_a_worked_example() -> None:
    assert token_f1("the left main artery", "left artery", "en") == pytest.approx(2 * (2 / 3) / (2 / 3 + 1))
    assert token_f1("", "", "en") == 1.0
    assert token_f1("", "liver", "en") == 0.0
