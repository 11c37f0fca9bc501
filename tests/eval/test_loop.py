"""What further rounds cost and bring, on answers that are made up."""

from __future__ import annotations

from core.schema import VerifiedAnswer
from eval.loop import Both, lines
from eval.natural import Asked, Natural, mark

GOUT = Natural("1", "how is gout treated", "plain", (("colchicine",),))


def asked(text: str, rounds: int, seconds: float, *queries: str, natural: Natural = GOUT) -> Asked:
    answer = VerifiedAnswer(
        id=natural.id,
        question=natural.question,
        text=text or "I cannot say",
        abstained=not text,
        risk=0.2,
        engine="evidence-only",
        rounds=rounds,
        queries=queries,
    )
    return Asked(natural, answer, mark(natural, answer), seconds)


def test_what_no_round_followed_costs_and_brings_nothing() -> None:
    same = asked("By colchicine.", 0, 1.0, "gout")
    assert lines([Both(same, same)]) == ["0 of 1 questions went another round"]


def test_seconds_queries_and_changed_marks_are_those_of_the_questions_that_went_on() -> None:
    told = lines(
        [
            Both(asked("By colchicine.", 0, 9.0, "gout"), asked("By colchicine.", 0, 9.0, "gout")),
            Both(asked("", 0, 1.0, "gout"), asked("By colchicine.", 1, 2.0, "gout", "podagra")),
            Both(asked("By rest.", 0, 3.0, "gout"), asked("By rest.", 2, 6.0, "gout", "podagra", "uric acid")),
            Both(asked("By colchicine.", 0, 2.0, "gout"), asked("", 1, 4.0, "gout")),
        ]
    )
    assert told[0] == "3 of 4 questions went another round"
    assert told[1] == "each of these: 1.3 rounds, 1.0 more queries, +2.00 s on 2.00 s"
    assert told[2] == "answers changed: 2; useful since: 1, no longer: 1"
    assert sorted(told[3:]) == ["  useful → withheld: 1", "  withheld → useful: 1"]
