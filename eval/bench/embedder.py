"""The embedder against sentence-transformers: the same weights, the same passages, the same number of threads."""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.embeddings import MiniLM
from core.errors import InputError
from core.minilm_onnx import model_folder

PEER = """
import json, sys, time
given = json.load(sys.stdin)
began = time.perf_counter()
import torch
from sentence_transformers import SentenceTransformer
torch.set_num_threads(given["threads"])
model = SentenceTransformer(given["model"], device="cpu")
loaded = time.perf_counter() - began
model.encode(given["warm"])
seconds = []
for _ in range(given["rounds"]):
    began = time.perf_counter()
    vectors = model.encode(given["passages"], normalize_embeddings=True)
    seconds.append(time.perf_counter() - began)
json.dump({"loaded": loaded, "seconds": min(seconds), "vectors": vectors.tolist()}, sys.stdout)
"""
WARM = ["Ectopia lentis is a displacement of the lens."] * 4


class Run(NamedTuple):
    """Seconds to load and, at best, to embed all passages; the vectors (passages by dimensions)."""

    loaded: float
    seconds: float
    vectors: NDArray[np.float32]


def passages(file: Path, count: int, tokens: int, embedder: MiniLM, seed: int) -> list[str]:
    """The beginnings of ``count`` MedQuAD answers, of ``tokens`` tokens at most, in an order drawn by the seed.

    Raises InputError where the file cannot be read or has too few answers.
    """
    try:
        records = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
        answers = list(dict.fromkeys(pair["answer"] for record in records for pair in record["qa"]))
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{file} cannot be read as MedQuAD's JSONL ({error!r}): name it with --data") from error
    if len(answers) < count:
        raise InputError(f"{file} has {len(answers)} answers, {count} are asked for")
    drawn = [answers[i] for i in np.random.default_rng(seed).permutation(len(answers))[:count]]
    return [text[: embedder.token_spans(text)[:tokens][-1][1]] for text in drawn]


def ours(home: Path, texts: Sequence[str], threads: int, rounds: int) -> Run:
    """Time MiniLM, loaded anew in every round, so that it remembers nothing."""
    loads, seconds = [], []
    for _ in range(rounds):
        began = time.perf_counter()
        embedder = MiniLM.load(home, threads)
        loads.append(time.perf_counter() - began)
        embedder.encode(WARM)
        began = time.perf_counter()
        vectors = embedder.encode(texts)
        seconds.append(time.perf_counter() - began)
    return Run(min(loads), min(seconds), vectors)


def theirs(python: Path, texts: Sequence[str], threads: int, rounds: int) -> Run:
    """Time sentence-transformers in a process of the given interpreter; raise InputError where that fails."""
    model = str(model_folder())
    given = {"model": model, "threads": threads, "rounds": rounds, "warm": WARM, "passages": list(texts)}
    try:
        done = subprocess.run([python, "-P", "-c", PEER], input=json.dumps(given), capture_output=True, text=True)
    except OSError as error:
        raise InputError(f"{python} cannot be run ({error}): --peer-python names an interpreter") from error
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or ["no message"]
        raise InputError(f"sentence-transformers failed in {python}: {last[0]}")
    found = json.loads(done.stdout)
    return Run(found["loaded"], found["seconds"], np.array(found["vectors"], dtype=np.float32))


def main(arguments: Sequence[str] | None = None) -> None:
    """Print passages a second and seconds to load, of ours and of the peer, and how far their vectors agree."""
    parser = argparse.ArgumentParser(prog="python -m eval.bench.embedder", description=main.__doc__)
    parser.add_argument("--data", type=Path, required=True, help="MedQuAD's JSONL")
    parser.add_argument("--peer-python", type=Path, help="an interpreter that has sentence-transformers")
    parser.add_argument("--passages", type=int, default=512)
    parser.add_argument("--tokens", type=int, default=128, help="tokens of a passage at most")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3, help="the best of so many counts")
    parser.add_argument("--seed", type=int, default=0, help="which passages")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        embedder = MiniLM.load(home, given.threads)
        texts = passages(given.data, given.passages, given.tokens, embedder, given.seed)
        mean = sum(len(embedder.token_spans(text)) for text in texts) / len(texts)
        own = ours(home, texts, given.threads, given.rounds)
    print(f"{len(texts)} passages of {mean:.0f} tokens in the mean, {given.threads} threads, seed {given.seed}\n")
    print("| embedder | passages/s | load, s |\n|---|---|---|")
    print(f"| ours (onnxruntime) | {len(texts) / own.seconds:.0f} | {own.loaded:.2f} |")
    if given.peer_python is None:
        print("\nsentence-transformers was not run: --peer-python names an interpreter that has it")
        return
    peer = theirs(given.peer_python, texts, given.threads, given.rounds)
    print(f"| sentence-transformers | {len(texts) / peer.seconds:.0f} | {peer.loaded:.2f} |")
    cosine = float((own.vectors * peer.vectors).sum(axis=1).min())
    print(f"\n{peer.seconds / own.seconds:.2f} times as fast; least cosine between their vectors {cosine:.7f}")


if __name__ == "__main__":
    main()
