"""Questions with passages and sentences that were judged by hand: what answers them, and what does not.

In ``eval/data/judged/passages.jsonl``: ``{question, grades: {id of a library passage: 0 to 3}, sentences?}``, what a
search found; 3 answers directly, 2 an important part, 1 is on the subject and beside the point, 0 is of no use. Of
passages that answer, ``sentences`` has the grade by where a sentence begins: 2 answers, 1 belongs to the answer; others
pad it. The questions that ship with the library were written for its topics: where a topic answers one they name the
sentences; those of focuses that are held out are left out here.

    python -m eval.training.judged --measured mediqa_qa --out judged.jsonl    writes them as pairs for training
"""

from __future__ import annotations

import argparse
import json
import random
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import quote

from chains.answer.sentences import in_context, units_of
from core.schema import Evidence
from core.settings import load_settings
from eval.data.held_out import held_out
from eval.training.sections import measured_texts, shingles
from graphs.resources import Resources
from tools.library.shipped import DATA, read_documents, read_questions, read_sheet

FOLDER = Path(__file__).parents[1] / "data" / "judged"
PASSAGE, SENTENCE = (0.0, 0.1, 0.8, 1.0), (0.0, 0.4, 1.0)
"""How far a passage, or a sentence, of each grade answers."""
DIRECTLY, ANSWERS, BESIDE = 3, 2, 1
"""Grades of a passage: that it answers directly, the least of one that answers, and of one that is on the subject."""
SHORT = ("short.jsonl", "plain.jsonl")
"""Questions with short texts: of many a kind, and plain statements."""
PARTS = 5
"""One of so many questions is kept from learning."""
NEGATIVES = 2
"""Of a topic's passages that do not answer, and of the sentences that pad, so many are learnt a question."""
TextOf = Callable[[str], tuple[str, str]]
"""Title and text of a library passage, by its id."""


class Judged(NamedTuple):
    """A question, the grades of passages by the ids of their evidence, and those of sentences of the ones that answer.

    A sentence is named by where it begins.
    """

    question: str
    grades: Mapping[str, int]
    sentences: Mapping[str, Mapping[int, int]] = MappingProxyType({})


class Pair(NamedTuple):
    """A question beside a passage or a sentence, and how far that answers it, in [0, 1]."""

    question: str
    title: str
    passage: str
    label: float


class Sentences(NamedTuple):
    """A question with a passage, its title, its sentences, and the grade of each: 2 answers, 1 belongs to it, 0 pads.

    The passage is named by its id; ``spans`` tell where its sentences begin and end.
    """

    question: str
    title: str
    sentences: Sequence[str]
    grades: Sequence[int]
    passage: str = ""
    spans: Sequence[tuple[int, int]] = ()


class Near(NamedTuple):
    """A passage by its id, questions that it answers, and questions that it only seems to answer."""

    passage: str
    answered: Sequence[str]
    missed: Sequence[str]


def judged(folder: Path = FOLDER) -> list[Judged]:
    """The questions with their graded passages, which a search found."""
    return [_judged(line) for line in _lines(folder / "passages.jsonl")]


def asked(folder: Path = FOLDER) -> list[Judged]:
    """The same of questions from which neither readers nor relevance learn."""
    return [_judged(line) for line in _lines(folder / "asked.jsonl")]


def _judged(line: Mapping[str, Any]) -> Judged:
    sentences = {
        of: {int(start): grade for start, grade in own.items()} for of, own in line.get("sentences", {}).items()
    }
    return Judged(line["question"], line["grades"], sentences)


def topical(folder: Path = DATA) -> Iterator[Judged]:
    """The questions that were written for topics of the library, none of a focus that is held out."""
    for corpus in read_sheet(folder).corpora:
        documents = {one.id: one for one in read_documents(corpus, folder)} if corpus.questions else {}
        for question in read_questions(corpus, folder):
            document = documents[question.document]
            if not held_out(document.title):
                ids = [
                    f"library:{corpus.name}/{quote(document.id, safe='')}#{n}" for n in range(len(document.passages))
                ]
                grades = {i: DIRECTLY if n in question.answers else BESIDE for n, i in enumerate(ids)}
                yield Judged(question.text, grades, {ids[n]: of for n, of in question.answers.items()})


def short(folder: Path = FOLDER, *, measuring: bool = False, files: Sequence[str] = SHORT) -> list[list[Pair]]:
    """Questions beside short texts without a title, as somebody gives them; of those that are learnt or of the kept."""
    lines = [line for name in files for line in _lines(folder / name)]
    return [_given(line) for line in lines if kept(line["question"]) == measuring]


