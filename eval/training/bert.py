"""The embedder's encoder in torch, as functions over a dictionary of weights, with a head that reads two texts.

The embeddings stay as they are: they are not trained and not shipped again; a reader shares the embedder's. The head
reads the first token's vector beside the mean of all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import torch
from torch.nn import functional

from core.bert_onnx import depth

HEADS, WIDTH, EPSILON = 12, 384, 1e-12
COPIED = 0.3
WEIGHT_STEPS, INPUT_STEPS = 64, 255
"""What the int8 file of ``eval.training.export`` has on either side of 0, and for all that goes into a product."""
Weights = dict[str, torch.Tensor]


def stacked(weights: Weights, layers: Sequence[int]) -> Weights:
    """A deeper encoder whose layers are copies of these, in this order (depth up-scaling: Kim et al., 2024).

    What a layer's later copies add to their input counts ``COPIED``, so that the whole still reads nearly as before.
    """
    found = {name: weight for name, weight in weights.items() if not name.startswith("encoder.layer.")}
    for place, layer in enumerate(layers):
        mark, again = f"encoder.layer.{layer}.", layer in layers[:place]
        for name, weight in weights.items():
            if name.startswith(mark):
                adds = again and ".output.dense." in name
                own = weight * COPIED if adds else weight.clone()
                found[f"encoder.layer.{place}.{name.removeprefix(mark)}"] = own
    return found


def trained_names(weights: Mapping[str, torch.Tensor], frozen: int) -> list[str]:
    """The weights that training may change: the head's, and those of the layers above the frozen ones."""
    layers = tuple(f"encoder.layer.{layer}." for layer in range(frozen, depth(weights)))
    return [name for name in weights if name.startswith((*layers, "head."))]


def with_head(weights: Weights, outputs: int, seed: int) -> Weights:
    """The weights with a fresh head of so many outputs."""
    drawn = torch.Generator().manual_seed(seed)
    head = torch.randn(outputs, 2 * WIDTH, generator=drawn) * 0.02
    return {**weights, "head.weight": head, "head.bias": torch.zeros(outputs)}


def embed(weights: Weights, ids: torch.Tensor, segments: torch.Tensor) -> torch.Tensor:
    """Word plus place plus segment, normalised."""
    word = functional.embedding(ids, weights["embeddings.word_embeddings.weight"])
    place = weights["embeddings.position_embeddings.weight"][: ids.shape[1]]
    segment = functional.embedding(segments, weights["embeddings.token_type_embeddings.weight"])
    return _norm(weights, "embeddings.LayerNorm", word + place + segment)


def encode(
    weights: Weights, hidden: torch.Tensor, mask: torch.Tensor, layers: range, *, rounded: bool = False
) -> torch.Tensor:
    """Some of the encoder's layers, one after the other; ``rounded`` multiplies as coarsely as what ships."""
    shut = (1.0 - mask[:, None, None, :].to(hidden.dtype)) * -1e4
    for layer in layers:
        hidden = _layer(weights, f"encoder.layer.{layer}", hidden, shut, _rounded if rounded else _project)
    return hidden


def score(weights: Weights, hidden: torch.Tensor, mask: torch.Tensor, dropout: float = 0.0) -> torch.Tensor:
    """The head's outputs, pairs by outputs; ``dropout`` above 0 is for training."""
    kept = mask[:, :, None].to(hidden.dtype)
    read = torch.cat([hidden[:, 0], (hidden * kept).sum(1) / kept.sum(1)], dim=1)
    return functional.linear(functional.dropout(read, dropout), weights["head.weight"], weights["head.bias"])


def _layer(
    weights: Weights, name: str, hidden: torch.Tensor, shut: torch.Tensor, project: Callable[..., torch.Tensor]
) -> torch.Tensor:
    texts, tokens, _ = hidden.shape
    parts = [
        project(weights, f"{name}.attention.self.{part}", hidden).view(texts, tokens, HEADS, -1).transpose(1, 2)
        for part in ("query", "key", "value")
    ]
    context = functional.scaled_dot_product_attention(*parts, attn_mask=shut)
    joined = context.transpose(1, 2).reshape(texts, tokens, WIDTH)
    attended = project(weights, f"{name}.attention.output.dense", joined)
    hidden = _norm(weights, f"{name}.attention.output.LayerNorm", hidden + attended)
    wide = functional.gelu(project(weights, f"{name}.intermediate.dense", hidden))
    return _norm(weights, f"{name}.output.LayerNorm", hidden + project(weights, f"{name}.output.dense", wide))


def _project(weights: Weights, name: str, values: torch.Tensor) -> torch.Tensor:
    return functional.linear(values, weights[f"{name}.weight"], weights[f"{name}.bias"])


def _rounded(weights: Weights, name: str, values: torch.Tensor) -> torch.Tensor:
    """A projection whose matrix has seven bits a weight, each row its own scale, and whose input has eight."""
    matrix = weights[f"{name}.weight"]
    with torch.no_grad():
        step = matrix.abs().amax(1, keepdim=True).clamp_min(1e-9) / WEIGHT_STEPS
        low, high = values.min().clamp_max(0), values.max().clamp_min(0)
        width = ((high - low) / INPUT_STEPS).clamp_min(1e-9)
    return functional.linear(_to_grid(values, width), _to_grid(matrix, step), weights[f"{name}.bias"])


def _to_grid(values: torch.Tensor, step: torch.Tensor) -> torch.Tensor:
    """The nearest multiples of a step; the gradient passes as if nothing had been rounded (Bengio et al., 2013)."""
    return values + ((values / step).round() * step - values).detach()


def _norm(weights: Weights, name: str, values: torch.Tensor) -> torch.Tensor:
    return functional.layer_norm(values, (WIDTH,), weights[f"{name}.weight"], weights[f"{name}.bias"], EPSILON)
