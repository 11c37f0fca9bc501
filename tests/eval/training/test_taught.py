from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from core.minilm_onnx import model_folder  # noqa: E402
from core.readers.reader import FOLDER  # noqa: E402
from eval.training.examples import Example  # noqa: E402
from eval.training.starting import start_weights  # noqa: E402
from eval.training.taught import said_by, softened  # noqa: E402
from eval.training.train import loss_of  # noqa: E402


def test_a_label_is_softened_by_what_the_teachers_say() -> None:
    examples = [Example([1], 1, 1.0), Example([1], 1, 0.0)]
    sure, unsure = torch.tensor([[20.0], [-20.0]]), torch.tensor([[-20.0], [20.0]])
    assert softened(examples, [sure], 0.4) == pytest.approx([1.0, 0.0], abs=1e-6)
    assert softened(examples, [sure, unsure], 0.4) == pytest.approx([0.7, 0.3])


def test_of_several_outputs_each_class_has_its_chance_and_is_learnt() -> None:
    examples = [Example([1], 1, 2)]
    labels = softened(examples, [torch.tensor([[0.0, 0.0, 30.0]]), torch.tensor([[30.0, 0.0, 0.0]])], 0.4)
    assert labels[0] == pytest.approx([0.3, 0.0, 0.7])
    soft = [examples[0]._replace(label=labels[0])]
    right, wrong = torch.tensor([[1.0, -9.0, 2.0]]), torch.tensor([[-9.0, 2.0, -9.0]])
    assert loss_of(right, soft) < loss_of(wrong, soft)


def test_what_a_reader_says_keeps_the_order_of_the_pairs() -> None:
    weights = start_weights(model_folder(), FOLDER / "answering.onnx", 1, 1)
    examples = [Example([101, *range(2000, 2000 + n), 102], 2, 0.0) for n in (9, 3, 30, 1)]
    together = said_by(weights, examples)
    alone = torch.cat([said_by(weights, [example]) for example in examples])
    assert torch.allclose(together, alone, atol=1e-3)
