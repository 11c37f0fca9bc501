r"""Writes pairs of a claim and a passage, labelled with what the passage says of the claim.

Half are made of statements about terms, a third of real sentences and titles, the rest are SciFact's claims with the
abstracts that they cite (claims CC BY 4.0, abstracts ODC-By 1.0). A fifth of SciFact's claims, by their number, and
every abstract that one of them cites stay out (``--part held`` writes those alone), as do the held-out focuses of
MedQuAD (CC BY 4.0) and MedlinePlus (public domain).

    python -m eval.training.entailment_data --data DATA --topics medlineplus_topics.jsonl \
        --vocabulary knowledge.sqlite --pairs 100000 --out entailment.jsonl
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from core.language import sentences
from core.language.parser import parser
from eval.data.held_out import held_out
from eval.training.clauses import sentence
from eval.training.passages import Pair, Passages
from eval.training.real_sentences import Real, SentenceReader
from eval.training.scifact import SciFact, Section, json_lines, window_of
from eval.training.sections import ONTOLOGY
from eval.training.statements import Terms, fact, read_terms
from eval.training.valued import Kind, read_kinds, valued

LONGEST = 115
"""Words of a pair, where time is short."""
SHARES = {"made": 0.5, "real": 0.3}
SCIFACT_TIMES = 4
_WORDS = (7, 34)


def read_sections(data: Path, topics: Path) -> list[Section]:
    """MedQuAD and MedlinePlus without the held-out focuses, an answer or a topic each."""
    found = []
    for entry in json_lines(data / "medquad" / "medquad_open.jsonl"):
        if not held_out(entry["focus"]):
            found += [(entry["focus"], qa["answer"].split(ONTOLOGY)[0]) for qa in entry["qa"]]
    found += [(entry["title"], entry["text"]) for entry in json_lines(topics) if not held_out(entry["title"])]
    told = ((title, tuple(" ".join(s.text.split()) for s in sentences(text[:3000])[:20])) for title, text in found)
    return [Section(title, kept) for title, kept in told if len(kept) > 1]


class Maker:
    """Makes pairs without end from statements of two sorts."""

    def __init__(self, rng: random.Random, terms: Terms, kinds: Sequence[Kind], sections: Sequence[Section]) -> None:
        """Take what statements are made of."""
        self.rng, self.terms, self.kinds = rng, terms, kinds
        runs = [s.sentences[i : i + 3] for s in sections for i in range(0, len(s.sentences), 3)]
        self.passages = Passages(rng, [run for run in runs if sum(len(s.split()) for s in run) < 80])

    def made(self) -> Iterator[Pair]:
        """Pairs about statements made of terms; several about each."""
        while True:
            draw, rng = self.rng.random(), self.rng
            about, beside = (
                (fact(rng, self.terms), fact(rng, self.terms)) if draw < 0.66
                else (valued(rng, self.terms), valued(rng, self.terms)) if draw < 0.92
                else (rng.choice(self.kinds), rng.choice(self.kinds))
            )  # fmt: skip
            for _ in range(4):
                yield self.passages.pair(about, beside)

    def real(self, stated: Sequence[tuple[Section, int, Real]]) -> Iterator[Pair]:
        """Pairs about real sentences among their neighbours; several about each."""
        while True:
            for section, place, about in self.rng.sample(stated, len(stated)):
                near = [
                    section.sentences[i] for i in (place + 1, place - 1, place + 2) if 0 <= i < len(section.sentences)
                ]
                titled = section.title if self.rng.random() < 0.5 else ""
                beside = self.rng.choice(stated)[2]
                for _ in range(2):
                    yield self.passages.pair(about, beside, near, titled)
                if len(section.sentences) > 4 and self.rng.random() < 0.3:
                    far = [s for i, s in enumerate(section.sentences) if abs(i - place) > 1][:3]
                    yield Pair(
                        sentence(about.clause(self.rng, plain=True)), titled, " ".join(far), "neither", "neighbour"
                    )


def stated(
    reader: SentenceReader, sections: Sequence[Section], most: int, rng: random.Random
) -> list[tuple[Section, int, Real]]:
    """Sentences drawn from the sections that state something."""
    places = [(s, i) for s in sections for i, t in enumerate(s.sentences) if _WORDS[0] < len(t.split()) < _WORDS[1]]
    drawn = rng.sample(places, min(most, len(places)))
    return [(*drawn[place], real) for place, real in reader.read([s.sentences[i] for s, i in drawn])]


def titles(reader: SentenceReader, sections: Sequence[Section], rng: random.Random) -> Iterator[Pair]:
    """Titles that are sentences, against what their abstract says in the sentence nearest to them."""
    for place, about in reader.read([section.title + "." for section in sections]):
        section = sections[place]
        words = set(re.findall(r"\w{4,}", section.title.lower()))
        near = max(range(len(section.sentences)), key=lambda i: _shared(words, section.sentences[i]))
        if _shared(words, section.sentences[near]) < 0.5:
            continue
        first, last = window_of(section.sentences, near, rng)
        passage = " ".join(section.sentences[first:last])
        yield Pair(sentence(about.clause(rng, plain=True)), "", passage, "supported", "title")
        against = about.opposed(rng) or about
        yield Pair(sentence(against.clause(rng, denied=against is about)), "", passage, "contradicted", "title")
        aside = about.aside(rng)
        if aside is not None:
            yield Pair(sentence(aside.clause(rng)), "", passage, "neither", "title")


def _shared(words: set[str], text: str) -> float:
    return len(words & set(re.findall(r"\w{4,}", text.lower()))) / max(1, len(words))


def learning_pairs(given: argparse.Namespace, rng: random.Random) -> list[Pair]:
    """All pairs to learn from, shuffled."""
    science = SciFact(given.data / "scifact")
    sections, abstracts = read_sections(given.data, given.topics), science.sections()
    spoken = [" ".join(section.sentences) for section in (*rng.sample(sections, min(len(sections), 4000)), *abstracts)]
    terms = read_terms(given.vocabulary, spoken)
    reader = SentenceReader(parser(), terms, rng)
    pairs = [pair for _ in range(SCIFACT_TIMES) for pair in science.pairs(False, rng, reader)]
    pairs += titles(reader, abstracts, rng)
    drawn = [*rng.sample(sections, min(len(sections), 6000)), *abstracts]
    maker = Maker(rng, terms, read_kinds(given.vocabulary, terms, 6000, rng), drawn)
    read = stated(reader, drawn, given.sentences, rng)
    wanted = given.pairs - len(pairs)
    made = wanted * SHARES["made"] / sum(SHARES.values())
    pairs += [pair for pair, _ in zip(maker.made(), range(round(made)), strict=False)]
    pairs += [pair for pair, _ in zip(maker.real(read), range(given.pairs - len(pairs)), strict=False)]
    rng.shuffle(pairs)
    return pairs


def within(pairs: Sequence[Pair], most: dict[str, int], seed: int) -> list[Pair]:
    """So many of SciFact's, of titles and of others, in their order and then shuffled; none of the longest."""
    taken, kept = Counter[str](), []
    for pair in pairs:
        kind = pair.kind if pair.kind in most else "other"
        taken[kind] += 1
        if (
            taken[kind] <= most.get(kind, len(pairs))
            and len(f"{pair.claim} {pair.title} {pair.passage}".split()) <= LONGEST
        ):
            kept.append(pair)
    random.Random(seed).shuffle(kept)
    return kept


