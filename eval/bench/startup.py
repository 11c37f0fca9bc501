"""What a user waits for at the command line: ``--help``, and a question in a new process."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from statistics import median

QUESTION = "What are the features of Marfan syndrome?"


def main(repeats: int = 5) -> dict[str, float]:
    """Print the medians, in seconds; the first run of each is not counted."""
    medattest = str(Path(sys.executable).parent / "medattest")
    figures = {
        "help": _median([medattest, "--help"], repeats),
        "cold_ask": _median([medattest, "ask", QUESTION], repeats),
        "python": _median([sys.executable, "-c", "pass"], repeats),
    }
    print(
        f"Start, median of {repeats}: python alone {figures['python']:.2f} s, "
        f"medattest --help {figures['help']:.2f} s, a cold question {figures['cold_ask']:.2f} s"
    )
    return figures


def _median(command: list[str], repeats: int) -> float:
    return median([_seconds(command) for _ in range(repeats + 1)][1:])


def _seconds(command: list[str]) -> float:
    started = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
