from __future__ import annotations

from argparse import Namespace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from core.minilm_onnx import model_folder  # noqa: E402
from eval.training.masked import GUESSED, MASK, RUN, guess_loss, hidden_words, learn, runs, started  # noqa: E402
from eval.training.starting import start_weights  # noqa: E402


def test_texts_are_joined_into_whole_runs() -> None:
    blocks = runs([[5] * 100, [6] * 100, [7] * 100], 101, 102)
    assert blocks.shape == (2, RUN)
    assert (blocks[:, 0] == 101).all()
    assert (blocks[:, -1] == 102).all()
    assert np.concatenate([blocks[0, 1:-1], blocks[1, 1:-1]]).tolist() == [5] * 100 + [6] * 100 + [7] * 52


def test_a_share_is_to_be_guessed_and_most_of_it_is_masked() -> None:
    ids = torch.full((400, RUN), 3000)
    shown, asked = hidden_words(ids, torch.Generator().manual_seed(1))
    assert float(asked[:, 1:-1].float().mean()) == pytest.approx(GUESSED, abs=0.01)
    assert not asked[:, [0, -1]].any()
    assert (shown[~asked] == 3000).all()
    assert float((shown[asked] == MASK).float().mean()) == pytest.approx(0.8, abs=0.02)
    assert float((shown[asked] == 3000).float().mean()) == pytest.approx(0.1, abs=0.02)


def test_what_was_hidden_is_guessed_better_after_learning() -> None:
    weights = started(start_weights(model_folder(), None, 1, 1, [0, 1]), 1)
    blocks = torch.from_numpy(runs([[2054 + place % 7 for place in range(1000)]], 101, 102))
    with torch.no_grad():
        before = float(guess_loss(weights, blocks, torch.Generator().manual_seed(3)))
    learn(weights, blocks, Namespace(rate=1e-3, steps=12, batch=4, seed=1, device="cpu", half=False))
    with torch.no_grad():
        after = float(guess_loss(weights, blocks, torch.Generator().manual_seed(3)))
    assert after < 0.7 * before
