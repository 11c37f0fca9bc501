"""The weights that a run begins with: the embedder's, those of another run, or those of a reader as it ships."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx.numpy_helper import to_array
from safetensors.torch import load_file

from eval.training.bert import Weights, stacked, with_head

_LAYER = re.compile(r"^encoder\.layer\.\d+\.")


def start_weights(
    model: Path, begun: Path | None, outputs: int, seed: int, layers: Sequence[int] | None = None
) -> Weights:
    """The embedder's weights with a fresh head; ``begun`` gives an encoder that has learnt already, maybe a deeper one.

    ``layers`` stacks copies of its layers.
    """
    weights = with_head(load_file(model / "model.safetensors"), outputs, seed)
    if begun is not None:
        known = shipped(begun) if begun.suffix == ".onnx" else load_file(begun)
        like = {name: weights.get(_LAYER.sub("encoder.layer.0.", name)) for name in known}
        weights |= {n: w for n, w in known.items() if (one := like[n]) is not None and one.shape == w.shape}
    return stacked(weights, layers) if layers else weights


def shipped(file: Path) -> Weights:
    """The weights of a reader as it ships: those of a matrix are as exact as seven bits are."""
    constants = {one.name: to_array(one) for one in onnx.load(file).graph.initializer}
    found = {}
    for name, value in constants.items():
        if name.endswith(".matrix_quantized"):
            stem = name.removesuffix("_quantized")
            exact = (value.astype(np.float32) - constants[f"{stem}_zero_point"]) * constants[f"{stem}_scale"]
            found[f"{stem.removesuffix('.matrix')}.weight"] = exact.T
        elif name.endswith(".self.bias"):
            parts = zip(("query", "key", "value"), np.split(value, 3), strict=True)
            found |= {f"{name.removesuffix('bias')}{part}.bias": own for part, own in parts}
        else:
            found[name] = value
    return {name: torch.from_numpy(np.array(value)) for name, value in found.items()}
