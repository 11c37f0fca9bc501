"""Bi-encoders by name, through sentence-transformers, each read as its paper reads it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.errors import DataMissing
from core.hf.folders import model_folder, require_extra, weights
from core.hf.recipes import ModelName, Recipe, recipe_for
from core.hf.tokens import Tokens, Window, batches
from core.memo import VectorMemo
from core.wheel import fingerprint

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

MEMO_TEXTS, MEMO_CHARS = 4096, 400


def load_encoder(name: str, home: Path, threads: int, recipe: Recipe | None = None) -> HubEncoder:
    """Load an encoder: a folder, a name under ``models`` in the data directory, or a name on the hub.

    ``#cls``, ``#mean`` or ``#own`` at the end of the name says how token vectors become one; a recipe given replaces
    the table's. A model that is nowhere on this machine is downloaded, unless the hub is offline (HF_HUB_OFFLINE=1).

    Raises:
        DataMissing: the hf extra or the model is not there, or the model is not one that can be read safely.
    """
    require_extra(name)
    from core.hf.loading import load_modules

    asked = ModelName.parse(name)
    folder = model_folder(asked.name, home)
    recipe = recipe or recipe_for(asked)
    model, tokens, recipe = load_modules(asked.name, folder, recipe, threads)
    shown = str(folder) if Path(asked.name).expanduser().is_dir() else asked.name
    return HubEncoder(f"{shown}#{recipe.pooling}@{_mark(folder, recipe)}", model, tokens, recipe)


class HubEncoder:
    """A transformer with its pooling: an `Embedder` that may read a question otherwise than a passage.

    A text beyond `max_tokens` is read in windows of equal length, each with the instruction, whose vectors are averaged
    by their tokens and normalised again.
    """

    def __init__(self, name: str, model: SentenceTransformer, tokens: Tokens, recipe: Recipe) -> None:
        """Take a loaded model; the recipe's instructions are known by now."""
        self.name = name
        self._model = model
        self._tokens = tokens
        self._query, self._passage = recipe.query or "", recipe.passage or ""
        longest = max(self._query, self._passage, key=lambda text: len(tokens.ids(text)))
        self.max_tokens = tokens.limit - len(tokens.ids(longest))
        if tokens.room(longest) < 1:
            raise DataMissing(f"{name} reads {tokens.limit} tokens at once, too few for its instruction: {longest!r}")
        self._memo = VectorMemo[str](MEMO_TEXTS, MEMO_CHARS)
        self.dimensions = self._run([*tokens.windows(0, "")]).shape[1]

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of passages (texts by dimensions), rows of norm 1; safe to call from several threads."""
        return self._encode(texts, self._passage)

    def encode_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of questions, read with the instruction that is for them (texts by dimensions), rows of norm 1."""
        return self._encode(texts, self._query)

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        """Where the model's tokens stand in the text, in code points; no special tokens, nothing cut off."""
        return self._tokens.spans(text)

    @property
    def tokens(self) -> Tokens:
        """How it parts a text."""
        return self._tokens

    def states(self, batch: Sequence[Window]) -> NDArray[np.float32]:
        """The last layer's vectors of windows (windows by tokens by dimensions), before the pooling."""
        from core.hf.loading import run_encoder

        return run_encoder(self._model, batch)

    def _encode(self, texts: Sequence[str], instruction: str) -> NDArray[np.float32]:
        if isinstance(texts, str):
            raise TypeError("encode takes a sequence of texts, not one text: put it into a list")
        instructed = [instruction + text for text in texts]
        vectors = self._memo.find(instructed)
        missing = [text for text in dict.fromkeys(texts) if instruction + text not in vectors]
        if missing:
            fresh = self._embed(missing, instruction)
            keys = [instruction + text for text in missing]
            self._memo.keep(keys, fresh)
            vectors.update(zip(keys, fresh, strict=True))
        rows = np.empty((len(texts), self.dimensions), dtype=np.float32)
        for place, text in enumerate(instructed):
            rows[place] = vectors[text]
        return rows

    def _embed(self, texts: Sequence[str], instruction: str) -> NDArray[np.float32]:
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        windows = [
            window for place, text in enumerate(texts) for window in self._tokens.windows(place, text, instruction)
        ]
        for batch in batches(windows):
            weight = np.array([[len(window.ids) - window.instruction] for window in batch], dtype=np.float32)
            np.add.at(vectors, [window.text for window in batch], weight * _unit(self._run(batch)))
        return _unit(vectors)

    def _run(self, batch: Sequence[Window]) -> NDArray[np.float32]:
        from core.hf.loading import run_modules

        return run_modules(self._model, batch)


def _unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    unit: NDArray[np.float32] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit


def _mark(folder: Path, recipe: Recipe) -> str:
    """Eight digits of the weights and how passages are read: the same name with others is another embedder."""
    reading = f"{fingerprint(weights(folder))} {replace(recipe, query=None)}"
    return hashlib.sha256(reading.encode()).hexdigest()[:8]
