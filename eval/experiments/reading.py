"""What reading is worth: pairs of claim and evidence, and yes/no questions with their text, by kinds.

The files are lines of JSON: ``{kind, claim, evidence: [text], label: supported|contradicted|neither}`` and
``{kind, question, evidence: [text], answer: yes|no|maybe|none}``; ``also_acceptable`` lists other right labels.
``--pubmedqa`` and ``--bioasq`` name the folders of those sets, whose questions are asked with their abstracts.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from chains.answer.yesno import answer_yesno
from chains.understand import understand
from chains.verify import verify
from chains.verify.comparing import Learned
from chains.verify.statements.vocabulary import Vocabulary
from core.embeddings import Encode, MiniLM
from core.rarity import Rarity, wordpiece_rarity
from core.readers.entailment import EntailmentReader
from core.schema import Claim, Concept, Draft, Evidence, Question, Verdict
from core.settings import load_settings
from eval.metrics.classification import accuracy, macro_f1
from tools.knowledge import KnowledgeStore, Linker


class Collaborators(NamedTuple):
    """What verifying works with."""

    encode: Encode
    rarity: Rarity
    vocabulary: Vocabulary
    learned: Learned | None


class Judged(NamedTuple):
    """A case with what was said of it."""

    kind: str
    gold: str
    said: str
    case: Mapping[str, Any]
    why: str


def collaborators(home: Path, threads: int | None = None, *, reader: bool = True) -> Collaborators:
    """What verifying works with, as the program builds it; or without the reader that has learned."""
    embedder = MiniLM.load(home, threads or 2)
    store = KnowledgeStore.open(home)
    vocabulary = Vocabulary(Linker(store).link, store.ancestors, partial(linked_names, store), embedder.encode)
    learned = EntailmentReader.load(threads or 2).read if reader else None
    return Collaborators(embedder.encode, wordpiece_rarity(embedder.vocabulary()), vocabulary, learned)


def linked_names(store: KnowledgeStore, concept: Concept) -> list[str]:
    """The names of a concept by which texts call it."""
    return [name.text for name in store.names(concept) if name.linked]


def given(texts: Iterable[str]) -> tuple[Evidence, ...]:
    """Texts as evidence."""
    return tuple(Evidence(id=f"given:{n}", text=text, source="given") for n, text in enumerate(texts, start=1))


def verdict_on(claim: str, texts: Iterable[str], by: Collaborators) -> Verdict:
    """The verdict on one claim against texts."""
    one = Claim(text=claim, span=(0, len(claim)))
    return verify([one], given(texts), **by._asdict())[0]


def pairs(cases: Sequence[Mapping[str, Any]], by: Collaborators) -> Iterator[Judged]:
    """The verdict on every pair."""
    for case in cases:
        verdict = verdict_on(case["claim"], case["evidence"], by)
        said = "neither" if verdict.label == "unverifiable" else verdict.label
        right = (case["label"], *case.get("also_acceptable", ()))
        yield Judged(case["kind"], said if said in right else case["label"], said, case, verdict.why)


def questions(cases: Sequence[Mapping[str, Any]], by: Collaborators) -> Iterator[Judged]:
    """The decision on every yes/no question; none where nothing is decided."""
    for case in cases:
        draft = decided(case["question"], given(case["evidence"]), by)
        said, gold = draft.choice or "none", case["answer"] or "none"
        right = (gold, *case.get("also_acceptable", ()))
        yield Judged(case["kind"], said if said in right else gold, said, case, " | ".join(draft.reasoning))


def decided(question: str, evidence: Sequence[Evidence], by: Collaborators) -> Draft:
    """The draft that answers a yes/no question from this evidence."""
    understanding = understand(question, by.vocabulary.link)
    return answer_yesno(
        Question(question=question),
        understanding,
        evidence,
        **by._asdict(),
    )


def pair_figures(judged: Sequence[Judged]) -> dict[str, float]:
    """How much of what nothing supports is called supported, and how much of what is supported is found."""
    supported = [j for j in judged if j.gold == "supported"]
    unsupported = [j for j in judged if j.gold != "supported"]
    opposed = [j for j in judged if j.gold == "contradicted"]
    return {
        "unsupported called supported": _share(j.said == "supported" for j in unsupported),
        "supported found": _share(j.said == "supported" for j in supported),
        "contradicted found": _share(j.said == "contradicted" for j in opposed),
        "supported called contradicted": _share(j.said == "contradicted" for j in supported),
    }


def question_figures(judged: Sequence[Judged]) -> dict[str, float]:
    """How many answers are wrong, and how many questions are decided rightly.

    Wrong is a yes or no where the text says another or nothing; a "maybe" or silence where it says one is no answer.
    """
    decidable = [j for j in judged if j.gold in ("yes", "no", "maybe")]
    return {
        "wrong": _share(j.said in ("yes", "no") and j.said != j.gold for j in judged),
        "decided rightly": _share(j.said == j.gold for j in decidable),
    }


def pubmedqa(file: Path, number: int, seed: int) -> list[tuple[str, Evidence, str]]:
    """A drawn part of PubMedQA: question, abstract without its conclusion, answer."""
    drawn = []
    for record in _drawn(_lines(file), number, seed):
        text = " ".join(section["text"] for section in record["sections"])
        drawn.append((record["question"], given([text])[0], record["answer"]))
    return drawn


def bioasq(folder: Path, number: int, seed: int) -> list[tuple[str, Evidence, str]]:
    """A drawn part of BioASQ's yes/no questions, each with its relevant abstracts as one text."""
    corpus = {str(record["pmid"]): record for record in _lines(folder / "corpus.jsonl")}
    asked = [r for r in _lines(folder / "questions_7B-9B.jsonl") if r["type"] == "yesno"]
    drawn = []
    for record in _drawn(asked, number, seed):
        found = [corpus[pmid] for pmid in map(str, record["relevant_pmids"]) if pmid in corpus][:5]
        drawn.append((record["question"], found, record["exact_answer"]))
    return [
        (
            question,
            Evidence(id=f"pubmed:{p['pmid']}", text=p["text"], title=p.get("title", ""), source="pubmed"),
            answer,
        )
        for question, pieces, answer in drawn
        for p in pieces
    ]


