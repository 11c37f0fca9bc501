from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from eval.bench.linkers import build_ours, link_ours
from eval.bench.linking import WARM, contests, planted_texts, recall
from eval.bench.planting import (
    MISSPELT,
    REORDERED,
    WAYS,
    WRITTEN,
    Drawn,
    Name,
    Planted,
    Planter,
    Text,
    draw,
    reordered,
    write_names,
)
from tools.knowledge.database import FILE_NAME, TABLES

NAMES = [
    Name(1, "Lung cancer"),
    Name(1, "pulmonary carcinoma"),
    Name(2, "arterial hypertension"),
    Name(3, "MCDK", abbreviation=True),
    Name(4, "Dysplasia, Multicystic Kidney"),
    Name(5, "glucose 6-(hydrogen sulfate)"),
]
DRAWN = Drawn(NAMES, 0)
ABSTRACT = "A case of fever. It rose to 39.5 degrees (at night). The patient went home."


@pytest.fixture
def home(tmp_path: Path) -> Path:
    rows = [
        (1, "Lung cancer", "preferred", 1),
        (1, "lung cancer", "exact", 1),
        (2, "LC", "abbreviation", 2),
        (3, "Not looked for", "exact", 0),
        (4, "one of far too many words for this", "exact", 1),
        (5, "arterial hypertension", "exact", 1),
    ]
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection, connection:
        connection.executescript(TABLES)
        connection.executemany("INSERT INTO names VALUES (?, ?, ?, 'X', ?)", rows)
    return tmp_path


def test_drawn_names_are_looked_for_short_and_distinct(home: Path) -> None:
    drawn = draw(home, 3, seed=1)
    assert drawn == Drawn([Name(1, "Lung cancer"), Name(2, "LC", True), Name(3, "arterial hypertension")], 0)


def test_names_are_made_up_of_the_stores_words_where_it_has_too_few(home: Path) -> None:
    drawn = draw(home, 9, seed=1)
    made_up = drawn.names[3:]
    assert drawn.generated == len(made_up) == 6
    assert [name.concept for name in made_up] == [4, 5, 6, 7, 8, 9]
    assert {word for name in made_up for word in name.text.split()} <= {
        "Lung",
        "cancer",
        "LC",
        "arterial",
        "hypertension",
    }
    assert draw(home, 9, seed=1) == drawn


def test_planted_names_stand_where_it_is_said_and_the_abstract_around_them() -> None:
    planter = Planter(DRAWN, seed=3)
    for each in range(4):
        text = planter.plant(ABSTRACT, each)
        assert [planted.way for planted in text.planted].count(MISSPELT) == each
        assert len(text.planted) == each * len(WAYS)
        for sentence in ("A case of fever.", "It rose to 39.5 degrees (at night).", "The patient went home."):
            assert sentence in text.text
        for planted in text.planted:
            names = [name.text for name in NAMES if name.concept == int(planted.concept[1:])]
            written = text.text[planted.start : planted.end]
            assert text.text[planted.start - 1] == " " == text.text[planted.end]
            if planted.way == WRITTEN:
                assert written in names
            elif planted.way == REORDERED:
                assert written in [reordered(name) for name in names]
            else:
                assert written not in names
                assert any(abs(len(written) - len(name)) <= 1 for name in names)


def test_only_the_longest_word_is_misspelt_by_one_letter() -> None:
    planter = Planter(DRAWN, seed=5)
    for _ in range(50):
        wrong = planter.misspelt("arterial hypertension")
        assert wrong is not None
        first, second = wrong.split(" ")
        assert first == "arterial"
        assert second != "hypertension"
        assert (second[0], second[-1]) == ("h", "n")
    assert planter.misspelt("MCDK") is None


def test_a_name_of_plain_words_is_reordered() -> None:
    assert reordered("renal cell carcinoma") == "carcinoma renal cell"
    assert [reordered(name) for name in ("fever", "vitamin B", "cancer of the lung", "a-b c")] == [None] * 4


def test_names_of_one_spelling_in_any_order_are_not_planted_for_two_concepts() -> None:
    twins = Drawn([Name(1, "heart disease"), Name(2, "disease, heart"), Name(3, "kidney stones")], 0)
    text = Planter(twins, seed=1).plant(ABSTRACT, 5)
    assert {planted.concept for planted in text.planted} == {"C0000003"}


def test_made_up_names_are_not_planted() -> None:
    text = Planter(Drawn(NAMES[:3], 1), seed=1).plant(ABSTRACT, 5)
    assert {planted.concept for planted in text.planted} == {"C0000001"}


def test_recall_is_of_the_place_without_outer_punctuation_and_of_the_concept() -> None:
    text = Text("One x(OH) two y.", (Planted(4, 9, "C1", WRITTEN), Planted(14, 15, "C2", MISSPELT)))
    assert recall([text], [[(4, 8, ["C1"]), (14, 16, ["C3", "C2"])]]) == {WRITTEN: 1, MISSPELT: 1}
    assert recall([text], [[(4, 8, ["C2"]), (10, 15, ["C2"])]]) == {WRITTEN: 0, MISSPELT: 0}


def test_our_linker_finds_what_is_planted(tmp_path: Path) -> None:
    names = tmp_path / "names.tsv"
    write_names(names, NAMES)
    assert build_ours(names, tmp_path) > 0
    texts = planted_texts([ABSTRACT] * 40, DRAWN, 20, 1, seed=2)
    run = link_ours(names, tmp_path, [t.text for t in texts[:WARM]], [t.text for t in texts[WARM:]], approximate=True)
    assert recall(texts[WARM:], run.mentions) == dict.fromkeys(WAYS, 1)
    assert run.seconds > 0


def test_without_an_interpreter_there_are_no_peers() -> None:
    assert {kind: len(found) for kind, found in contests(("quickumls", "medcat"), None).items()} == {
        "exact": 1,
        "all": 1,
    }
    assert [len(found) for found in contests(("quickumls",), Path("python")).values()] == [2, 2]
