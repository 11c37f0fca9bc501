"""Cross-encoders: scores are the model's own, and a long text is read to its end."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sentence_transformers")

from core.errors import DataMissing
from core.hf.cross_encoder import load_cross_encoder

TEXTS = ["the rash", "fever is the rash ?", "heart", "what is the bone ?"]


def direct(folder: Path, query: str, text: str) -> float:
    """The logit of one pair, by transformers alone."""
    import torch
    from transformers import AutoTokenizer, BertForSequenceClassification

    pair = AutoTokenizer.from_pretrained(folder)(query, text, return_tensors="pt")
    assert len(set(pair["token_type_ids"][0].tolist())) == 2
    model = BertForSequenceClassification.from_pretrained(folder).eval()
    with torch.inference_mode():
        return float(model(**pair).logits[0, 0])


def test_scores_are_the_models(cross_encoder: Path, home: Path) -> None:
    scores = load_cross_encoder(str(cross_encoder), home, 1).score("what is fever ?", TEXTS)
    assert scores.dtype == np.float32
    expected = [direct(cross_encoder, "what is fever ?", text) for text in TEXTS]
    np.testing.assert_allclose(scores, expected, atol=1e-5)
    assert len({round(score, 4) for score in expected}) == len(TEXTS)


def test_of_a_long_text_the_best_window_counts(cross_encoder: Path, home: Path) -> None:
    encoder = load_cross_encoder(str(cross_encoder), home, 1)
    words = "heart bone lens the is heart rash rash is the what what ? lens bone : fever the".split()
    parts = [" ".join(words[:9]), " ".join(words[9:])]
    assert encoder.max_tokens == 16
    best = encoder.score("is fever ?", [" ".join(words)])
    assert best == pytest.approx(encoder.score("is fever ?", parts).max(), abs=1e-5)


def test_a_long_query_leaves_room_for_the_text(cross_encoder: Path, home: Path) -> None:
    encoder = load_cross_encoder(str(cross_encoder), home, 1)
    scores = encoder.score("fever " * 100, ["rash", "heart"])
    assert np.isfinite(scores).all()
    assert scores[0] != scores[1]


def test_no_texts_and_one_bare_text(cross_encoder: Path, home: Path) -> None:
    encoder = load_cross_encoder(str(cross_encoder), home, 1)
    assert encoder.score("fever", []).shape == (0,)
    with pytest.raises(TypeError, match="list"):
        encoder.score("fever", "rash")


def test_a_model_without_a_score_is_refused(bert: Path, home: Path) -> None:
    with pytest.raises(DataMissing, match="no cross-encoder"):
        load_cross_encoder(str(bert), home, 1)
