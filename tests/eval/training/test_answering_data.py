from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from core.errors import InputError
from eval.data.held_out import held_out, normal_name
from eval.training.answering_data import Maker, read_all
from eval.training.questions import WORDINGS, Asker, same_focus
from eval.training.sections import measured_texts, read_medlineplus

TOPIC = (
    "What is gout?\nGout is a kind of arthritis. It is painful and it comes in attacks.\n"
    "What causes gout?\nGout is caused by uric acid that forms crystals in the joints.\n"
    "What are the symptoms of gout?\nThe symptoms of gout include pain, swelling and warmth of the big toe.\n"
    "NIH: National Institute of Arthritis"
)


def files(folder: Path) -> tuple[Path, Path, Path]:
    topics, medquad, measured = folder / "topics.jsonl", folder / "medquad.jsonl", folder / "measured"
    focuses = [f"Disease {letter}" for letter in "ABCDEFGHIJKLMNOP"]
    texts = [{"title": f, "text": TOPIC.replace("gout", f.lower()).replace("Gout", f)} for f in focuses]
    topics.write_text("".join(json.dumps(t) + "\n" for t in texts))
    answer = "This answer is measured and so nothing that shares thirteen of its words in a row may be learnt from."
    qa = [{"qtype": "causes", "question": "What causes Measles ?", "answer": answer}]
    medquad.write_text(json.dumps({"focus": "Measles", "source": "CDC", "qa": qa}) + "\n")
    measured.mkdir()
    (measured / "alexa.jsonl").write_text(json.dumps({"answers": [{"text": answer}]}) + "\n")
    return medquad, topics, measured


def test_a_topic_is_read_by_its_headings_without_its_author(tmp_path: Path) -> None:
    path = tmp_path / "topics.jsonl"
    path.write_text(json.dumps({"title": "Gout", "text": TOPIC}) + "\n")
    sections = list(read_medlineplus(path))
    assert [(s.focus, s.aspect) for s in sections] == [
        ("gout", "information"),
        ("gout", "causes"),
        ("gout", "symptoms"),
    ]
    assert "National Institute" not in sections[-1].text


def test_what_is_measured_and_what_is_held_out_is_not_learnt_from(tmp_path: Path) -> None:
    given = files(tmp_path)
    fit, held = read_all(*given, "fit"), read_all(*given, "held")
    assert {s.focus for s in fit}.isdisjoint({s.focus for s in held})
    assert len(fit) + len(held) == len(read_all(*given)) == 48
    assert not any(s.focus == "Measles" for s in read_all(*given))


def test_pairs_are_the_same_for_a_seed_and_have_both_labels(tmp_path: Path) -> None:
    sections = read_all(*files(tmp_path), "fit")
    pairs = Maker(sections, 1).pairs(200)
    assert pairs == Maker(sections, 1).pairs(200) != Maker(sections, 2).pairs(200)
    assert 0.3 < sum(p.label for p in pairs) / len(pairs) < 0.7
    assert {"sentence", "passage", "aspect", "off topic"} <= {p.kind for p in pairs}


def test_there_are_many_wordings_of_each_kind() -> None:
    for kinds in (WORDINGS["aspects"], WORDINGS["particulars"]):
        assert all(len(set(entry["asks"])) >= 15 for entry in kinds.values())


def test_a_question_is_typed_in_many_ways() -> None:
    asker = Asker(random.Random(0))
    asked = {asker.ask(["what causes {f}?"], "Gout") for _ in range(60)}
    assert len(asked) > 15
    assert any(a == a.lower() for a in asked)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("High Blood Pressure", "hypertension", True),
        ("Urinary Tract Infections", "urinary tract infection", True),
        ("What I need to know about Gout", "Gout (gouty arthritis)", True),
        ("Leukemia", "Lymphoma", False),
    ],
)
def test_one_focus_has_many_names(one: str, other: str, same: bool) -> None:
    assert same_focus(one, other) is same


def test_about_a_fifth_of_the_names_is_held_out_whatever_their_form() -> None:
    names = [f"condition {n}" for n in range(1000)]
    assert 150 < sum(map(held_out, names)) < 250
    assert held_out("Ear Infections") == held_out("What I need to know about ear infection (otitis)")
    assert normal_name("Crohn's Disease") == normal_name("crohn disease")


def test_without_the_texts_that_measure_nothing_is_made(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="mediqa_qa"):
        measured_texts(tmp_path / "nowhere")
