"""The fit of the learned reader finds what it is taught, and never sees the texts that measure it."""

from __future__ import annotations

import json

import numpy as np
import pytest

from chains.safety import Kind
from chains.safety.learned import reader_from
from eval.experiments.safety import DATA, TRAINING, Text, read
from eval.experiments.safety_fit import (
    PRICE,
    Taught,
    content_of,
    fit,
    fit_multinomial,
    rates,
    training_texts,
    vocabulary,
)


def test_no_text_that_measures_takes_part_in_the_fit() -> None:
    fresh = {text.text.lower() for text in read(DATA) if text.part in ("fresh", "unread")}
    assert fresh
    assert not fresh & {text.text.lower() for text in training_texts()}


def test_the_training_texts_are_many_of_every_kind_and_half_of_them_harmless() -> None:
    texts = read(TRAINING)
    assert len({text.text.lower() for text in texts}) == len(texts) >= 1000
    assert 0.5 <= sum(not text.kinds for text in texts) / len(texts) <= 0.65
    for kind in ("emergency", "self_harm", "overdose", "poisoning", "personal_dose"):
        assert sum(kind in text.kinds for text in texts) >= 60


def test_the_regression_is_the_one_of_two_classes_where_there_is_one_kind() -> None:
    rng = np.random.default_rng(0)
    inputs = rng.normal(size=(400, 2))
    kinds = (inputs[:, :1] + rng.normal(size=(400, 1)) > 0.5).astype(float)
    slope_0, slope_1, intercept = fit_multinomial(inputs, kinds, np.ones(400), 1e-9)[0]
    p = 1 / (1 + np.exp(-(inputs @ [slope_0, slope_1] + intercept)))
    # At the maximum of the likelihood the residuals are orthogonal to every input; coefficients have two decimals.
    assert inputs.T @ (p - kinds[:, 0]) == pytest.approx([0, 0], abs=1)
    assert (p - kinds[:, 0]).sum() == pytest.approx(0, abs=1)


def test_a_reader_is_written_as_it_is_read() -> None:
    texts = Taught(np.eye(6), np.eye(6)[:, :5], np.array(["one"] * 6))
    reader = fit(texts, np.zeros((3, 6)), ("bleed", "faint"), 0.25)
    kinds: list[Kind] = ["emergency", "self_harm", "overdose", "poisoning", "personal_dose"]
    assert reader.odds(np.eye(6)[:5]).argmax(axis=1).tolist() == [0, 1, 2, 3, 4]
    again = reader_from(json.loads(content_of(reader, {"held_out": {"missed_both": 0.1}})))
    assert (list(again.kinds), again.words, again.threshold) == (kinds, ("bleed", "faint"), 0.25)
    assert np.array_equal(again.coefficients, reader.coefficients)


def test_words_are_learned_that_stand_in_several_texts() -> None:
    texts = [Text("one", text, frozenset()) for text in ("My arm bleeds", "an ARM", "Is it the arm?", "My leg")]
    assert vocabulary(texts) == ["arm"]


def test_the_threshold_lets_the_price_of_harmless_texts_through() -> None:
    alone = np.append(np.arange(100) / 100, [0.5, 0.95])
    dangerous = np.append(np.zeros(100, dtype=bool), [True, True])
    threshold, figures = rates({"both": alone}, dangerous)
    assert threshold == pytest.approx(1 - PRICE, abs=0.01)
    assert figures == {"missed_both": 0.5, "false_both": pytest.approx(PRICE, abs=0.01), "auc_both": 0.73}
