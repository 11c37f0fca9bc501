"""Linking against QuickUMLS and MedCAT: the same names, the same texts, and how many of the planted names each finds.

Exact matching is ours without correction of spelling, QuickUMLS at threshold 1 and MedCAT with nothing approximate;
all is what ``medattest link`` does (abbreviations, order, spelling, negation), QuickUMLS at its default threshold of
0.7, and MedCAT with correction of spelling and of the order of words. A planted name is found where a mention has its
place, whatever punctuation either begins or ends with, and its concept is among those that the linker offers there.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from core.settings import load_settings
from eval.bench.linkers import Contestant, Mention, Ours, medcat, quickumls
from eval.bench.planting import WAYS, Drawn, Planter, Text, draw, write_names
from eval.linking import read_pubtator
from tools.knowledge import KnowledgeStore

ABSTRACTS = "bc5cdr/train.pubtator.txt"
PEERS = ("quickumls", "medcat")
WARM = 20
GOALS = {"exact": 50, "all": 10}
"""How many times QuickUMLS's texts per second are asked for."""


def contests(peers: Sequence[str], python: Path | None) -> dict[str, list[Contestant]]:
    """Who is compared with whom, ours first."""
    found: dict[str, list[Contestant]] = {"exact": [Ours(approximate=False)], "all": [Ours(approximate=True)]}
    if python is not None and "quickumls" in peers:
        found["exact"].append(quickumls(python, threshold=1.0))
        found["all"].append(quickumls(python, threshold=0.7))
    if python is not None and "medcat" in peers:
        found["exact"].append(medcat(python, approximate=False))
        found["all"].append(medcat(python, approximate=True))
    return found


def planted_texts(abstracts: Sequence[str], drawn: Drawn, count: int, each: int, seed: int) -> list[Text]:
    """Draw abstracts, and plant so many names of each way in every one; the first ``WARM`` are to warm up with."""
    chosen = Random(seed).sample(abstracts, min(WARM + count, len(abstracts)))
    planter = Planter(drawn, seed)
    return [planter.plant(text, each) for text in chosen]


def recall(texts: Sequence[Text], mentions: Sequence[Sequence[Mention]]) -> dict[str, float]:
    """The share of planted names that were found, of each way of writing them."""
    found, planted = Counter[str](), Counter[str]()
    for text, of_text in zip(texts, mentions, strict=True):
        there = {_without_punctuation(text.text, start, end): concepts for start, end, concepts in of_text}
        for name in text.planted:
            planted[name.way] += 1
            found[name.way] += name.concept in there.get(_without_punctuation(text.text, name.start, name.end), ())
    return {way: found[way] / planted[way] for way in WAYS if planted[way]}


def _without_punctuation(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and not text[end - 1].isalnum():
        end -= 1
    while start < end and not text[start].isalnum():
        start += 1
    return start, end


def measure(
    contest: Sequence[Contestant],
    names: Path,
    built: dict[str, float],
    texts: Sequence[Text],
    peer_texts: int,
    rounds: int,
) -> Iterator[tuple[str, ...]]:
    """Yield the cells of each contestant's row; indexes are built beside the names, those that ``built`` has not yet.

    The first ``WARM`` texts only warm up. Ours, the first, links all others, peers ``peer_texts`` of them.
    """
    ours = 0.0
    for contestant in contest:
        folder = names.parent / contestant.index
        if contestant.index not in built:
            folder.mkdir()
            built[contestant.index] = contestant.build(names, folder)
        chosen = texts[WARM:] if contestant is contest[0] else texts[WARM : WARM + peer_texts]
        warm, asked = [t.text for t in texts[:WARM]], [t.text for t in chosen]
        run = min((contestant.link(names, folder, warm, asked) for _ in range(rounds)), key=lambda run: run.seconds)
        rate = len(chosen) / run.seconds
        ours = ours or rate
        shares = [f"{share:.3f}" for share in recall(chosen, run.mentions).values()]
        cells = f"{rate:.1f}", f"{ours / rate:.1f}×", f"{run.opened:.2f}", f"{run.megabytes:.0f}"
        yield contestant.name, str(len(chosen)), *cells, f"{built[contestant.index]:.0f}", *shares


def main(arguments: Sequence[str] | None = None) -> None:
    """Print texts a second, seconds to build and to open, memory at its peak and recall, of ours and of the peers."""
    parser = argparse.ArgumentParser(prog="python -m eval.bench.linking", description=main.__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder with bc5cdr")
    parser.add_argument("--names", type=int, default=50_000, help="names of the vocabulary; made up where too few")
    parser.add_argument("--peer-python", type=Path, help="an interpreter that has quickumls and medcat")
    parser.add_argument("--peers", nargs="+", choices=PEERS, default=PEERS, help="those to run")
    parser.add_argument("--texts", type=int, default=200)
    parser.add_argument("--peer-texts", type=int, default=200, help="fewer for peers, where they take too long")
    parser.add_argument("--planted", type=int, default=2, help="names in a text, of each way of writing them")
    parser.add_argument("--rounds", type=int, default=3, help="the best of so many processes counts")
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args(arguments)
    home = load_settings().home
    KnowledgeStore.open(home).close()  # builds it where there is none
    drawn = draw(home, given.names, given.seed)
    abstracts = [abstract.text for abstract in read_pubtator(given.data / ABSTRACTS)]
    texts = planted_texts(abstracts, drawn, given.texts, given.planted, given.seed)
    print(
        f"{len(drawn.names):,} names of {drawn.names[-1].concept:,} concepts ({drawn.generated:,} made up), "
        f"{len(texts) - WARM} abstracts with {given.planted} names of each way planted, seed {given.seed}, "
        f"best of {given.rounds}; texts per second of processor time"
    )
    with tempfile.TemporaryDirectory() as root:
        names = Path(root) / "names.tsv"
        write_names(names, drawn.names)
        built: dict[str, float] = {}
        for kind, contest in contests(given.peers, given.peer_python).items():
            columns = (kind, "texts", "texts/s", "ours is", "open, s", "peak, MB", "index, s", *WAYS)
            print(f"\n| {' | '.join(columns)} |\n{'|---' * len(columns)}|")
            for row in measure(contest, names, built, texts, given.peer_texts, given.rounds):
                print(f"| {' | '.join(row)} |", flush=True)
    if given.peer_python is None:
        print("\nNo peer was run: --peer-python names an interpreter that has them")
    else:
        print(f"\nAsked for: {GOALS['exact']}× QuickUMLS in exact matching, {GOALS['all']}× in all")


if __name__ == "__main__":
    main()
