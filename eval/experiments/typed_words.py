"""Makes the words that typing is corrected to: those of the library's texts, with how often they stand there.

python -m eval.experiments.typed_words medlineplus_topics.jsonl medquad_open.jsonl
"""

from __future__ import annotations

import argparse
import json
import lzma
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from chains.typed.spelling import FILE, LONGEST

LEAST = 3
"""Words that stand there less often may themselves be misspelt."""
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?", re.IGNORECASE)


def texts(path: Path) -> Iterator[str]:
    """Every text of a file of JSON lines, titles and questions among them."""
    with path.open(encoding="utf-8") as file:
        for line in map(json.loads, file):
            yield from (str(value) for value in line.values() if isinstance(value, str))
            yield from (f"{pair['question']} {pair['answer']}" for pair in line.get("qa", ()))


def main() -> None:
    """Count, and write ``chains/typed/words.tsv.xz``."""
    parser = argparse.ArgumentParser(description="Make the words that typing is corrected to.")
    parser.add_argument("files", type=Path, nargs="+", help="medlineplus_topics.jsonl, medquad_open.jsonl")
    counts = Counter(
        word.lower().removesuffix("'s")
        for path in parser.parse_args().files
        for text in texts(path)
        for word in _WORD.findall(re.sub(r"https?:\S+", " ", text.replace("\u2019", "'")))
    )
    kept = sorted((word, n) for word, n in counts.items() if n >= LEAST and len(word) <= LONGEST and word.isascii())
    content = "".join(f"{word}\t{n}\n" for word, n in kept)
    FILE.write_bytes(lzma.compress(content.encode(), preset=9 | lzma.PRESET_EXTREME))
    print(f"{len(kept):,} words, {FILE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