def given_texts(folder: Path = FOLDER) -> list[list[Pair]]:
    """The same by another hand, from which nothing learns."""
    return [_given(line) for line in _lines(folder / "given.jsonl")]


def _given(line: Mapping[str, Any]) -> list[Pair]:
    return [Pair(line["question"], "", one["text"], PASSAGE[one["grade"]]) for one in line["texts"]]


def near(folder: Path = FOLDER) -> list[Near]:
    """Passages with questions that were written for them."""
    return [Near(**line) for line in _lines(folder / "near.jsonl")]


def judged_answers(folder: Path = FOLDER) -> dict[tuple[str, str], float]:
    """How useful answers were found by who read them, by question and answer: 1 useful, 0.5 in part, 0 beside it."""
    return {(line["question"], line["answer"]): line["grade"] / 2 for line in _lines(folder / "answers.jsonl")}


def kept(question: str) -> bool:
    """Whether a question is kept from learning, for other fits."""
    return zlib.crc32(question.encode()) % PARTS == 0


def learnt(judgements: Iterable[Judged]) -> list[Judged]:
    """Those that the readers learn from."""
    return [one for one in judgements if not kept(one.question)]


def unlearnt(judgements: Iterable[Judged]) -> list[Judged]:
    """Those that the readers do not learn from, for other fits and to measure on."""
    return [one for one in judgements if kept(one.question)]


def pairs(text_of: TextOf, rng: random.Random, folder: Path = FOLDER, written: Path = DATA) -> Iterator[Pair]:
    """All pairs to learn from; which of a topic's passages and of the padding sentences is drawn."""
    found, told = learnt(judged(folder)), learnt(topical(written))
    for question, grades, _ in found:
        yield from passage_pairs(question, grades, text_of)
    for question, grades, _ in told:
        beside = [evidence_id for evidence_id, grade in grades.items() if grade < ANSWERS]
        drawn = set(rng.sample(beside, min(NEGATIVES, len(beside))))
        chosen = {i: grade for i, grade in grades.items() if grade >= ANSWERS or i in drawn}
        yield from passage_pairs(question, chosen, text_of)
    for question, title, sentences, marks, *_ in graded_sentences(text_of, [*found, *told]):
        made = list(sentence_pairs(question, title, sentences, marks))
        padding = [pair for pair, mark in zip(made, marks, strict=True) if not mark]
        yield from (pair for pair, mark in zip(made, marks, strict=True) if mark)
        yield from rng.sample(padding, min(NEGATIVES, len(padding)))


def passage_pairs(question: str, grades: Mapping[str, int], text_of: TextOf) -> Iterator[Pair]:
    """The question beside each of the graded passages."""
    for evidence_id, grade in grades.items():
        yield Pair(question, *text_of(evidence_id), PASSAGE[grade])


def sentence_pairs(question: str, title: str, sentences: Sequence[str], grades: Sequence[int]) -> Iterator[Pair]:
    """The question beside each sentence, as it stands in its passage."""
    for text, grade in zip(in_context(sentences), grades, strict=True):
        yield Pair(question, title, text, SENTENCE[grade])


def graded_sentences(text_of: TextOf, judgements: Iterable[Judged]) -> Iterator[Sentences]:
    """The passages that were judged by sentence."""
    for question, _, said in judgements:
        for evidence_id, graded in said.items():
            title, text = text_of(evidence_id)
            units = units_of(Evidence(id=evidence_id, title=title, text=text, source="library"))
            grades, spans = [graded.get(u.start, 0) for u in units], [(u.start, u.end) for u in units]
            yield Sentences(question, title, [u.text for u in units], grades, evidence_id, spans)


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def reading(resources: Resources) -> TextOf:
    """Title and text of the library's passages."""
    index = resources.library.open()

    def text_of(evidence_id: str) -> tuple[str, str]:
        row = index.read([index.row(evidence_id)])[0]
        return row.title, row.text

    return text_of


def main() -> None:
    """Write the pairs in a seeded order."""
    parser = argparse.ArgumentParser(description="Write the judged pairs.")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--measured", type=Path, required=True, help="the folder mediqa_qa, to keep its texts out")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    resources = Resources(load_settings())
    rng = random.Random(given.seed)
    measured = measured_texts(given.measured)
    made = [pair for pair in pairs(reading(resources), rng) if not shingles(pair.passage) & measured]
    resources.close()
    rng.shuffle(made)
    given.out.write_text("".join(json.dumps(pair._asdict()) + "\n" for pair in made), encoding="utf-8")
    print(f"{len(made):,} pairs")


if __name__ == "__main__":
    main()