def abstract_figures(cases: Sequence[tuple[str, Sequence[Evidence], str]], by: Collaborators) -> dict[str, float]:
    """Accuracy and macro-F1 of the decisions; what is not decided is wrong."""
    gold = [answer for _, _, answer in cases]
    said = [decided(question, evidence, by).choice or "none" for question, evidence, _ in cases]
    return {
        "accuracy": accuracy(gold, said),
        "macro-F1": macro_f1(gold, said),
        "decided": _share(s != "none" for s in said),
    }


def _share(hits: Iterable[bool]) -> float:
    counted = list(hits)
    return sum(counted) / len(counted) if counted else 0.0


def _drawn(records: Iterable[Any], number: int, seed: int) -> list[Any]:
    listed = list(records)
    return [listed[i] for i in np.random.default_rng(seed).permutation(len(listed))[:number]]


def _lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").split("\n") if line.strip()]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the figures of each file that is named, by kinds and in all."""
    parser = argparse.ArgumentParser(prog="python -m eval.experiments.reading", description=main.__doc__)
    parser.add_argument("--pairs", type=Path, help="claims with their evidence")
    parser.add_argument("--yesno", type=Path, help="yes/no questions with their evidence")
    parser.add_argument("--pubmedqa", type=Path, help="the file of PubMedQA's questions")
    parser.add_argument("--bioasq", type=Path, help="the folder of BioASQ")
    parser.add_argument("--n", type=int, default=200, help="questions drawn of PubMedQA and of BioASQ")
    parser.add_argument("--seed", type=int, default=0, help="of what is drawn")
    parser.add_argument("--rules", action="store_true", help="leave out the reader that has learned")
    parser.add_argument("--faults", action="store_true", help="print each case that went wrong")
    asked = parser.parse_args(arguments)
    settings = load_settings()
    by = collaborators(settings.home, settings.threads, reader=not asked.rules)
    if asked.pairs:
        _report("pairs", list(pairs(_lines(asked.pairs), by)), pair_figures, asked.faults)
    if asked.yesno:
        _report("yes/no", list(questions(_lines(asked.yesno), by)), question_figures, asked.faults)
    if asked.pubmedqa:
        started = time.perf_counter()
        cases = [(q, [e], a) for q, e, a in pubmedqa(asked.pubmedqa, asked.n, asked.seed)]
        _say("PubMedQA", abstract_figures(cases, by), time.perf_counter() - started)
    if asked.bioasq:
        started = time.perf_counter()
        _say(
            "BioASQ yes/no",
            abstract_figures(grouped(bioasq(asked.bioasq, asked.n, asked.seed)), by),
            time.perf_counter() - started,
        )


def grouped(rows: Sequence[tuple[str, Evidence, str]]) -> list[tuple[str, list[Evidence], str]]:
    """Rows of one question as one case."""
    cases: dict[tuple[str, str], list[Evidence]] = defaultdict(list)
    for question, piece, answer in rows:
        cases[question, answer].append(piece)
    return [(question, pieces, answer) for (question, answer), pieces in cases.items()]


def _report(name: str, judged: Sequence[Judged], figures: Any, faults: bool) -> None:
    for kind in sorted({j.kind for j in judged}):
        of_kind = [j for j in judged if j.kind == kind]
        _say(f"{name}, {kind} ({len(of_kind)})", figures(of_kind))
    _say(f"{name}, all ({len(judged)})", figures(judged))
    confused = Counter((j.gold, j.said) for j in judged)
    sys.stdout.write("  " + ", ".join(f"{g}→{s} {n}" for (g, s), n in sorted(confused.items())) + "\n")
    for j in judged if faults else ():
        if j.gold != j.said:
            sys.stdout.write(f"  {j.gold}→{j.said} {json.dumps(dict(j.case), ensure_ascii=False)}\n    {j.why}\n")


def _say(name: str, figures: Mapping[str, float], seconds: float | None = None) -> None:
    listed = ", ".join(f"{figure} {value:.3f}" for figure, value in figures.items())
    sys.stdout.write(f"{name}: {listed}" + (f" ({seconds:.0f} s)\n" if seconds is not None else "\n"))
    sys.stdout.flush()


if __name__ == "__main__":
    main()
