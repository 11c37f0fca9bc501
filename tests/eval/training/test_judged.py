"""Questions with passages and sentences judged by hand."""

import json
import random
from pathlib import Path

import pytest

from eval.data.held_out import held_out
from eval.training.judged import PASSAGE, judged, kept, pairs, short, topical
from tests.tools.library.conftest import HashingEmbedder, write_library
from tools.library.shipped import AnsweredQuestion, Document, Passage

TEXT = "Rest heals it well. Bones are hard to break. Most casts are white. Many people break one."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    questions = [f"question {n}" for n in range(40)]
    graded = {"grades": {"library:x/1#0": 3, "library:x/2#0": 1}, "sentences": {"library:x/1#0": {"33": 2}}}
    lines = "".join(json.dumps({"question": question, **graded}) + "\n" for question in questions)
    (tmp_path / "passages.jsonl").write_text(lines, encoding="utf-8")
    return tmp_path


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """A library whose topic has questions, and one of a focus that is held out."""
    held = next(f"Focus {n}" for n in range(100) if held_out(f"Focus {n}"))
    topic = next(f"Focus {n}" for n in range(100) if not held_out(f"Focus {n}"))
    documents = [
        Document(key, title, "", "", (Passage(title, TEXT),) * 4) for key, title in (("7", topic), ("8", held))
    ]
    questions = [AnsweredQuestion(key, f"topic {key} {n}", {0: {0: 2}}) for key in "78" for n in range(40)]
    write_library(tmp_path / "written", {"x": documents}, {"x": questions}, HashingEmbedder())
    return tmp_path / "written"


def test_grades_become_shares_and_a_leaning_sentence_comes_after_the_one_it_leans_on(
    folder: Path, written: Path
) -> None:
    texts = {
        "library:x/1#0": ("Gout", "Gout hurts the big toe at night. It is treated with colchicine."),
        "library:x/2#0": ("Gout", "Big."),
    }
    made = list(pairs(lambda evidence_id: texts.get(evidence_id, ("", TEXT)), random.Random(1), folder, written))
    one = next(pair.question for pair in made)
    assert {(p.passage, p.label) for p in made if p.question == one} == {
        ("Gout hurts the big toe at night. It is treated with colchicine.", 1.0),
        ("Big.", 0.1),
        ("Gout hurts the big toe at night.", 0.0),
        ("Gout hurts the big toe at night. It is treated with colchicine.", 1.0),
    }


def test_what_is_kept_is_not_learnt_from(folder: Path, written: Path) -> None:
    learnt = {pair.question for pair in pairs(lambda evidence_id: ("", TEXT), random.Random(1), folder, written)}
    asked = {one.question for one in [*judged(folder), *topical(written)]}
    assert learnt == {question for question in asked if not kept(question)} != asked


def test_the_committed_questions_are_divided() -> None:
    asked = [one.question for one in judged()]
    assert len(asked) > 500
    assert 0.1 < sum(map(kept, asked)) / len(asked) < 0.3


def test_of_a_topic_some_passages_and_sentences_that_do_not_answer_are_drawn(folder: Path, written: Path) -> None:
    made = list(pairs(lambda evidence_id: ("Title", TEXT), random.Random(1), folder, written))
    one = [pair for pair in made if pair.question == next(p.question for p in made if p.question.startswith("topic"))]
    whole = [pair.label for pair in one if pair.passage == TEXT]
    sentences = {pair.passage: pair.label for pair in one if pair.passage != TEXT}
    assert whole == [1.0, 0.1, 0.1]
    assert sentences.pop("Rest heals it well.") == 1.0
    assert list(sentences.values()) == [0.0, 0.0]


def test_of_a_focus_that_is_held_out_nothing_is_learnt(written: Path) -> None:
    assert {next(iter(one.grades)) for one in topical(written)} == {"library:x/7#0"}


def test_short_texts_are_given_without_a_title_and_a_fifth_of_their_questions_only_measures() -> None:
    learnt, measuring = short(), short(measuring=True)
    assert 3 < len(learnt) / len(measuring) < 5
    assert all(not kept(one[0].question) for one in learnt)
    assert all(kept(one[0].question) for one in measuring)
    for beside in [*learnt, *measuring]:
        labels = [pair.label for pair in beside]
        assert len({pair.question for pair in beside}) == 1
        assert not any(pair.title for pair in beside)
        assert max(labels) >= PASSAGE[2]
        assert min(labels) < PASSAGE[2]
