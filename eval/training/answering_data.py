"""Writes pairs of a question and a passage, or one sentence of it, labelled with whether the one answers the other.

Positives are sections of MedQuAD (CC BY 4.0) and MedlinePlus (public domain) that tell the aspect asked; negatives are
other aspects of the same focus, the same aspect of a focus with a near name, vocabulary facts, pointers elsewhere, what
no page can answer, matters that are not medical, and chance. A seeded fifth of the focuses is kept out (``--part fit``)
or is all there is (``--part held``); texts that share thirteen words with MEDIQA's are left out of both.

    python -m eval.training.answering_data --medquad medquad_open.jsonl --topics medlineplus_topics.jsonl
        --measured mediqa_qa --pairs 48000 --out answering.jsonl
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from eval.data.held_out import held_out, normal_name
from eval.training.questions import SYNONYMS, WORDINGS, Asker, same_focus
from eval.training.sections import Section, measured_texts, read_medlineplus, read_medquad, shingles

ASPECTS, PARTICULARS, FACTS = WORDINGS["aspects"], WORDINGS["particulars"], WORDINGS["facts"]
GROUPS = {"MedlinePlus": 0.40, "GHR": 0.08, "GARD": 0.08}
OTHERS = 0.44
SENTENCE_SHARE, PARTICULAR_SHARE = 0.5, 0.22
COMMON_WORD = 60
CUES = {
    name: {key: re.compile(entry[key], re.IGNORECASE) for key in ("tells", "mentions") if key in entry}
    for name, entry in {**ASPECTS, **PARTICULARS}.items()
}


class Pair(NamedTuple):
    """One pair to learn from; ``kind`` says how it was made."""

    question: str
    title: str
    passage: str
    label: int
    kind: str


class Maker:
    """Makes pairs from sections; every choice comes from one seed."""

    def __init__(self, sections: Sequence[Section], seed: int) -> None:
        """Index the sections by group, focus and aspect."""
        self.rng = random.Random(seed)
        self.asker = Asker(self.rng)
        self.sections = sections
        self.by_focus: dict[str, list[Section]] = defaultdict(list)
        self.by_aspect: dict[str, list[Section]] = defaultdict(list)
        self.by_group: dict[str, list[Section]] = defaultdict(list)
        self.by_word: dict[str, set[str]] = defaultdict(set)
        for section in sections:
            name = normal_name(section.focus)
            self.by_focus[name].append(section)
            self.by_aspect[section.aspect].append(section)
            if section.answers:
                self.by_group[section.group if section.group in GROUPS else "others"].append(section)
            for word in name.split():
                self.by_word[word].add(name)

    def pairs(self, count: int) -> list[Pair]:
        """About half of them positive, in an order that is good to learn from."""
        made: list[Pair] = []
        while len(made) < count:
            section = self.draw()
            if self.rng.random() < PARTICULAR_SHARE:
                made += self._particular(section)
            elif section.aspect in ASPECTS:
                made += self._plain(section)
            else:
                made += self._headed(section)
            if self.rng.random() < 0.06:
                made.append(self._stray())
        self.rng.shuffle(made)
        return made[:count]

    def draw(self) -> Section:
        """A section that answers, of a source by its share."""
        group = self.rng.choices([*GROUPS, "others"], [*GROUPS.values(), OTHERS])[0]
        return self.rng.choice(self.by_group.get(group) or self.sections)

    def _plain(self, section: Section) -> list[Pair]:
        """A question for the aspect of a section, what answers it, and what does not."""
        cue = CUES[section.aspect]["tells"]
        sentence = self.rng.random() < SENTENCE_SHARE
        right = self._answering(section, cue, sentence)
        if right is None:
            return []
        if self.rng.random() < 0.12 and section.heading:
            question = self.asker.typed(section.heading)
        else:
            question = self.asker.ask(ASPECTS[section.aspect]["asks"], section.focus)
        made = [self._pair(question, section, right, 1, "sentence" if sentence else "passage")]
        for _ in range(1 if self.rng.random() < 0.75 else 2):
            made += self._negative(question, section, self.rng.random() < SENTENCE_SHARE)
        return made

    def _answering(self, section: Section, cue: re.Pattern[str], sentence: bool) -> str | None:
        if sentence:
            told = [s for s in section.sentences[:6] if cue.search(s) and 4 < len(s.split()) < 60]
            return self.rng.choice(told) if told else None
        chunks = [" ".join(chunk) for chunk in section.chunks()][:3]
        told = [chunk for chunk in chunks if cue.search(chunk)]
        first = told[:1] if self.rng.random() < 0.6 else told
        return self.rng.choice(first) if first else None

    def _negative(self, question: str, section: Section, sentence: bool) -> list[Pair]:
        kind = self.rng.choices(
            ["aspect", "near", "fact", "pointer", "same", "random", "personal"], [36, 29, 9, 4, 8, 8, 6]
        )[0]
        if kind == "personal":
            question = self.asker.ask(WORDINGS["personal"]["asks"], section.focus)
            return [self._pair(question, section, self._any(section, sentence), 0, kind)]
        if kind == "fact":
            title, text, label = self.fact(section)
            return [Pair(question, title if self.rng.random() < 0.6 else "", text, label, kind)]
        other = self._other(kind, section)
        if other is None:
            return []
        text = self._any(other, sentence)
        mentions = CUES[section.aspect].get("mentions")
        if kind == "aspect" and mentions and mentions.search(text):
            return []
        return [self._pair(question, other, text, 0, kind)]

    def _other(self, kind: str, section: Section) -> Section | None:
        name = normal_name(section.focus)
        if kind == "aspect":
            kin = {section.aspect, "", *ASPECTS[section.aspect]["kin"]}
            return self._choice([s for s in self.by_focus[name] if s.aspect not in kin])
        if kind == "near":
            near = {n for w in name.split() if len(self.by_word[w]) <= COMMON_WORD for n in self.by_word[w]}
            near |= {n for n in (name.replace("hypo", "hyper"), name.replace("hyper", "hypo")) if n in self.by_focus}
            foci = sorted(n for n in near if not same_focus(n, name) and set(n.split()) != set(name.split()))
            return self._choice([s for n in foci for s in self.by_focus[n] if s.aspect == section.aspect])
        if kind == "pointer":
            return self._choice([s for s in self.by_focus[name] if not s.answers])
        pool = self.by_aspect[section.aspect] if kind == "same" else self.sections
        other = self.rng.choice(pool)
        return None if same_focus(other.focus, section.focus) else other

    def _particular(self, section: Section) -> list[Pair]:
        """A narrow question, what of a page answers it, and what of the same page does not."""
        name = self.rng.choice(list(PARTICULARS))
        cue = CUES[name]["tells"]
        page = [s for s in self.by_focus[normal_name(section.focus)] if s.answers]
        units = [(s, t) for s in page for t in self._units(s)]
        told = [(s, t) for s, t in units if cue.search(t)]
        silent = [(s, t) for s, t in units if not cue.search(t)]
        question = self.asker.ask(PARTICULARS[name]["asks"], section.focus)
        made = []
        if told:
            source, text = self.rng.choice(told)
            made.append(self._pair(question, source, text, 1, f"particular {name}"))
        if silent and (told or self.rng.random() < 0.4):
            source, text = self.rng.choice(silent)
            made.append(self._pair(question, source, text, 0, f"particular {name}"))
        if told and self.rng.random() < 0.3:
            other = self.rng.choice(self.sections)
            texts = [t for t in self._units(other) if cue.search(t)]
            if texts and not same_focus(other.focus, section.focus):
                made.append(self._pair(question, other, self.rng.choice(texts), 0, f"particular {name} elsewhere"))
        return made

    def _units(self, section: Section) -> list[str]:
        if self.rng.random() < 0.6:
            return [s for s in section.sentences if 4 < len(s.split()) < 60]
        return [" ".join(chunk) for chunk in section.chunks()]

    def _headed(self, section: Section) -> list[Pair]:
        """A heading that is a question of its own kind, with its text and that of another part of the page."""
        question = self.asker.typed(section.heading)
        chunks = [" ".join(chunk) for chunk in section.chunks()][:2]
        made = [self._pair(question, section, self.rng.choice(chunks), 1, "heading")]
        page = [s for s in self.by_focus[normal_name(section.focus)] if s.heading != section.heading]
        other = self._choice(page) if self.rng.random() < 0.8 else self.rng.choice(self.sections)
        if other is not None:
            made.append(self._pair(question, other, self._any(other, self.rng.random() < 0.4), 0, "other heading"))
        return made

    def _stray(self) -> Pair:
        section = self.draw()
        question = self.asker.typed(self.rng.choice(WORDINGS["off_topic"]["asks"]))
        return self._pair(question, section, self._any(section, self.rng.random() < 0.4), 0, "off topic")

    def _any(self, section: Section, sentence: bool) -> str:
        if sentence:
            return self.rng.choice(section.sentences)
        return " ".join(self.rng.choice(list(section.chunks())[:3]))

    def _pair(self, question: str, section: Section, text: str, label: int, kind: str) -> Pair:
        return Pair(question, self._title(section, text, label), text, label, kind)

    def _title(self, section: Section, text: str, label: int) -> str:
        form = self.rng.random()
        names = {*normal_name(section.focus).split(), *(w for s in self._names(section) for w in s.split())}
        if form < 0.4 and (not label or names & set(normal_name(text).split())):
            return ""
        if form < 0.6:
            return section.focus
        return section.heading if form < 0.72 else f"{section.focus}: {section.heading}"

    def _names(self, section: Section) -> list[str]:
        return [normal_name(s) for s in SYNONYMS.get(normal_name(section.focus), ())]

    def fact(self, section: Section) -> tuple[str, str, int]:
        """What a vocabulary says of a focus: its title, its text, and whether it answers the section's aspect."""
        fact = self.rng.choice(FACTS["facts"])
        told = self.rng.sample(FACTS["terms"][fact["of"]], 3)
        names = SYNONYMS.get(normal_name(section.focus)) or [f"{section.focus.lower()} disorder"]
        text = fact["text"].format(f=section.focus, a=told[0], b=told[1], c=told[2], names=", ".join(names))
        return f"{section.focus}: {fact['title']}", text, int(section.aspect in fact["answers"])

    def _choice(self, sections: Sequence[Section]) -> Section | None:
        return self.rng.choice(sections) if sections else None


