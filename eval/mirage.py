"""The recorded replies of MIRAGE (Xiong et al. 2024) read by the product's answer parser, beside the benchmark's own.

Every reply is read twice. ``letter_of`` is strict: an abstention, two letters or a refusal chooses nothing, and
choosing nothing is wrong. The benchmark's ``locate_answer`` (``src/utils.py`` and ``src/evaluate.py`` of
Teddy-XiongGZ/MIRAGE) takes the first letter of "A/B/C/D" and counts whatever it cannot read as "A": an abstention is
then right whenever A is.

    python -m eval.mirage --data mirage [--show 60]
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from chains.answer.letter import letter_of
from core.errors import InputError
from eval.metrics.classification import accuracy

SETS = ("medmcqa", "medqa", "mmlu")
REPLIES = "recorded_gpt_predictions_dev.jsonl"
_BENCHMARK_FORMS = (
    r"^\s*(A|B|C|D)$",
    r"^\s*(A|B|C|D) or",
    r"^\s*(A|B|C|D) and",
    r"^\s*(A|B|C|D)/",
    r"^\s*(A|B|C|D),",
    r"[Oo]ption (A|B|C|D)",
    r":\s*(A|B|C|D)",
    r"^\s*(A|B|C|D)\.",
    r"^\s*(A|B|C|D)\"",
    r"^\s*(A|B|C|D):",
)


@dataclass(frozen=True)
class Reply:
    """One model's reply to one question of one set."""

    dataset: str
    model: str
    condition: str
    text: str
    options: Mapping[str, str]
    gold: str


@dataclass(frozen=True)
class Figures:
    """Shares of the replies to one set; ``answered`` is NaN where nothing was answered."""

    replies: int
    strict: float
    coverage: float
    answered: float
    benchmark: float
    majority: float


def read_replies(folder: Path) -> list[Reply]:
    """The recorded replies with their questions; InputError, naming the file, where one cannot be read."""
    questions = {(name, q["id"]): q for name in SETS for q in _lines(folder / f"{name}_dev.jsonl")}
    replies: list[Reply] = []
    for number, line in enumerate(_lines(folder / REPLIES), 1):
        question = questions.get((line["dataset"], line["id"]))
        if question is None:
            raise InputError(
                f"{folder / REPLIES}, line {number}: no question {line['id']!r} in {line['dataset']}_dev.jsonl: "
                "give the folder with the questions that were replied to"
            )
        replies.append(
            Reply(line["dataset"], line["llm"], line["setting"], line["raw"], question["options"], question["answer"])
        )
    return replies


def benchmark_letter(reply: str) -> str:
    """What the benchmark's own parser reads: the first form that fits, "A" where none does.

    The order of its forms and their want of an end are the benchmark's: "Cannot be …" fits none and is "A".
    """
    answer = reply.split('"answer_choice": "')[-1].strip()
    for form in _BENCHMARK_FORMS:
        found: list[str] = re.findall(form, answer)
        if found:
            return found[0]
    return "A"


def measure(replies: Sequence[Reply]) -> Figures:
    """The figures of some replies; ValueError for none."""
    gold = [reply.gold for reply in replies]
    chosen = [letter_of(reply.text, reply.options) for reply in replies]
    answered = [(g, c) for g, c in zip(gold, chosen, strict=True) if c is not None]
    return Figures(
        replies=len(replies),
        strict=accuracy(gold, chosen),
        coverage=len(answered) / len(replies),
        answered=accuracy([g for g, _ in answered], [c for _, c in answered]) if answered else float("nan"),
        benchmark=accuracy(gold, [benchmark_letter(reply.text) for reply in replies]),
        majority=max(Counter(gold).values()) / len(gold),
    )


def by_condition(replies: Sequence[Reply]) -> Iterator[tuple[tuple[str, str, str], Figures]]:
    """The figures of every model, condition and set, in that order."""

    def key(reply: Reply) -> tuple[str, str, str]:
        return reply.model, reply.condition, reply.dataset

    for name, group in groupby(sorted(replies, key=key), key=key):
        yield name, measure(list(group))


def disagreements(replies: Sequence[Reply]) -> list[Reply]:
    """The replies that the two parsers read differently."""
    return [r for r in replies if letter_of(r.text, r.options) != benchmark_letter(r.text)]


def _lines(path: Path) -> list[dict[str, Any]]:
    try:
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: not read ({error}): give a folder with MIRAGE's questions and replies") from error


def _show(replies: Sequence[Reply], count: int) -> None:
    """Print ends of replies with both readings, for checking by hand: half of them where the parsers differ."""
    pick = random.Random(0)
    differ = disagreements(replies)
    shown = pick.sample(differ, min(count // 2, len(differ)))
    shown += pick.sample(list(replies), min(count - len(shown), len(replies)))
    for reply in shown:
        end = " ".join(reply.text[-160:].split())
        print(f"{letter_of(reply.text, reply.options)} {benchmark_letter(reply.text)}  … {end}")


def main() -> None:
    """Print a table, a line for each model, condition and set."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder with questions and recorded replies")
    parser.add_argument("--show", type=int, default=0, help="print so many replies with their readings instead")
    given = parser.parse_args()
    replies = read_replies(given.data)
    if given.show:
        _show(replies, given.show)
        return
    print(
        f"{'model':<17} {'condition':<9} {'set':<8} {'n':>5} {'strict':>7} {'cover':>7} {'answered':>8} "
        f"{'benchmark':>9} {'majority':>8}"
    )
    for (model, condition, dataset), f in by_condition(replies):
        print(
            f"{model:<17} {condition:<9} {dataset:<8} {f.replies:>5} {f.strict:>7.1%} {f.coverage:>7.1%} "
            f"{f.answered:>8.1%} {f.benchmark:>9.1%} {f.majority:>8.1%}"
        )
    print(f"{len(replies):,} replies, {len(disagreements(replies))} read otherwise by the benchmark's parser")


if __name__ == "__main__":
    main()
