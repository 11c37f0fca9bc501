"""Teaches the encoder the language of medical texts before it learns to read pairs: it guesses the words left out.

Of every run of tokens a drawn share is to be guessed: most are masked, some exchanged, some left (Devlin et al., 2019). Only
layers learn; the embeddings stay the embedder's and are also what a guess is compared with. What is written is a start for
``eval.training.train --begin``. Needs torch, which the product does not.

    python -m eval.training.masked --texts texts.txt --model MODEL_FOLDER --layers 0 0 1 1 2 2 3 3 4 5 --out start.safetensors
"""  # noqa: E501

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import save_file
from tokenizers import Tokenizer
from torch.nn import functional

from core.bert_onnx import depth
from eval.training.bert import EPSILON, WIDTH, Weights, embed, encode, trained_names
from eval.training.descent import Descent
from eval.training.starting import start_weights

RUN = 128
"""Tokens that are read together."""
GUESSED, MASKED, EXCHANGED = 0.15, 0.8, 0.1
MASK, FIRST_WORD, WORDS = 103, 1996, 30522
"""Token ids of the embedder's vocabulary: [MASK], the first whole word, and how many there are."""
_WORD = "embeddings.word_embeddings.weight"


def runs(tokens: list[list[int]], first: int, last: int) -> NDArray[np.int64]:
    """All texts one after the other, in runs of RUN between [CLS] and [SEP]; what is left over is left out."""
    flat = np.array([token for text in tokens for token in text], dtype=np.int64)
    count = len(flat) // (RUN - 2)
    body = flat[: count * (RUN - 2)].reshape(count, RUN - 2)
    return np.pad(np.pad(body, ((0, 0), (1, 0)), constant_values=first), ((0, 0), (0, 1)), constant_values=last)


def hidden_words(ids: torch.Tensor, drawn: torch.Generator) -> tuple[torch.Tensor, torch.Tensor]:
    """The runs with words masked or exchanged, and which places are to be guessed."""
    chance = torch.rand(ids.shape, generator=drawn, device=ids.device)
    asked = chance < GUESSED
    asked[:, [0, -1]] = False
    how = torch.rand(ids.shape, generator=drawn, device=ids.device)
    other = torch.randint(FIRST_WORD, WORDS, ids.shape, generator=drawn, device=ids.device)
    changed = torch.where(how < MASKED, torch.full_like(ids, MASK), torch.where(how < MASKED + EXCHANGED, other, ids))
    return torch.where(asked, changed, ids), asked


def guess_loss(weights: Weights, ids: torch.Tensor, drawn: torch.Generator) -> torch.Tensor:
    """The mean cross-entropy of the words left out."""
    shown, asked = hidden_words(ids, drawn)
    with torch.no_grad():
        embedded = embed(weights, shown, torch.zeros_like(ids))
    read = encode(weights, embedded, torch.ones_like(ids), range(depth(weights)))[asked]
    turned = functional.gelu(functional.linear(read, weights["head.guess.weight"], weights["head.guess.bias"]))
    scaled = functional.layer_norm(turned, (WIDTH,), weights["head.norm.weight"], weights["head.norm.bias"], EPSILON)
    odds = functional.linear(scaled, weights[_WORD], weights["head.words.bias"])
    return functional.cross_entropy(odds.float(), ids[asked])


def started(weights: Weights, seed: int) -> Weights:
    """The encoder with a head that guesses words in place of the one that reads pairs."""
    drawn = torch.Generator().manual_seed(seed)
    encoder = {name: weight for name, weight in weights.items() if not name.startswith("head.")}
    return encoder | {
        "head.guess.weight": torch.eye(WIDTH) + torch.randn(WIDTH, WIDTH, generator=drawn) * 0.02,
        "head.guess.bias": torch.zeros(WIDTH),
        "head.norm.weight": torch.ones(WIDTH),
        "head.norm.bias": torch.zeros(WIDTH),
        "head.words.bias": torch.zeros(WORDS),
    }


def learn(weights: Weights, blocks: torch.Tensor, given: argparse.Namespace) -> None:
    """Guess over the runs, drawn anew each pass, for so many steps."""
    descent = Descent(weights, trained_names(weights, 0), given.rate, given.steps)
    drawn = torch.Generator(device=given.device).manual_seed(given.seed)
    order = torch.Generator().manual_seed(given.seed)
    places = torch.empty(0, dtype=torch.long)
    for step in range(given.steps):
        if len(places) < given.batch:
            places = torch.randperm(len(blocks), generator=order)
        batch, places = blocks[places[: given.batch]].to(given.device), places[given.batch :]
        with torch.autocast(given.device, torch.bfloat16, enabled=given.half):
            loss = guess_loss(weights, batch, drawn)
        descent.move(loss)
        if step % 100 == 0 or step + 1 == given.steps:
            print(f"step {step + 1} of {given.steps}, loss {float(loss.detach()):.3f}", flush=True)


def main() -> None:
    """Learn, and write the encoder's layers."""
    parser = argparse.ArgumentParser(description="Teach the encoder to guess words left out.")
    parser.add_argument("--texts", type=Path, required=True, help="a text a line")
    parser.add_argument("--model", type=Path, required=True, help="the data wheel's folder `model`")
    parser.add_argument("--layers", type=int, nargs="+", help="begin with copies of these layers, in this order")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--half", action="store_true", help="multiply in bfloat16")
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--rate", type=float, default=4e-4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    tokenizer = Tokenizer.from_file(str(given.model / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    texts = given.texts.read_text(encoding="utf-8").splitlines()
    first, last = tokenizer.encode("").ids
    blocks = runs([one.ids for one in tokenizer.encode_batch_fast(texts, add_special_tokens=False)], first, last)
    print(f"{len(blocks):,} runs of {RUN} tokens", flush=True)
    began = started(start_weights(given.model, None, 1, given.seed, given.layers), given.seed)
    weights = {name: value.to(given.device) for name, value in began.items()}
    learn(weights, torch.from_numpy(blocks), given)
    kept = [name for name in weights if name.startswith("encoder.layer.")]
    save_file({name: weights[name].detach().cpu().contiguous() for name in kept}, given.out)


if __name__ == "__main__":
    main()
