"""Fits the coefficients and the aspect words of ``chains/relevance`` on MedQuAD (CC BY 4.0), and measures the fit.

Documents are split by focus: each half is fitted on one and measured on the other, in all three forms of titles; what
is written is then fitted on both. Only the hardest passage of a question counts: the best right one where the answers
are there, the best wrong one where they are removed, found anew in each of a few rounds.

    python -m eval.experiments.relevance_fit --data medquad_open.jsonl --n 1500
"""

from __future__ import annotations

import argparse
import json
import math
import random
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from chains.relevance import aspect as aspect_module
from chains.relevance import model as model_module
from chains.relevance.aspect import AspectReader, reader_from
from chains.relevance.model import p_answers, p_aspect, p_subject, signals_of
from chains.relevance.subject import names_of, read_passage
from chains.understand import Understanding, understand
from core.embeddings import MiniLM
from core.rarity import Rarity
from core.text import content_terms
from eval.experiments.answerability import (
    THRESHOLD,
    Asked,
    Collection,
    Document,
    Piece,
    TitleForm,
    cut_documents,
    rarity_of,
    read_documents,
    summary,
)

ASPECT_OF = {
    "information": "definition",
    "exams and tests": "diagnosis",
    "susceptibility": "risk factors",
    "considerations": "care",
    "support groups": "care",
}
TITLED = (
    "title_cover",
    "title_near",
    "title_missing",
    "title_extra",
    "title_exact",
    "title_conflict",
    "text_cover",
    "text_near",
    "document_near",
    "lead_early",
)
UNTITLED = (
    "text_cover",
    "text_near",
    "text_missing",
    "document_near",
    "document_missing",
    "lead_near",
    "lead_early",
    "lead_before",
    "often",
)
ASPECT = ("told", "document_told", "cued", "title_same", "title_other")
PRICE = {"titled": 0.03, "untitled": 0.10}
WORDS_AN_ASPECT = 60
ROUNDS = 6

Floats = NDArray[np.float64]
Signals = Mapping[str, float]


@dataclass(frozen=True)
class Case:
    """A question put to a collection, with the signals of what it found: ``same`` focus, ``typed`` right as well."""

    asked: Asked
    understanding: Understanding
    signals: tuple[Signals, ...]
    same: tuple[bool, ...]
    typed: tuple[bool, ...]


def half_of(document: Document) -> int:
    """0 or 1, the same for all documents of one focus."""
    return zlib.crc32(document.focus.lower().encode()) % 2


def learn_words(
    documents: Sequence[Document], pieces: Sequence[Piece], stems: Sequence[frozenset[str]]
) -> dict[str, Any]:
    """The words that betray each aspect, with the scale and biases that make probabilities of their sums."""
    labels = [ASPECT_OF.get(documents[p.document].qtype, documents[p.document].qtype) for p in pieces]
    lengths = Counter(p.document for p in pieces)
    foci = {p.document: frozenset(content_terms(documents[p.document].focus)) for p in pieces}
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    sizes: Counter[str] = Counter()
    for piece, label, found in zip(pieces, labels, stems, strict=True):
        share = lengths[piece.document] ** -0.5
        sizes[label] += share
        for stem in found - foci[piece.document]:
            counts[label][stem] += share
    total: Counter[str] = Counter()
    for counted in counts.values():
        total.update(counted)
    words = {label: _telling(counts[label], total, sizes[label], sum(sizes.values())) for label in sorted(sizes)}
    return _calibrated(words, labels, stems)


def _telling(counts: Mapping[str, float], total: Mapping[str, float], size: float, whole: float) -> dict[str, float]:
    ranked = []
    for stem, all_of_it in total.items():
        if stem.isdigit() or (all_of_it < 30 and counts.get(stem, 0) < 8):
            continue
        here = (counts.get(stem, 0) + 0.5) / (size + 1)
        elsewhere = (all_of_it - counts.get(stem, 0) + 0.5) / (whole - size + 1)
        ratio = math.log(here / elsewhere)
        if ratio > 0.7:
            ranked.append((here * ratio, stem, round(min(ratio, 3.0), 1)))
    return {stem: ratio for _, stem, ratio in sorted(ranked, reverse=True)[:WORDS_AN_ASPECT]}


