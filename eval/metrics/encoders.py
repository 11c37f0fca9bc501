"""Encoders token by token: what the last layer says, before the pooling makes one vector of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from core.embeddings import Matrix
from core.hf.tokens import Tokens, Window, batches
from core.minilm import open_session
from core.minilm_onnx import DIMENSIONS, LAYERS, MAX_TOKENS, NAME, model_folder, onnx_path, write_onnx
from eval.metrics.scorers import TokenVectors

_LAST_LAYER = f"encoder.layer.{LAYERS - 1}.output.norm"


class TokenReader:
    """A `TokenEncoder`; a longer text than the model reads at once is read in windows, with special tokens each."""

    def __init__(self, name: str, tokens: Tokens, states: Callable[[Sequence[Window]], Matrix]) -> None:
        """Take what parts a text, and what gives the vectors of windows (windows by tokens by dimensions)."""
        self.name = name
        self._tokens = tokens
        self._states = states

    def tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        """Every text's vectors, in order; equal texts are read once."""
        different = list(dict.fromkeys(texts))
        windows = [window for place, text in enumerate(different) for window in self._tokens.windows(place, text)]
        read: dict[int, Matrix] = {}
        for batch in batches(windows):
            for window, vectors in zip(batch, self._states(batch), strict=True):
                read[id(window)] = vectors[: len(window.ids)]
        inside: list[list[Matrix]] = [[] for _ in different]
        for window in windows:
            inside[window.text].append(read[id(window)])
        found = {text: self._labelled(text, own) for text, own in zip(different, inside, strict=True)}
        return [found[text] for text in texts]

    def _labelled(self, text: str, windows: Sequence[Matrix]) -> TokenVectors:
        """The windows one after the other, each token with its word."""
        words, labels, start = self._tokens.words(text), list[int](), 0
        before, after = self._tokens.edges
        for vectors in windows:
            inner = len(vectors) - before - after
            labels += [*[-1] * before, *words[start : start + inner], *[-1] * after]
            start += inner
        return TokenVectors(np.concatenate(windows), np.array(labels, dtype=np.int64))


def minilm_tokens(home: Path, threads: int) -> TokenReader:
    """The embedded MiniLM, built in the data directory at first use; errors as ``MiniLM.load``."""
    import onnx

    path = onnx_path(home)
    model = onnx.load(path if path.is_file() else write_onnx(home))
    shape: list[str | int | None] = ["texts", "tokens", DIMENSIONS]
    model.graph.output.append(onnx.helper.make_tensor_value_info(_LAST_LAYER, onnx.TensorProto.FLOAT, shape))
    session = open_session(model.SerializeToString(), threads)

    def states(batch: Sequence[Window]) -> Matrix:
        ids = np.zeros((len(batch), max(len(window.ids) for window in batch)), dtype=np.int32)
        mask = np.zeros_like(ids)
        for row, window in enumerate(batch):
            ids[row, : len(window.ids)] = window.ids
            mask[row, : len(window.ids)] = 1
        hidden: Matrix = session.run([_LAST_LAYER], {"ids": ids, "mask": mask})[0]
        return hidden

    tokenizer = Tokenizer.from_file(str(model_folder() / "tokenizer.json"))
    return TokenReader(NAME, Tokens(tokenizer, MAX_TOKENS), states)
