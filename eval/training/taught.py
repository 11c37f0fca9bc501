"""Softens the labels of pairs by what several readers say of them: what those taught teaches one (Hinton et al., 2015).

A label becomes ``--hard`` of itself and the rest of the teachers' mean: of one output the chance by their mean log-odds,
of several the mean of their chances. Needs torch, which the product does not.

    python -m eval.training.taught --pairs p.jsonl --task answering --model MODEL_FOLDER --teachers a.safetensors b.safetensors --out q.jsonl
"""  # noqa: E501

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import torch
from tokenizers import Tokenizer

from core.readers.pairs import PairTokenizer
from eval.training.bert import Weights
from eval.training.examples import LABELS, ROOM, TASKS, Example, read_examples
from eval.training.starting import start_weights
from eval.training.train import outputs_of

HARD = 0.4
"""How much of a label stays."""
BATCH = 256


def said_by(weights: Weights, examples: Sequence[Example]) -> torch.Tensor:
    """A reader's outputs, pairs by outputs, in the order of the pairs."""
    order = sorted(range(len(examples)), key=lambda place: len(examples[place].ids))
    places = [order[start : start + BATCH] for start in range(0, len(order), BATCH)]
    with torch.no_grad():
        rows = torch.cat([outputs_of(weights, [examples[place] for place in batch]).float().cpu() for batch in places])
    return rows[torch.tensor(order).argsort()]


def softened(examples: Sequence[Example], said: Sequence[torch.Tensor], hard: float) -> list[float] | list[list[float]]:
    """The new labels: of one output a chance, of several the chance of each."""
    if said[0].shape[1] == 1:
        chances = torch.stack(list(said)).mean(0)[:, 0].sigmoid()
        own = torch.tensor([e.label for e in examples])
        one: list[float] = (hard * own + (1 - hard) * chances).tolist()
        return one
    mean = torch.stack([outputs.softmax(1) for outputs in said]).mean(0)
    classes = torch.eye(mean.shape[1])[[int(e.label) for e in examples]]  # type: ignore[arg-type]
    several: list[list[float]] = (hard * classes + (1 - hard) * mean).tolist()
    return several


def main() -> None:
    """Write the pairs with their new labels, in their order."""
    parser = argparse.ArgumentParser(description="Soften the labels of pairs by what several readers say.")
    parser.add_argument("--pairs", type=Path, required=True)
    parser.add_argument("--task", choices=tuple(TASKS), required=True)
    parser.add_argument("--model", type=Path, required=True, help="the data wheel's folder `model`")
    parser.add_argument("--teachers", type=Path, nargs="+", required=True, help="their weights.safetensors, or .onnx")
    parser.add_argument("--hard", type=float, default=HARD, help="how much of a label stays")
    parser.add_argument("--device", default="cpu", help="where to read: cpu or cuda")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    tokenizer = PairTokenizer(Tokenizer.from_file(str(given.model / "tokenizer.json")), ROOM[given.task])
    examples = read_examples(given.pairs, given.task, tokenizer)
    outputs = 1 if given.task == "answering" else len(LABELS)
    said = []
    for file in given.teachers:
        weights = start_weights(given.model, file, outputs, 0)
        said.append(said_by({name: value.to(given.device) for name, value in weights.items()}, examples))
    labels = softened(examples, said, given.hard)
    with given.pairs.open(encoding="utf-8") as pairs, given.out.open("w", encoding="utf-8") as out:
        for line, label in zip(pairs, labels, strict=True):
            out.write(json.dumps({**json.loads(line), "label": label}, ensure_ascii=False) + "\n")
    print(f"{len(labels):,} pairs, {len(said)} teachers")


if __name__ == "__main__":
    main()
