from __future__ import annotations

import pytest

from tools.knowledge.umls.estimate import Clock, spoken


def test_the_time_left_is_told_from_the_speed_so_far() -> None:
    told: list[tuple[str, float]] = []
    times = iter([0.0, 60.0, 120.0, 240.0])
    clock = Clock(lambda *said: told.append(said), [("reading", 100.0), ("writing", 100.0)], lambda: next(times))
    clock.begin(0)
    clock.tell(0.0)
    clock.tell(0.5)
    clock.begin(1)
    clock.tell(0.0)
    clock.tell(1.0)
    assert told == [
        ("reading, about 3 minutes left", 0.0),
        ("reading, about 3 minutes left", 0.5),
        ("writing, about 2 minutes left", 0.0),
        ("writing, less than a minute left", 1.0),
    ]


def test_what_an_earlier_process_did_does_not_make_this_one_fast() -> None:
    told: list[str] = []
    times = iter([0.0, 100.0])
    clock = Clock(lambda text, _: told.append(text), [("reading", 100.0)], lambda: next(times))
    clock.tell(0.9)
    clock.tell(0.95)
    assert told[-1] == "reading, about 2 minutes left"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "less than a minute"), (61, "about 1 minute"), (720, "about 12 minutes"), (9000, "about 2.5 hours")],
)
def test_durations_are_said_as_one_says_them(seconds: float, words: str) -> None:
    assert spoken(seconds) == words