def _calibrated(
    words: Mapping[str, Mapping[str, float]], labels: Sequence[str], stems: Sequence[frozenset[str]]
) -> dict[str, Any]:
    names = list(words)
    every = range(0, len(labels), 3)
    sums = np.array([[sum(words[n].get(s, 0.0) for s in stems[i]) for n in names] for i in every])
    truth = np.array([names.index(labels[i]) for i in every])

    def loss(values: Floats) -> float:
        logits = sums * math.exp(values[0]) + values[1:]
        logits -= logits.max(1, keepdims=True)
        chosen = logits[np.arange(len(truth)), truth] - np.log(np.exp(logits).sum(1))
        return float(-chosen.mean() + 1e-3 * (values[1:] ** 2).sum())

    fitted = minimize(loss, np.append(-1.0, np.zeros(len(names))), method="L-BFGS-B", options={"maxiter": 40}).x
    entries = {n: {"bias": round(float(b), 3), "words": words[n]} for n, b in zip(names, fitted[1:], strict=True)}
    return {"scale": round(math.exp(fitted[0]), 4), "aspects": entries}


def collect(
    collection: Collection, sample: Sequence[int], rarity: Rarity, readers: Sequence[AspectReader]
) -> list[Case]:
    """The cases of a sample; documents of one half are read with the words learnt on the other."""
    return [
        _case(collection, asked, rarity, readers[half_of(collection.documents[number])])
        for number in sample
        for asked in collection.ask(number)
    ]


def _case(collection: Collection, asked: Asked, rarity: Rarity, reader: AspectReader) -> Case:
    document = collection.documents[asked.document]
    understanding = understand(document.question)
    names = names_of(understanding, rarity)
    groups: dict[int, list[int]] = defaultdict(list)
    for rank, place in enumerate(asked.found):
        groups[collection.pieces[place].document].append(rank)
    signals: dict[int, Signals] = {}
    for ranks in groups.values():
        evidence = [collection.evidence(asked.found[rank]) for rank in ranks]
        found = signals_of(understanding, names, [(e, read_passage(e)) for e in evidence], rarity, reader)
        signals |= dict(zip(ranks, found, strict=True))
    cited = [collection.documents[collection.pieces[place].document] for place in asked.found]
    same = tuple(c.focus.lower() == document.focus.lower() for c in cited)
    typed = tuple(s and c.qtype == document.qtype for s, c in zip(same, cited, strict=True))
    return Case(asked, understanding, tuple(signals[r] for r in range(len(cited))), same, typed)


def fit_logistic(rows: Floats, truth: Floats, penalty: float = 1.0) -> Floats:
    """Ridge-penalised maximum likelihood; coefficients, then the intercept."""

    def loss(values: Floats) -> tuple[float, Floats]:
        z = rows @ values[:-1] + values[-1]
        p = 1 / (1 + np.exp(-z))
        cost = -(truth * np.log(p + 1e-9) + (1 - truth) * np.log(1 - p + 1e-9)).sum()
        slope = np.append(rows.T @ (p - truth) + 2 * penalty * values[:-1], (p - truth).sum())
        return float(cost + penalty * (values[:-1] ** 2).sum()), slope

    return np.asarray(minimize(loss, np.zeros(rows.shape[1] + 1), jac=True, method="L-BFGS-B").x)


def fit_subject(cases: Sequence[Case], names: Sequence[str]) -> dict[str, float]:
    """Separates the best right passage of answerable questions from the best wrong one of the others."""
    tables = [np.array([[s.get(n, 0.0) for n in names] for s in c.signals]) for c in cases]
    allowed = [np.flatnonzero(c.same) if c.asked.present else np.arange(len(c.same)) for c in cases]
    usable = [i for i, places in enumerate(allowed) if len(places)]
    values = np.append(np.ones(len(names)), 0.0)
    for _ in range(ROUNDS):
        hardest = [tables[i][allowed[i][np.argmax(tables[i][allowed[i]] @ values[:-1])]] for i in usable]
        values = fit_logistic(np.array(hardest), np.array([float(cases[i].asked.present) for i in usable]))
    return _model(names, values)


def fit_aspect(cases: Sequence[Case]) -> dict[str, float]:
    """Separates the right type from others among passages of the right focus."""
    rows, truth = [], []
    for case in cases:
        for signals, same, typed in zip(case.signals, case.same, case.typed, strict=True):
            if same and case.asked.present and "told" in signals:
                rows.append([signals[n] for n in ASPECT])
                truth.append(float(typed))
    return _model(ASPECT, fit_logistic(np.array(rows), np.array(truth), penalty=5.0))


def _model(names: Sequence[str], values: Floats) -> dict[str, float]:
    return {n: round(float(v), 3) for n, v in zip([*names, "intercept"], values, strict=True)}


