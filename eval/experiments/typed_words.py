"""Makes what typing is corrected by: the words of the library's texts, and the phrases of the questions asked of them.

python -m eval.experiments.typed_words medlineplus_topics.jsonl medquad_open.jsonl
"""

from __future__ import annotations

import argparse
import json
import lzma
import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from pathlib import Path

from chains.typed.phrases import END, NUMBER, START, UNKNOWN
from chains.typed.phrases import FILE as PHRASES
from chains.typed.spelling import FILE, LONGEST
from core.language.dictionary import is_english
from tools.library.shipped import read_questions, read_sheet

LEAST = 3
"""Words that stand there less often may themselves be misspelt."""
LEAST_ASKED, SURELY = 2, 5
"""How often a word is asked that the texts or a dictionary have, and one that neither has."""
LEAST_PHRASE = 2
_ASKED = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?", re.IGNORECASE)


def texts(path: Path) -> Iterator[str]:
    """Every text of a file of JSON lines, titles and questions among them."""
    with path.open(encoding="utf-8") as file:
        for line in map(json.loads, file):
            yield from (str(value) for value in line.values() if isinstance(value, str))
            yield from (f"{pair['question']} {pair['answer']}" for pair in line.get("qa", ()))


def phrases(questions: Iterable[Sequence[str]], known: Container[str]) -> dict[tuple[str, ...], int]:
    """How often each word, pair and triple of words is asked; pairs and triples that are asked once are left out."""
    asked = Counter(word for words in questions for word in words)
    told = {
        word for word, count in asked.items() if count >= (LEAST_ASKED if word in known or is_english(word) else SURELY)
    }
    counts: Counter[tuple[str, ...]] = Counter()
    for words in questions:
        signed = [START, *(word if word in told else UNKNOWN for word in words), END]
        for length in (1, 2, 3):
            counts.update(zip(*(signed[start:] for start in range(length)), strict=False))
    return {phrase: count for phrase, count in counts.items() if len(phrase) == 1 or count >= LEAST_PHRASE}


def spoken(question: str) -> list[str]:
    """The words of a question in lower case, a number as its sign."""
    words = _ASKED.findall(question.lower().replace("\u2019", "'"))
    return [NUMBER if word.isdigit() else word for word in words]


def write(path: Path, counts: Iterable[tuple[str, int]]) -> None:
    """Write what is counted, one a line."""
    content = "".join(f"{what}\t{count}\n" for what, count in counts)
    path.write_bytes(lzma.compress(content.encode(), preset=9 | lzma.PRESET_EXTREME))
    print(f"{path.name}: {content.count(chr(10)):,} lines, {path.stat().st_size:,} bytes")


def main() -> None:
    """Count, and write ``words.tsv.xz`` and ``phrases.tsv.xz`` of ``chains/typed``."""
    parser = argparse.ArgumentParser(description="Make what typing is corrected by.")
    parser.add_argument("files", type=Path, nargs="+", help="medlineplus_topics.jsonl, medquad_open.jsonl")
    counts = Counter(
        word.lower().removesuffix("'s")
        for path in parser.parse_args().files
        for text in texts(path)
        for word in _WORD.findall(re.sub(r"https?:\S+", " ", text.replace("\u2019", "'")))
    )
    kept = {word: n for word, n in counts.items() if n >= LEAST and len(word) <= LONGEST and word.isascii()}
    write(FILE, sorted(kept.items()))
    asked = [spoken(question.text) for corpus in read_sheet().corpora for question in read_questions(corpus)]
    write(PHRASES, sorted((" ".join(phrase), count) for phrase, count in phrases(asked, kept).items()))


if __name__ == "__main__":
    main()
