"""The part that imports torch: folders to modules, windows to vectors and scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors import SafetensorError
from sentence_transformers import SentenceTransformer
from sentence_transformers.base.modules import Transformer
from sentence_transformers.sentence_transformer.modules import Pooling
from transformers import AutoModelForSequenceClassification, AutoTokenizer
from transformers.utils import logging

from core.errors import DataMissing
from core.hf.recipes import Recipe
from core.hf.tokens import Tokens, Window

LONGEST = 512
"""Tokens at once where neither the model nor its tokenizer has a bound, as with T5's relative positions."""
_UNBOUNDED = 100_000


def load_modules(name: str, folder: Path, recipe: Recipe, threads: int) -> tuple[SentenceTransformer, Tokens, Recipe]:
    """Load an encoder; the recipe comes back with what the model's own configuration had to add."""
    if recipe.pooling == "own" and not (folder / "modules.json").is_file():
        recipe = replace(recipe, pooling="mean")
    with _loading(name, folder, threads):
        model = _encoder(folder, recipe)
    model.set_pooling_include_prompt(recipe.instruction_pooled)
    first = model[0]
    if not isinstance(first, Transformer) or not getattr(first.tokenizer, "is_fast", False):
        raise DataMissing(f"{name} does not read tokens with a transformer: name a text encoder for MEDATTEST_EMBEDDER")
    query = recipe.query if recipe.query is not None else model.prompts.get("query", "")
    given = (model.prompts.get(key) for key in ("document", "passage"))
    passage = recipe.passage if recipe.passage is not None else next(filter(None, given), "")
    tokens = Tokens(first.tokenizer.backend_tokenizer, _limit(first.model, first.tokenizer))
    return model.eval(), tokens, replace(recipe, query=query, passage=passage)


def run_modules(model: SentenceTransformer, batch: Sequence[Window]) -> NDArray[np.float32]:
    """Vectors of windows that have one instruction (windows by dimensions), as the model's modules give them."""
    features = _features(batch, model[0].tokenizer.pad_token_id or 0, model.device)
    features.pop("token_type_ids")  # one text a window: all of the first type, which is what models assume
    with torch.inference_mode():
        found = model(features | {"prompt_length": batch[0].instruction})["sentence_embedding"]
    vectors: NDArray[np.float32] = found.float().cpu().numpy()
    return vectors


def run_encoder(model: SentenceTransformer, batch: Sequence[Window]) -> NDArray[np.float32]:
    """The last layer's vectors of windows (windows by tokens by dimensions), before the pooling."""
    features = _features(batch, model[0].tokenizer.pad_token_id or 0, model.device)
    features.pop("token_type_ids")
    with torch.inference_mode():
        found = model[0](features)["token_embeddings"]
    states: NDArray[np.float32] = found.float().cpu().numpy()
    return states


def load_classifier(name: str, folder: Path, threads: int) -> tuple[Any, Any, Tokens]:
    """Load a cross-encoder: the model, its tokenizer, and that tokenizer as `Tokens`."""
    with _loading(name, folder, threads):
        model, report = AutoModelForSequenceClassification.from_pretrained(
            folder, **_SAFE, use_safetensors=True, dtype=torch.float32, output_loading_info=True
        )
        tokenizer = AutoTokenizer.from_pretrained(folder, **_SAFE)
    if report["missing_keys"] or model.config.num_labels != 1:
        raise DataMissing(f"{folder} is no cross-encoder with one score: name one, such as ms-marco-MiniLM-L-6-v2")
    tokens = Tokens(tokenizer.backend_tokenizer, _limit(model.base_model, tokenizer))
    return model.to(_device()).eval(), tokenizer, tokens


def run_classifier(model: Any, tokenizer: Any, batch: Sequence[Window]) -> NDArray[np.float32]:
    """Logits of windows (windows)."""
    features = _features(batch, tokenizer.pad_token_id or 0, model.device)
    if "token_type_ids" not in tokenizer.model_input_names:
        features.pop("token_type_ids")
    with torch.inference_mode():
        found = model(**features).logits[:, 0]
    scores: NDArray[np.float32] = found.float().cpu().numpy()
    return scores


_SAFE = {"local_files_only": True, "trust_remote_code": False}


@contextmanager
def _loading(name: str, folder: Path, threads: int) -> Iterator[None]:
    torch.set_num_threads(threads)
    logging.disable_progress_bar()
    try:
        yield
    except (OSError, ValueError, KeyError, TypeError, RuntimeError, ImportError, SafetensorError) as error:
        raise DataMissing(f"{name} cannot be loaded from {folder} ({error}): put a whole model there") from error


def _encoder(folder: Path, recipe: Recipe) -> SentenceTransformer:
    weights = {"use_safetensors": True, "dtype": torch.float32}
    reading = {"do_lower_case": False} if recipe.cased else {}
    if recipe.pooling == "own":
        return SentenceTransformer(
            str(folder), device=_device(), **_SAFE, model_kwargs=weights, processor_kwargs=reading or None
        )
    first = Transformer(
        str(folder), model_kwargs=_SAFE | weights, processor_kwargs=_SAFE | reading, config_kwargs=_SAFE
    )
    pooling = Pooling(first.get_embedding_dimension(), recipe.pooling)
    return SentenceTransformer(modules=[first, pooling], device=_device())


def _device() -> str:
    return "cuda" if torch.cuda.is_available() else "cpu"


def _limit(model: Any, tokenizer: Any) -> int:
    """Tokens that the model reads at once.

    RoBERTa and its kin number positions from behind the padding's index, so their table holds fewer than its length.
    """
    positions: int = getattr(model.config, "max_position_embeddings", None) or _UNBOUNDED
    unused = getattr(getattr(model, "embeddings", None), "padding_idx", None)
    if unused is not None:
        positions -= int(unused) + 1
    limit = min(positions, int(tokenizer.model_max_length))
    return limit if limit < _UNBOUNDED else LONGEST


def _features(batch: Sequence[Window], padding: int, device: Any) -> dict[str, Any]:
    """Ids, mask and segment types of windows, filled up to the longest of them (each windows by tokens)."""
    shape = (len(batch), max(1, *(len(window.ids) for window in batch)))
    ids, mask, types = np.full(shape, padding, np.int64), np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    for row, window in enumerate(batch):
        ids[row, : len(window.ids)] = window.ids
        mask[row, : max(1, len(window.ids))] = 1
        types[row, : len(window.ids)] = window.types
    arrays = {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}
    return {key: torch.from_numpy(array).to(device) for key, array in arrays.items()}
