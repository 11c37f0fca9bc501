"""MedQuAD and MedlinePlus as sections: a focus, the aspect that is told of it, and the text that tells it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from core.errors import InputError
from core.language import sentences
from eval.data.held_out import normal_name

SHARED_WORDS = 13
CHUNK_WORDS = 75
_LONGEST_FOCUS = 60
_HEADINGS = {
    "symptoms": r"What are the (?:signs and |early )?(?:symptoms|signs)(?: and signs)? of (.+)\?",
    "kinds": r"What are the (?:different |main )?types of (.+)\?",
    "treatment": r"(?:What are the treatments for|How are|How is) (.+?)(?: treated)?\?",
    "exams and tests": r"How (?:is|are|can) (.+?) (?:be )?diagnosed\?",
    "prevention": r"(?:Can|How can I prevent|How can) (.+?)(?: be prevented)?\?",
    "susceptibility": r"Who is (?:at risk for|more likely to (?:get|develop|have)) (.+)\?",
    "complications": r"What (?:other )?(?:health )?(?:problems|complications) can (.+) cause\?",
    "contagious": r"How (?:does|do) (.+) spread\?",
    "causes": r"What causes (.+)\?",
    "information": r"What (?:is|are) (?:an? |the )?(.+)\?",
}
_GUARDS = {"treatment": r"treat", "exams and tests": r"diagnosed", "prevention": r"prevent"}
_FRAME = re.compile(
    r"^(what i need to know about|your guide to|understanding|prevent diabetes problems:|parasites -) *", re.I
)
_ASIDE = re.compile(r"\s*\([^)]*\)|\s*[?]+$")
_QUOTED = re.compile(r"What are the signs and symptoms of .+?\?\s*")
ONTOLOGY = "The Human Phenotype Ontology"
_DIRECTORY = re.compile(r"^(These resources|Resources|You can use|If you need medical advice|The following resources)")
_AUTHOR = re.compile(r"^(NIH|Centers for|National|Food and Drug|Department|Agency|Dept)\b[^.?!]{0,90}$")
_STOPS = (".", "!", "?")


@dataclass(frozen=True)
class Section:
    """What a page says of one aspect of its focus; ``answers`` is false where it only points elsewhere."""

    focus: str
    aspect: str
    heading: str
    sentences: tuple[str, ...]
    group: str
    answers: bool = True

    @property
    def text(self) -> str:
        """All sentences in their order."""
        return " ".join(self.sentences)

    def chunks(self) -> Iterator[tuple[str, ...]]:
        """Passages of whole sentences, somewhat shorter than the product's, which is cheaper to learn from."""
        chunk: list[str] = []
        for sentence in self.sentences:
            if chunk and sum(len(s.split()) for s in (*chunk, sentence)) > CHUNK_WORDS:
                yield tuple(chunk)
                chunk = []
            chunk.append(sentence)
        if chunk:
            yield tuple(chunk)


def read_medquad(path: Path) -> Iterator[Section]:
    """The answers of MedQuAD; what the Human Phenotype Ontology lists is left out."""
    for line in path.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        focus = _plain(entry["focus"])
        if not focus or len(focus) > _LONGEST_FOCUS:
            continue
        for qa in entry["qa"]:
            text = _QUOTED.sub("", qa["answer"].split(ONTOLOGY)[0]).strip()
            told = _told(text)
            if told:
                points = bool(_DIRECTORY.match(text))
                heading = " ".join(qa["question"].replace(" ?", "?").replace("(are) ", "").split())
                yield Section(focus, qa["qtype"], heading, told, entry["source"], not points)


def read_medlineplus(path: Path) -> Iterator[Section]:
    """The parts of MedlinePlus's topics; an aspect is empty where the heading is a question of its own kind."""
    for line in path.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        heading, body = "", list[str]()
        for row in [*entry["text"].splitlines(), "?"]:
            if not row.strip().endswith("?"):
                body.append(row.strip())
                continue
            told = _told(_flat(body))
            if told:
                aspect, focus = _aspect_of(heading, entry["title"])
                yield Section(focus, aspect, heading or f"What is {entry['title']}?", told, "MedlinePlus")
            heading, body = row.strip(), []


def _aspect_of(heading: str, title: str) -> tuple[str, str]:
    if not heading:
        return "information", _plain(title)
    for aspect, pattern in _HEADINGS.items():
        found = re.fullmatch(pattern, heading)
        if found and re.search(_GUARDS.get(aspect, ""), heading):
            focus = _plain(found.group(1))
            return aspect, focus if normal_name(focus) in normal_name(title) else _plain(title)
    return "", _plain(title)


def _plain(focus: str) -> str:
    return _ASIDE.sub("", _FRAME.sub("", focus)).strip(" ?.-")


def _flat(rows: list[str]) -> str:
    """Lines as running text: the items of a list are parted by commas, and a sentence after them stands alone."""
    told = [row for row in rows if row and not _AUTHOR.match(row)]
    parts: list[str] = []
    for row, following in zip(told, [*told, ""][1:], strict=True):
        whole = row.endswith((".", "!", "?", ":", ",", ";"))
        parts.append(row if whole else row + ("," if following and not following.endswith(_STOPS) else "."))
    return " ".join(parts)


def _told(text: str) -> tuple[str, ...]:
    return tuple(" ".join(s.text.split()) for s in sentences(text) if len(s.text.split()) > 2)


def shingles(text: str) -> set[int]:
    """Every run of thirteen words of a text."""
    words = re.findall(r"\w+", text.lower())
    return {hash(tuple(words[i : i + SHARED_WORDS])) for i in range(len(words) - SHARED_WORDS + 1)}


def measured_texts(folder: Path) -> set[int]:
    """The runs of thirteen words in the answers that only measure (MEDIQA); InputError for a folder without them.

    Without them nothing would be kept out, and nobody would know.
    """
    files, found = sorted(folder.glob("*.jsonl")), set[int]()
    if not files:
        raise InputError(f"{folder} holds no *.jsonl of answers that only measure: name the folder mediqa_qa")
    for path in files:
        for line in path.read_text(encoding="utf-8").splitlines():
            for answer in json.loads(line)["answers"]:
                found |= shingles(answer["text"])
    return found
