"""The recorded replies of MIRAGE (Xiong et al. 2024) read by the product's answer parser, beside the benchmark's own.

Every reply is read twice. ``letter_of`` is strict: an abstention, two letters or a refusal chooses nothing, and
choosing nothing is wrong. The benchmark's ``locate_answer`` (``src/utils.py`` and ``src/evaluate.py`` of
Teddy-XiongGZ/MIRAGE) takes the first letter of "A/B/C/D" and counts whatever it cannot read as "A": an abstention is
then right whenever A is.

    python -m eval.mirage --data mirage [--show 60]
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from chains.answer.letter import letter_of
from eval.datasets.recorded import Reply, recorded
from eval.reports.figures import accuracy, figures
from eval.reports.grids import NOT_AVAILABLE, Grid
from eval.reports.markdown import table
from eval.runs.baseline import always, commonest
from eval.runs.experiment import Case

SEED = 0
STRICT = ("accuracy", "coverage", "accuracy_answered")
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


def strict(reply: Reply) -> Case:
    """The reply as the product reads it."""
    return _case(reply, letter_of(reply.text, reply.example.options))


def lenient(reply: Reply) -> Case:
    """The reply as the benchmark reads it."""
    return _case(reply, benchmark_letter(reply.text))


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


def grid(replies: Sequence[Reply], seed: int = SEED) -> Grid:
    """A row for each model, condition and set."""
    rows = []
    for name, group in groupby(sorted(replies, key=_whose), key=_whose):
        own = list(group)
        found = figures([strict(reply) for reply in own], seed, STRICT)
        examples = [reply.example for reply in own]
        beside = [lenient(reply) for reply in own], always(examples, commonest(examples))
        shown = [str(found.get(metric, NOT_AVAILABLE)) for metric in STRICT]
        rows.append((*name, str(len(own)), *shown, *(str(accuracy(cases, seed)) for cases in beside)))
    note = f"{len(replies):,} replies; the benchmark's parser reads {len(disagreements(replies)):,} of them otherwise."
    header = ("model", "condition", "set", "replies", *STRICT, "by the benchmark's parser", "majority letter")
    return Grid("MIRAGE's recorded replies, read by the product's parser", header, rows, note)


def disagreements(replies: Sequence[Reply]) -> list[Reply]:
    """The replies that the two parsers read differently."""
    return [reply for reply in replies if strict(reply).choice != lenient(reply).choice]


def _whose(reply: Reply) -> tuple[str, str, str]:
    return reply.model, reply.condition, reply.dataset


def _case(reply: Reply, choice: str | None) -> Case:
    return Case(reply.example, {"text": reply.text, "choice": choice})


def _show(replies: Sequence[Reply], count: int) -> None:
    """Print ends of replies with both readings, for checking by hand: half of them where the parsers differ."""
    pick = random.Random(SEED)
    differ = disagreements(replies)
    shown = pick.sample(differ, min(count // 2, len(differ)))
    shown += pick.sample(list(replies), min(count - len(shown), len(replies)))
    for reply in shown:
        end = " ".join(reply.text[-160:].split())
        print(f"{strict(reply).choice} {lenient(reply).choice}  … {end}")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder with questions and recorded replies")
    parser.add_argument("--show", type=int, default=0, help="print so many replies with their readings instead")
    given = parser.parse_args()
    replies = list(recorded(given.data))
    if given.show:
        _show(replies, given.show)
        return
    shown = grid(replies)
    print("\n".join((*table(shown), "", shown.note)))


if __name__ == "__main__":
    main()
