"""The mean of two trained readers that began from the same weights: it reads what neither learnt more evenly than each.

Averaged weights of fine-tuned models are as good as an ensemble of them, at the cost of one (model soups; Wortsman et
al. 2022).

    python -m eval.training.average first.safetensors second.safetensors --share 0.35 --out weights.safetensors
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file


def average(first: dict[str, torch.Tensor], second: dict[str, torch.Tensor], share: float) -> dict[str, torch.Tensor]:
    """Every weight as ``share`` of the first and the rest of the second; ValueError where their names differ."""
    if first.keys() != second.keys():
        raise ValueError(f"these are no weights of the same graph: {sorted(first.keys() ^ second.keys())[:3]} differ")
    return {
        name: (share * first[name].float() + (1 - share) * weight.float()).to(weight.dtype).contiguous()
        for name, weight in second.items()
    }


def main() -> None:
    """Write the averaged weights."""
    parser = argparse.ArgumentParser(description="Average two trained readers.")
    parser.add_argument("first", type=Path)
    parser.add_argument("second", type=Path)
    parser.add_argument("--share", type=float, default=0.5, help="of the first")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    save_file(average(load_file(given.first), load_file(given.second), given.share), given.out)


if __name__ == "__main__":
    main()
