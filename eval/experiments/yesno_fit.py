"""Fits how yes/no questions over given texts are decided, on questions written for it, and measures the fit.

The questions are those of ``eval/data/sets``, many of them written to mislead, those beside passages of
``eval/data/written`` that are kept from the reader that has learned, and those of study abstracts without their
conclusion that it has not learned from. A third of them no text answers; so many are left out that it is one in ten,
as where somebody gives the texts that should answer. Each fifth of the texts is measured by what the others taught.
PubMedQA and BioASQ, where ``--data`` names their folder, only measure.

    python -m eval.experiments.yesno_fit --data DIR
"""

from __future__ import annotations

import argparse
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import numpy as np

from chains.answer.weighing import FILE, Logits, Readings, Weighed, weigh
from chains.answer.yesno import look
from chains.understand import understand
from core.errors import DataMissing
from core.schema import Evidence
from core.settings import load_settings
from eval.experiments.reading import Collaborators, bioasq, collaborators, given, pubmedqa
from eval.experiments.safety_fit import fit_multinomial
from eval.metrics.abstention import calibration_error
from eval.metrics.classification import accuracy, macro_f1
from eval.training.written import FOLDER, Written, divided, written

SETS = Path(__file__).parents[1] / "data" / "sets"
FITTED = ("seen", "unread", "fresh", "late", "recent", "latest", "newest", "ninth", "tenth", "eleventh")
"""The sets that the function is fitted on; those after them only measure."""
ANSWERS = {"supported": "yes", "contradicted": "no", "neither": "none"}
CHOICES = ("yes", "no")
FOLDS = 5
PENALTY = 1.0
DECIDED = 0.5
DRAWN, ABSTRACTS = 1500, 2500
NEITHER = 0.1
"""The share of questions that the texts answer neither by yes nor by no."""


class Case(NamedTuple):
    """A question with its texts, and the answer that they give: yes, no, maybe or none."""

    question: str
    evidence: Sequence[Evidence]
    answer: str


class Known(NamedTuple):
    """What was read in the texts of a case, its answer, and which of the folds it is in."""

    readings: Readings
    answer: str
    fold: int


def of_sets() -> Iterator[Case]:
    """The yes/no questions that were written to mislead and may teach."""
    for name in FITTED:
        for line in (SETS / f"yesno.{name}.jsonl").read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            yield Case(case["question"], given(case["evidence"]), case["answer"] or "none")


def of_passages(seed: int) -> Iterator[Case]:
    """A drawn part of the questions beside passages that the reader has not learned from."""
    asked = [pair for pair in divided(written())[1] if pair.asked]
    for place in np.random.default_rng(seed).permutation(len(asked))[:DRAWN]:
        yield _case(asked[place])


def of_abstracts(seed: int) -> Iterator[Case]:
    """A drawn part of the questions on what studies found, whose abstracts no reader has learned from."""
    asked = [pair for pair in written(FOLDER / "next") if pair.asked and pair.group.startswith("unconcluded")]
    for place in np.random.default_rng(seed).permutation(len(asked))[:ABSTRACTS]:
        yield _case(asked[place])


def _case(pair: Written) -> Case:
    return Case(pair.claim, given([pair.passage]), ANSWERS[pair.label])


def measured(data: Path, number: int, seed: int) -> dict[str, list[Case]]:
    """A drawn part of each of the sets that nothing is fitted on."""
    papers = [Case(q, [e], a) for q, e, a in pubmedqa(data / "pubmedqa" / "dev500.jsonl", number, seed)]
    asked = groupby(bioasq(data / "bioasq", number, seed), lambda row: (row[0], row[2]))
    several = [Case(q, given(e.text for _, e, _ in rows), a.lower()) for (q, a), rows in asked]
    return {"PubMedQA": papers, "BioASQ": several}


def thinned(cases: Iterable[Case], seed: int) -> list[Case]:
    """The cases with no more than a share of those that are neither yes nor no, drawn."""
    drawn = list(cases)
    neither = [place for place, case in enumerate(drawn) if case.answer not in CHOICES]
    kept = round(NEITHER / (1.0 - NEITHER) * (len(drawn) - len(neither)))
    left_out = set(np.random.default_rng(seed).permutation(neither)[kept:].tolist())
    return [case for place, case in enumerate(drawn) if place not in left_out]


