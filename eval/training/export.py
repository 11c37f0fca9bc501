"""Writes a trained reader as the int8 ONNX file that the product runs, with its data sheet, and prints what that costs.

python -m eval.training.export --weights runs/answering/weights.safetensors --name answering --held held.jsonl
"""

from __future__ import annotations

import argparse
import hashlib
import json
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnxruntime.quantization import QuantType, quantize_dynamic
from tokenizers import Tokenizer

from core.bert_onnx import BertGraph, Inputs, Weights, depth
from core.minilm import open_session
from core.minilm_onnx import DIMENSIONS, WEIGHTS_SHA256, map_weights, model_folder
from core.readers.pairs import PairTokenizer, titled
from core.readers.reader import FOLDER, Embeddings, Reader
from eval.metrics.classification import auc
from eval.training.examples import ROOM, TASKS


class ReaderGraph(BertGraph):
    """The encoder between embeddings that are looked up outside and a head over the first vector and the mean."""

    def build(self, name: str) -> Any:
        """From `embedded` (texts by tokens by 384) and `mask` to `outputs`."""
        from onnx import TensorProto

        hidden = self.node("LayerNormalization", ["embedded", *self.norm("embeddings.LayerNorm")], "hidden", axis=-1)
        for layer in range(depth(self.weights)):
            hidden = self.encode(hidden, f"encoder.layer.{layer}")
        self._head(hidden)
        inputs: Inputs = {
            "embedded": (TensorProto.FLOAT, ["texts", "tokens", DIMENSIONS]),
            "mask": (TensorProto.INT32, ["texts", "tokens"]),
        }
        return self.model(name, inputs, "outputs", len(self.weights["head.bias"]))

    def _head(self, hidden: str) -> None:
        axis = self.constant("axis", np.array([1], dtype=np.int64))
        first = self.constant("first", np.array([0], dtype=np.int64))
        self.node("Cast", ["mask"], "kept", to=1)
        self.node("Unsqueeze", ["kept", axis], "kept.row")
        self.node("MatMul", ["kept.row", hidden], "sum.row")
        self.node("Squeeze", ["sum.row", axis], "sum")
        self.node("ReduceSum", ["kept", axis], "count")
        self.node("Div", ["sum", "count"], "mean")
        self.node("Gather", [hidden, first], "front.row", axis=1)
        self.node("Squeeze", ["front.row", axis], "front")
        self.node("Concat", ["front", "mean"], "read", axis=1)
        matrix = self.constant("head.matrix", self.weights["head.weight"])
        self.node("Gemm", ["read", matrix, self.constant("head.bias", self.weights["head.bias"])], "outputs", transB=1)


def export(weights: Weights, name: str, target: Path) -> bytes:
    """Write the int8 file; the content of the float32 one, to compare with."""
    model = ReaderGraph(weights).build(name)
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "plain.onnx"
        plain.write_bytes(model.SerializeToString())
        # Seven bits a weight: eight overflow where a processor has no VNNI.
        quantize_dynamic(
            plain, target, op_types_to_quantize=["MatMul"], per_channel=True, reduce_range=True,
            weight_type=QuantType.QInt8, extra_options={"MatMulConstBOnly": True, "DefaultTensorType": 1},
        )  # fmt: skip
        return plain.read_bytes()


def reader_of(content: bytes, model: Path, room: int, threads: int = 2) -> Reader:
    """A reader of a file's content, which takes in so many tokens at once."""
    tokenizer = PairTokenizer(Tokenizer.from_file(str(model / "tokenizer.json")), room)
    return Reader(open_session(content, threads), tokenizer, Embeddings(model))


def figures(outputs: NDArray[np.float32], labels: Sequence[Any]) -> dict[str, float]:
    """What a reader reaches on pairs that it did not learn from."""
    if outputs.shape[1] > 1:
        classes = ("supported", "contradicted", "neither")
        right = [classes[place] == label for place, label in zip(outputs.argmax(1), labels, strict=True)]
        return {"accuracy": round(float(np.mean(right)), 4)}
    truth = np.array(labels)
    return {
        "auc": round(auc(truth, outputs[:, 0]), 4),
        "accuracy": round(float(((outputs[:, 0] > 0) == truth).mean()), 4),
    }


def main() -> None:
    """Export, compare, and write the data sheet."""
    parser = argparse.ArgumentParser(description="Write a trained reader as int8 ONNX.")
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--name", choices=tuple(TASKS), required=True)
    parser.add_argument("--held", type=Path, required=True, help="pairs to measure on")
    parser.add_argument("--scale", type=float, default=1.0, help="what the outputs are multiplied by")
    parser.add_argument("--shift", type=float, default=0.0, help="what is added to them then")
    parser.add_argument("--sheet", type=Path, help="JSON: what goes into the data sheet (data, licences, seed)")
    parser.add_argument("--folder", type=Path, default=FOLDER)
    given = parser.parse_args()
    model = model_folder()
    weights = {**map_weights(model / "model.safetensors"), **map_weights(given.weights)}
    head, bias = (weights[f"head.{part}"] * given.scale for part in ("weight", "bias"))
    weights = {**weights, "head.weight": head, "head.bias": bias + given.shift}
    target = given.folder / f"{given.name}.onnx"
    plain = export(weights, given.name, target)
    held = [json.loads(line) for line in given.held.read_text(encoding="utf-8").splitlines()]
    pairs = [(p[TASKS[given.name]], titled(p.get("title") or "", p["passage"])) for p in held]
    labels = [p["label"] for p in held]
    exact = reader_of(plain, model, ROOM[given.name]).outputs(pairs)
    began = time.perf_counter()
    small = reader_of(target.read_bytes(), model, ROOM[given.name]).outputs(pairs)
    cost = 1000 * (time.perf_counter() - began) / len(pairs)
    content = target.read_bytes()
    sheet = {
        **(json.loads(given.sheet.read_text(encoding="utf-8")) if given.sheet else {}),
        "tokens": ROOM[given.name],
        "embedder": WEIGHTS_SHA256,
        "sha256": hashlib.sha256(content).hexdigest(),
        "held_out_pairs": len(pairs),
        "float32": figures(exact, labels),
        "int8": figures(small, labels),
        "mean_difference_of_outputs": round(float(np.abs(exact - small).mean()), 4),
    }
    target.with_suffix(".json").write_text(json.dumps(sheet, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(sheet, indent=1))
    print(f"{len(content) / 1e6:.1f} MB, {cost:.1f} ms a pair")


if __name__ == "__main__":
    main()
