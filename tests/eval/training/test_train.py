from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from tokenizers import Tokenizer  # noqa: E402

from core.minilm_onnx import model_folder  # noqa: E402
from core.readers.pairs import PairTokenizer  # noqa: E402
from core.readers.reader import FOLDER  # noqa: E402
from eval.training.export import reader_of  # noqa: E402
from eval.training.train import Example, batches, loss_of, outputs_of, start_weights  # noqa: E402


def examples(lists: Sequence[int | None]) -> list[Example]:
    return [Example([101, 7, 102] + [9] * n, 1, float(n % 2), of) for n, of in enumerate(lists)]


def test_lists_stay_whole_and_nothing_is_lost() -> None:
    made = examples([0] * 5 + [None] * 9 + [1] * 4 + [2] * 4)
    found = batches(made, 8, 1)
    assert sorted(len(e.ids) for batch in found for e in batch) == sorted(len(e.ids) for e in made)
    for name in (0, 1, 2):
        assert sum(any(e.list == name for e in batch) for batch in found) == 1


def test_the_order_of_a_list_is_learnt_beside_its_single_pairs() -> None:
    listed = [Example([1], 1, 1.0, 0), Example([1], 1, 0.0, 0)]
    alone = [example._replace(list=None) for example in listed]
    right, wrong = torch.tensor([[2.0], [-2.0]]), torch.tensor([[-2.0], [2.0]])
    assert loss_of(right, listed) > loss_of(right, alone)
    assert loss_of(wrong, listed) - loss_of(wrong, alone) > loss_of(right, listed) - loss_of(right, alone)
    nothing = [example._replace(label=0.1) for example in listed]
    assert loss_of(right, nothing) == loss_of(right, [example._replace(list=None) for example in nothing])


def test_a_shipped_reader_is_begun_with() -> None:
    file = FOLDER / "answering.onnx"
    weights = start_weights(model_folder(), file, 1, 1)
    pairs = [("how is gout treated", "Gout is treated with colchicine."), ("how is gout treated", "Asthma is common.")]
    tokenizer = PairTokenizer(Tokenizer.from_file(str(model_folder() / "tokenizer.json")))
    with torch.no_grad():
        found = outputs_of(weights, [Example(*tokenizer.ids(*pair), 0.0) for pair in pairs])[:, 0].numpy()
    as_it_runs = reader_of(file.read_bytes(), model_folder()).outputs(pairs)[:, 0]
    assert np.abs(found - as_it_runs).max() < 1, "seven bits a weight, and eight of what flows between"
    assert found[0] > 0 > found[1]