def known(cases: Sequence[Case], by: Collaborators) -> list[Known]:
    """What is read in the texts of each case; cases with the same texts are of one fold."""
    found = []
    for case in cases:
        texts = "\n".join(piece.text for piece in case.evidence)
        readings = read_in(case.question, case.evidence, by)
        found.append(Known(readings, case.answer, zlib.crc32(texts.encode()) % FOLDS))
    return found


def read_in(question: str, evidence: Sequence[Evidence], by: Collaborators) -> Readings:
    """What the program reads in texts on a question."""
    if by.learned is None:
        raise DataMissing("the reader that has learned is missing: install the project anew")
    understanding = understand(question, by.vocabulary.link)
    return look(understanding.text, understanding, evidence, **by._asdict()).readings(by.learned)


def fit(cases: Sequence[Known]) -> Logits:
    """The function, by what was read and the right answers; every case weighs the same."""
    kinds = np.array([[float(case.answer == choice) for choice in CHOICES] for case in cases])
    table = fit_multinomial(np.array([case.readings for case in cases]), kinds, np.ones(len(cases)), PENALTY)
    names = (*Readings._fields, "intercept")
    return {choice: dict(zip(names, row.tolist(), strict=True)) for choice, row in zip(CHOICES, table, strict=True)}


def crossed(cases: Sequence[Known]) -> list[Weighed]:
    """What each case comes to by what the other folds taught."""
    taught = [fit([case for case in cases if case.fold != fold]) for fold in range(FOLDS)]
    return [weigh(case.readings, taught[case.fold]) for case in cases]


def crossed_by(taught: Mapping[str, Sequence[Known]]) -> dict[str, dict[str, float]]:
    """The figures of each part, by what the other folds of all parts taught."""
    weighed = iter(crossed([case for cases in taught.values() for case in cases]))
    return {name: figures(cases, [next(weighed) for _ in cases]) for name, cases in taught.items()}


def figures(cases: Sequence[Known], weighed: Sequence[Weighed]) -> dict[str, float]:
    """Accuracy, macro-F1 and calibration of the choices that are likelier than not; what is left is none."""
    gold = [case.answer for case in cases]
    chances = [one.chance(one.choice) for one in weighed]
    said = [one.choice if p >= DECIDED else "none" for one, p in zip(weighed, chances, strict=True)]
    decided = [(p, s == g) for p, s, g in zip(chances, said, gold, strict=True) if s != "none"]
    return {
        "cases": float(len(cases)),
        "accuracy": accuracy(gold, said),
        "macro-F1": macro_f1(gold, said),
        "decided": len(decided) / len(cases),
        "right of these": sum(right for _, right in decided) / max(len(decided), 1),
        "calibration error": calibration_error([not right for _, right in decided], [1.0 - p for p, _ in decided]),
    }


def main() -> None:
    """Fit, measure, and write ``chains/answer/yesno.json``."""
    parser = argparse.ArgumentParser(description="Fit the decision of yes/no questions over given texts.")
    parser.add_argument("--data", type=Path, help="the folder with pubmedqa and bioasq, to measure on")
    parser.add_argument("--n", type=int, default=200, help="questions drawn of each")
    parser.add_argument("--seed", type=int, default=0, help="of what is drawn")
    asked = parser.parse_args()
    settings = load_settings()
    by = collaborators(settings.home, settings.threads)
    written_for = {"sets": of_sets(), "passages": of_passages(asked.seed), "abstracts": of_abstracts(asked.seed)}
    taught = {name: known(thinned(cases, asked.seed), by) for name, cases in written_for.items()}
    every = [case for cases in taught.values() for case in cases]
    held_out, logits = crossed_by(taught), fit(every)
    for name, found in held_out.items():
        print(name, {what: round(value, 3) for what, value in found.items()})
    for name, cases in measured(asked.data, asked.n, asked.seed).items() if asked.data else ():
        read = known(cases, by)
        shown = figures(read, [weigh(case.readings, logits) for case in read])
        print(name, {what: round(value, 3) for what, value in shown.items()})
    sheet = {
        "data": "written for Medattest, MIT; passages of library_pages.jsonl are pieces of MedQuAD, CC BY 4.0",
        "held_out": {name: {what: round(v, 3) for what, v in found.items()} for name, found in held_out.items()},
        "logits": logits,
    }
    FILE.write_text(f"{json.dumps(sheet, indent=1)}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
