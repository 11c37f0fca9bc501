from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from safetensors.torch import save_file  # noqa: E402
from tokenizers import Tokenizer  # noqa: E402

from core.bert_onnx import depth  # noqa: E402
from core.minilm_onnx import model_folder  # noqa: E402
from core.readers.pairs import PairTokenizer  # noqa: E402
from core.readers.reader import FOLDER  # noqa: E402
from eval.training.examples import ROOM, Example, batches, epoch, read_files, runs_of  # noqa: E402
from eval.training.export import reader_of  # noqa: E402
from eval.training.starting import start_weights  # noqa: E402
from eval.training.train import loss_of, outputs_of  # noqa: E402


def examples(lists: Sequence[int | None]) -> list[Example]:
    return [Example([101, 7, 102] + [9] * n, 1, float(n % 2), of) for n, of in enumerate(lists)]


def test_lists_stay_whole_and_nothing_is_lost() -> None:
    made = examples([0] * 5 + [None] * 9 + [1] * 4 + [2] * 4)
    found = batches(made, 8, 1)
    assert sorted(len(e.ids) for batch in found for e in batch) == sorted(len(e.ids) for e in made)
    for name in (0, 1, 2):
        assert sum(any(e.list == name for e in batch) for batch in found) == 1


def test_an_epoch_draws_whole_lists_of_each_file_anew() -> None:
    files = [examples([0] * 5 + [1] * 4 + [2] * 4 + [3] * 3), examples([None] * 8)]
    assert epoch(files, [], 1) == files[0] + files[1]
    drawn = epoch(files, [0.5, 1.0], 1)
    lists = {e.list for e in drawn} - {None}
    assert len(lists) == 2
    assert len(runs_of(drawn)) == 2 + 8
    assert any({e.list for e in epoch(files, [0.5, 1.0], seed)} - {None} != lists for seed in range(2, 9))


def test_lists_of_two_files_are_never_one(tmp_path: Path) -> None:
    for name in "ab":
        lines = [{"question": "q", "passage": f"{name}{n}", "label": n % 2, "list": n // 2} for n in range(4)]
        (tmp_path / name).write_text("".join(json.dumps(line) + "\n" for line in lines))
    tokenizer = PairTokenizer(Tokenizer.from_file(str(model_folder() / "tokenizer.json")), ROOM["answering"])
    first, second = read_files([tmp_path / "a", tmp_path / "b"], "answering", tokenizer)
    assert {e.list for e in first}.isdisjoint({e.list for e in second})
    assert len(runs_of(first + second)) == 4


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
    tokenizer = PairTokenizer(Tokenizer.from_file(str(model_folder() / "tokenizer.json")), ROOM["answering"])
    with torch.no_grad():
        found = outputs_of(weights, [Example(*tokenizer.ids(*pair), 0.0) for pair in pairs])[:, 0].numpy()
    as_it_runs = reader_of(file.read_bytes(), model_folder(), ROOM["answering"]).outputs(pairs)[:, 0]
    assert np.abs(found - as_it_runs).max() < 1, "seven bits a weight, and eight of what flows between"
    assert found[0] > 0 > found[1]


def test_a_deeper_encoder_reads_nearly_as_the_one_that_it_copies(tmp_path: Path) -> None:
    began = FOLDER / "entailment.onnx"
    plain = start_weights(model_folder(), began, 3, 1)
    layers = [*range(depth(plain)), depth(plain) - 1]
    deeper = start_weights(model_folder(), began, 3, 1, layers)
    assert depth(deeper) == len(layers)
    pair = "aspirin cures gout", "Aspirin does not cure gout."
    read = [Example(*PairTokenizer(tokenizer_of_model(), ROOM["entailment"]).ids(*pair), 0.0)]
    with torch.no_grad():
        assert outputs_of(deeper, read).argmax() == outputs_of(plain, read).argmax()
    save_file({name: weight.contiguous() for name, weight in deeper.items()}, tmp_path / "deeper.safetensors")
    again = start_weights(model_folder(), tmp_path / "deeper.safetensors", 3, 2)
    assert all(torch.equal(again[name], weight) for name, weight in deeper.items())


def test_a_coarse_product_is_near_the_exact_one_and_passes_the_gradient() -> None:
    weights = start_weights(model_folder(), FOLDER / "entailment.onnx", 3, 1)
    name = "encoder.layer.0.output.dense.weight"
    weights[name] = weights[name].clone().requires_grad_()
    read = [
        Example(*PairTokenizer(tokenizer_of_model(), ROOM["entailment"]).ids("gout hurts", "Gout is painful."), 0.0)
    ]
    exact, coarse = outputs_of(weights, read), outputs_of(weights, read, rounded=True)
    assert 0 < float((exact - coarse).abs().detach().mean()) < 1
    coarse.sum().backward()
    assert float(weights[name].grad.abs().sum()) > 0


def tokenizer_of_model() -> Tokenizer:
    return Tokenizer.from_file(str(model_folder() / "tokenizer.json"))