def read_all(medquad: Path, topics: Path, measured: Path, part: str | None = None) -> list[Section]:
    """The sections, of one part of the focuses or of both, without those that share thirteen words with MEDIQA's."""
    shared = measured_texts(measured)
    sections = [*read_medlineplus(topics), *read_medquad(medquad)]
    wanted = [s for s in sections if part is None or held_out(s.focus) == (part == "held")]
    return [s for s in wanted if not shingles(s.text) & shared]


def main() -> None:
    """Write the pairs and print how many there are of each kind."""
    parser = argparse.ArgumentParser(description="Make pairs of questions and passages to learn from.")
    parser.add_argument("--medquad", type=Path, required=True)
    parser.add_argument("--topics", type=Path, required=True)
    parser.add_argument("--measured", type=Path, required=True, help="the folder mediqa_qa, to keep its texts out")
    parser.add_argument("--pairs", type=int, default=48_000)
    parser.add_argument("--part", choices=("fit", "held"), default="fit")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    sections = read_all(given.medquad, given.topics, given.measured, given.part)
    pairs = Maker(sections, given.seed).pairs(given.pairs)
    given.out.write_text("".join(json.dumps(p._asdict(), ensure_ascii=False) + "\n" for p in pairs), encoding="utf-8")
    print(f"{len(sections)} sections, {len(pairs)} pairs, {sum(p.label for p in pairs) / len(pairs):.3f} positive")
    for (kind, label), number in sorted(Counter((p.kind.split()[0], p.label) for p in pairs).items()):
        print(f"{number:7d} {label} {kind}")


if __name__ == "__main__":
    main()