def main() -> None:
    """Write the pairs and print how many there are of each label and kind."""
    options = argparse.ArgumentParser(description="Pairs to learn entailment from.")
    options.add_argument("--data", type=Path, required=True, help="the folder of scifact and medquad")
    options.add_argument("--topics", type=Path, required=True, help="MedlinePlus's topics, JSON lines")
    options.add_argument("--vocabulary", type=Path, required=True, help="the built knowledge.sqlite")
    options.add_argument("--part", choices=("fit", "held"), default="fit")
    options.add_argument("--pairs", type=int, default=100_000)
    options.add_argument("--sentences", type=int, default=16_000, help="real sentences to parse")
    options.add_argument("--most", nargs="*", help="of a kind, such as scifact=5200 title=1600 other=12000")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--out", type=Path, required=True)
    given = options.parse_args()
    rng = random.Random(given.seed)
    held = given.part == "held"
    pairs = list(SciFact(given.data / "scifact").pairs(True, rng)) if held else learning_pairs(given, rng)
    if given.most:
        pairs = within(pairs, {kind: int(count) for kind, count in (m.split("=") for m in given.most)}, given.seed)
    with given.out.open("w", encoding="utf-8") as stream:
        for pair in pairs:
            stream.write(json.dumps(pair._asdict(), ensure_ascii=False) + "\n")
    print(len(pairs), "pairs", dict(Counter(p.label for p in pairs)))
    print(dict(Counter((p.kind, p.label) for p in pairs).most_common()))


if __name__ == "__main__":
    main()
