"""Cross-encoders by name: a query and a text read together, for one score."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.hf.folders import model_folder, require_extra
from core.hf.tokens import Tokens, batches

if TYPE_CHECKING:
    from transformers import PreTrainedModel


def load_cross_encoder(name: str, home: Path, threads: int) -> CrossEncoder:
    """Load a cross-encoder: a folder, a name under ``models`` in the data directory, or a name on the hub.

    Raises:
        DataMissing: the hf extra or the model is not there, or the model is not one that can be read safely.
    """
    require_extra(name)
    from core.hf.loading import load_classifier

    return CrossEncoder(name, *load_classifier(name, model_folder(name, home), threads))


class CrossEncoder:
    """How well texts answer a query.

    Of a text that does not fit beside the query the best window counts (MaxP; Dai and Callan 2019). Of a query the
    tokens are read that fit into half of what the model reads at once: hypothetical documents are shorter.
    """

    def __init__(self, name: str, model: PreTrainedModel, tokenizer: Any, tokens: Tokens) -> None:
        """Take a loaded model with one score, and its tokenizer."""
        self.name = name
        self.max_tokens = tokens.limit
        self._model, self._tokenizer, self._tokens = model, tokenizer, tokens

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """Scores of the texts (texts), as the model's last layer gives them: unbounded, higher is better."""
        from core.hf.loading import run_classifier

        if isinstance(texts, str):
            raise TypeError("score takes a sequence of texts, not one text: put it into a list")
        scores = np.full(len(texts), -np.inf, dtype=np.float32)
        windows = [window for place, text in enumerate(texts) for window in self._tokens.pairs(place, query, text)]
        for batch in batches(windows):
            found = run_classifier(self._model, self._tokenizer, batch)
            np.maximum.at(scores, [window.text for window in batch], found)
        return scores
