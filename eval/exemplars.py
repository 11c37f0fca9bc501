"""How H2ES chooses exemplars: relevance against diversity on MTS-Dialog (Ben Abacha et al. 2023).

For each dialogue of the validation set five of the training set are chosen. P@5 is the share of them whose note has the
same section header; likeness is the mean cosine between two of the five: the less, the more diverse. Only dialogues are
compared: neither the header nor the note is in what is encoded or searched.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chains.select.h2es import h2es
from core.embeddings import Embedder, MiniLM
from core.errors import InputError
from core.settings import load_settings
from eval.retrieval import PlainBM25

Floats = NDArray[np.float32]
Choose = Callable[[int], Sequence[int]]
"""From the place of a validation dialogue to those of the training dialogues that are chosen for it."""

COUNT = 5
LAMBDAS = (0.0, 0.2, 0.5, 0.8, 0.9, 1.0)


class Dialogue(NamedTuple):
    """A consultation and the section of the note that was written of it."""

    text: str
    section: str


class Figure(NamedTuple):
    """What a way of choosing reaches: the share of the same section, and the mean cosine between two of the chosen."""

    precision: float
    likeness: float


def dialogues(file: Path) -> list[Dialogue]:
    """Read one of MTS-Dialog's files; raise InputError where it cannot be read."""
    try:
        with file.open(encoding="utf-8-sig", newline="") as lines:
            return [Dialogue(row["dialogue"], row["section_header"]) for row in csv.DictReader(lines)]
    except (OSError, KeyError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{file} cannot be read ({error!r}): --data names the folder of MTS-Dialog's files") from error


def measure(
    bank: Sequence[Dialogue],
    asked: Sequence[Dialogue],
    encode: Callable[[Sequence[str]], Floats],
    pool: int,
    seed: int,
) -> dict[str, Figure]:
    """Figures of chance, BM25, and H2ES at several λ, scaled and literal; λ = 1 is the cosine alone."""
    vectors, queries = encode([d.text for d in bank]), encode([d.text for d in asked])
    random = np.random.default_rng(seed)
    bm25 = PlainBM25([d.text for d in bank]).scores([d.text for d in asked])
    ways: dict[str, Choose] = {
        "random": lambda _: random.choice(len(bank), COUNT, replace=False).tolist(),
        "BM25": lambda i: np.argsort(-bm25[i], kind="stable")[:COUNT].tolist(),
    }
    for scaled in (True, False):
        for lambda_ in LAMBDAS:
            name = f"H2ES {'scaled' if scaled else 'literal'}, λ = {lambda_:g}"
            ways[name] = partial(_h2es, queries, vectors, pool, lambda_, scaled)
    return {name: _figure(choose, bank, asked, vectors) for name, choose in ways.items()}


def _h2es(queries: Floats, vectors: Floats, pool: int, lambda_: float, scaled: bool, asked: int) -> list[int]:
    return [place for place, _ in h2es(queries[asked], vectors, pool, COUNT, lambda_, scaled, unit=True)]


def _figure(choose: Choose, bank: Sequence[Dialogue], asked: Sequence[Dialogue], vectors: Floats) -> Figure:
    hits, likeness = [], []
    for place, dialogue in enumerate(asked):
        chosen = list(choose(place))
        hits.append(np.mean([bank[i].section == dialogue.section for i in chosen]))
        cosines = vectors[chosen] @ vectors[chosen].T
        likeness.append(np.mean(cosines[np.triu_indices(len(chosen), 1)]))
    return Figure(float(np.mean(hits)), float(np.mean(likeness)))


def table(figures: Mapping[str, Figure]) -> Iterator[str]:
    """Lines of a Markdown table, a line for each way of choosing."""
    yield f"| exemplars by | P@{COUNT} | likeness |"
    yield "|---|---|---|"
    for name, figure in figures.items():
        yield f"| {name} | {figure.precision:.3f} | {figure.likeness:.3f} |"


def kept(embedder: Embedder, folder: Path, texts: Sequence[str]) -> Floats:
    """Vectors of the texts (texts by dimensions), kept in the folder for the next run."""
    key = hashlib.sha256(json.dumps([embedder.name, list(texts)]).encode()).hexdigest()[:24]
    file = folder / f"{key}.npy"
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        np.save(file, embedder.encode(texts))
    return np.asarray(np.load(file), dtype=np.float32)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table, or JSON."""
    parser = argparse.ArgumentParser(prog="python -m eval.exemplars", description=main.__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder of MTS-Dialog's files")
    parser.add_argument("--sample", type=int, help="only so many of the validation dialogues")
    parser.add_argument("--seed", type=int, default=0, help="which of them, and what chance chooses")
    parser.add_argument("--pool", type=int, help="most similar ones that H2ES chooses from; unset: the setting's")
    parser.add_argument("--json", action="store_true", help="print one object")
    given = parser.parse_args(arguments)
    settings = load_settings()
    bank = dialogues(given.data / "MTS-Dialog-TrainingSet.csv")
    asked = dialogues(given.data / "MTS-Dialog-ValidationSet.csv")
    if given.sample:
        drawn = np.random.default_rng(given.seed).permutation(len(asked))[: given.sample]
        asked = [asked[i] for i in drawn]
    embedder = MiniLM.load(settings.home, settings.threads)
    encode = partial(kept, embedder, settings.home / "eval" / "vectors")
    figures = measure(bank, asked, encode, given.pool or settings.exemplar_pool, given.seed)
    lines = json.dumps({name: figure._asdict() for name, figure in figures.items()}) if given.json else None
    sys.stdout.write((lines or "\n".join(table(figures))) + "\n")


if __name__ == "__main__":
    main()
