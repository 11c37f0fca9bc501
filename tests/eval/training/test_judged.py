"""Questions with passages and sentences judged by hand."""

import json
import random
from pathlib import Path

import pytest

from eval.training.judged import judged, kept, kept_sentences, pairs


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    questions = [f"question {n}" for n in range(40)]
    passages = [{"question": q, "grades": {"library:x/1#0": 3, "library:x/2#0": 1}} for q in questions]
    sentences = [
        {"question": q, "title": "Gout", "sentences": ["Gout hurts.", "It is treated with colchicine."], "grades": "02"}
        for q in questions
    ]
    topics = [
        {
            "question": f"topic {n}",
            "grades": {"library:x/7#0": 3, **{f"library:x/7#{part}": 1 for part in (1, 2, 3)}},
            "sentences": {"library:x/7#0": {"Rest heals it well.": 2}},
        }
        for n in range(40)
    ]
    for name, lines in (("passages", passages), ("sentences", sentences), ("topics", topics)):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return tmp_path


def test_grades_become_shares_and_a_leaning_sentence_comes_after_the_one_it_leans_on(folder: Path) -> None:
    made = list(pairs(lambda evidence_id: ("Title", evidence_id), random.Random(1), folder))
    one = next(pair.question for pair in made)
    assert {(p.passage, p.label) for p in made if p.question == one} == {
        ("library:x/1#0", 1.0),
        ("library:x/2#0", 0.1),
        ("Gout hurts.", 0.0),
        ("Gout hurts. It is treated with colchicine.", 1.0),
    }


def test_what_is_kept_is_not_learnt_from(folder: Path) -> None:
    learnt = {pair.question for pair in pairs(lambda evidence_id: ("", evidence_id), random.Random(1), folder)}
    held = {pair.question for pair in kept_sentences(lambda evidence_id: ("", evidence_id), folder)}
    assert learnt
    assert held
    assert not learnt & held


def test_the_committed_questions_are_divided() -> None:
    asked = [one.question for one in judged()]
    assert len(asked) > 500
    assert 0.1 < sum(map(kept, asked)) / len(asked) < 0.3


def test_of_a_topic_some_passages_and_sentences_that_do_not_answer_are_drawn(folder: Path) -> None:
    text = "Rest heals it well. Bones are hard to break. Most casts are white. Many people break one."
    made = list(pairs(lambda evidence_id: ("Title", text), random.Random(1), folder))
    one = [pair for pair in made if pair.question == next(p.question for p in made if p.question.startswith("topic"))]
    whole = [pair.label for pair in one if pair.passage == text]
    sentences = {pair.passage: pair.label for pair in one if pair.passage != text}
    assert whole == [1.0, 0.1, 0.1]
    assert sentences.pop("Rest heals it well.") == 1.0
    assert list(sentences.values()) == [0.0, 0.0]