def fit(cases: Mapping[TitleForm, Sequence[Case]]) -> dict[str, dict[str, float]]:
    """All models, with the odds that put their operating point at 0.5."""
    titled = [*cases["focus"], *cases["question"]]
    models = {
        "titled": fit_subject(titled, TITLED),
        "untitled": fit_subject(cases["none"], UNTITLED),
        "aspect": fit_aspect([*titled, *cases["none"]]),
    }
    odds = {
        "titled": _odds(models, titled, PRICE["titled"]),
        "untitled": _odds(models, cases["none"], PRICE["untitled"]),
    }
    return {**models, "odds": odds}


def _odds(models: Mapping[str, Mapping[str, float]], cases: Sequence[Case], price: float) -> float:
    """The factor at which this share of answerable questions stays below the threshold."""
    highest = [max(_answers(c, models, 1.0), default=0.0) for c in cases if c.asked.present]
    cut = float(np.quantile(highest, price))
    return round((1 - cut) / cut, 3)


def _answers(case: Case, models: Mapping[str, Mapping[str, float]], odds: float) -> list[float]:
    return [p_answers(p_subject(case.understanding, s, models), p_aspect(s, models), s, odds) for s in case.signals]


def figures(cases: Sequence[Case], models: Mapping[str, Mapping[str, float]], form: TitleForm) -> dict[str, float]:
    """The figures of answerability of these models."""
    present: list[float] = []
    removed: list[float] = []
    right: list[tuple[bool, bool]] = []
    for case in cases:
        answers = _answers(case, models, models["odds"]["untitled" if form == "none" else "titled"])
        top = max(range(len(answers)), key=answers.__getitem__, default=None)
        (present if case.asked.present else removed).append(0.0 if top is None else answers[top])
        if case.asked.present and top is not None and answers[top] >= THRESHOLD:
            right.append((case.same[top], case.typed[top]))
    return {name: round(value, 3) for name, value in summary(present, removed, right).items()}


def cross_validated(
    cases: Mapping[TitleForm, Sequence[Case]], half: Callable[[Case], int]
) -> dict[str, list[dict[str, float]]]:
    """Figures of each half by the models of the other, by form of titles."""
    results: dict[str, list[dict[str, float]]] = {form: [] for form in cases}
    for held in (0, 1):
        models = fit({form: [c for c in those if half(c) != held] for form, those in cases.items()})
        for form, those in cases.items():
            results[form].append(figures([c for c in those if half(c) == held], models, form))
    return results


def main() -> None:
    """Fit, measure, and write both files of ``chains/relevance``."""
    parser = argparse.ArgumentParser(description="Fit chains/relevance on MedQuAD.")
    parser.add_argument("--data", type=Path, required=True, help="medquad_open.jsonl")
    parser.add_argument("--home", type=Path, default=Path("~/.medattest").expanduser(), help="the data directory")
    parser.add_argument("--n", type=int, default=1500, help="questions")
    parser.add_argument("--seed", type=int, default=0, help="of the sample of questions")
    parser.add_argument("--dry", action="store_true", help="write nothing")
    given = parser.parse_args()
    embedder = MiniLM.load(given.home, 2)
    documents = read_documents(given.data)
    pieces = cut_documents(documents, embedder)
    stems = [frozenset(content_terms(p.text)) for p in pieces]
    halves = [half_of(documents[p.document]) for p in pieces]
    learnt = [
        learn_words(
            documents,
            [p for p, h in zip(pieces, halves, strict=True) if h != held],
            [s for s, h in zip(stems, halves, strict=True) if h != held],
        )
        for held in (0, 1)
    ]
    readers = [reader_from(words) for words in learnt]
    sample = random.Random(given.seed).sample(range(len(documents)), given.n)
    rarity = rarity_of(embedder)
    cases: dict[TitleForm, list[Case]] = {
        form: collect(Collection(documents, pieces, form), sample, rarity, readers) for form in get_args(TitleForm)
    }
    measured = cross_validated(cases, lambda c: half_of(documents[c.asked.document]))
    models = fit(cases)
    content = {"data": "MedQuAD, CC BY 4.0", "questions": given.n, "held_out": measured, "models": models}
    print(json.dumps(content, indent=1))
    if not given.dry:
        words = learn_words(documents, pieces, stems)
        Path(model_module.__file__).with_name("coefficients.json").write_text(json.dumps(content, indent=1) + "\n")
        Path(aspect_module.__file__).with_name("aspect_words.json").write_text(_readable(words))


def _readable(words: Mapping[str, Any]) -> str:
    """JSON with one line an aspect."""
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(entry)}" for name, entry in words["aspects"].items())
    return f'{{\n "scale": {words["scale"]},\n "aspects": {{\n{lines}\n }}\n}}\n'


if __name__ == "__main__":
    main()
